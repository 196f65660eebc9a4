import { Id } from '@symbolon/protocol';
import { Type } from 'typebox';
import type { Flag } from '../../../db/tables.ts';
import type { App } from '../../../http/app.ts';
import { regionOf } from '../directory/directory-routes.ts';
import type { SlotRegistrations } from './registrations.ts';
import type { RemoteSlots } from './remote-slots.ts';
import type { PersonReplicas } from './replicas.ts';

const Text = Type.String({ maxLength: 4096 });

const Request = Type.Object({
  person_id: Id,
  fields: Type.Array(
    Type.Object({ id: Type.String({ maxLength: 100 }), version: Type.Integer({ minimum: 0 }) }),
  ),
  slots: Type.Array(
    Type.Object({
      registration: Id,
      field_id: Type.String({ maxLength: 100 }),
      company_id: Id,
      service_id: Id,
      connection_id: Id,
      request_field_id: Id,
      slug: Text,
      service_public_key: Text,
      mandatory: Type.Unsafe<Flag>(Type.Integer({ minimum: 0, maximum: 1 })),
    }),
  ),
});

const Asked = Type.Object({
  slots: Type.Array(
    Type.Object({ registration: Id, company_id: Id, connection_id: Id, request_field_id: Id }),
    { maxItems: 1000 },
  ),
});

const config = { access: ['peer'], alwaysJson: true } as const;

/** What regions ask each other about people. */
export function peopleRegionRoutes(
  app: App,
  {
    remoteSlots,
    registrations,
    replicas,
  }: { remoteSlots: RemoteSlots; registrations: SlotRegistrations; replicas: PersonReplicas },
): void {
  app.post('/internal/people/slots', { config, schema: { hide: true, body: Request } }, async (request) =>
    remoteSlots.register(request.body),
  );
  app.post(
    '/internal/people/slots/missing',
    { config, schema: { hide: true, body: Asked } },
    async (request) => ({ missing: await registrations.missing(request.body.slots) }),
  );
  app.post(
    '/internal/people/:id/introduction',
    { config, schema: { hide: true, params: Type.Object({ id: Id }) } },
    async (request) => ({ home: await replicas.introduce(regionOf(request), request.params.id) }),
  );
}
