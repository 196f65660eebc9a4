import { Id, PresenceAct, PresenceProof, personSignalKinds } from '@symbolon/protocol';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { storedFile } from '../../../core/stored-file.ts';
import type { Flag } from '../../../db/tables.ts';
import type { App } from '../../../http/app.ts';
import { internalRoutesOf } from '../../../http/routes.ts';
import type { Presence } from '../../accounts/index.ts';
import type { DevicesSignals } from '../../delivery/index.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import { fieldOf, uploadOf } from '../../people/index.ts';
import { regionOf } from '../directory/directory-routes.ts';
import type { SlotRegistrations } from './registrations.ts';
import { FILE_HEADER, noSuchFile, type SentFile } from './remote-files.ts';
import type { RemoteSlots } from './remote-slots.ts';
import type { PersonReplicas } from './replicas.ts';

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly blobs: Blobs;
  readonly personReplicas: PersonReplicas;
  readonly registrations: SlotRegistrations;
  readonly remoteSlots: RemoteSlots;
  readonly presence: Presence;
  readonly personSignals: Pick<DevicesSignals, 'tellHere'>;
}

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

const Given = Type.Object({
  act: PresenceAct,
  proof: PresenceProof,
  source: Text,
  need: Type.Object({ strong: Type.Boolean() }),
});

const Signal = Type.Object({
  kind: Type.Enum(personSignalKinds),
  id: Type.String({ maxLength: 200 }),
  push: Type.Optional(Type.Boolean()),
});

/** What regions ask each other about people. */
export function peopleRoutes(
  app: App,
  { blobs, clock, database, personReplicas, personSignals, presence, registrations, remoteSlots }: Deps,
): void {
  const route = internalRoutesOf(app);

  route('POST /internal/people/slots', { body: Request }, (request) => remoteSlots.register(request.body));
  route('POST /internal/people/slots/missing', { body: Asked }, async (request) => ({
    missing: await registrations.missing(request.body.slots),
  }));
  route('POST /internal/people/:id/signal', { body: Signal }, async (request) => {
    await personSignals.tellHere(request.params.id, request.body);
    return { told: true };
  });
  route('POST /internal/people/:id/introduction', {}, async (request) => ({
    home: await personReplicas.sendAll(regionOf(request), request.params.id),
  }));
  route('POST /internal/people/:id/presence/check', { body: Given }, (request) => {
    const { act, proof, source, need } = request.body;
    return presence.check(personOf(request.params.id), act, proof, source, need);
  });
  const sendFile = async (reply: FastifyReply, sent: SentFile) => {
    const { bytes, stream } = await blobs.open(sent.file.hash);
    reply.headers({
      [FILE_HEADER]: Buffer.from(JSON.stringify(sent)).toString('base64url'),
      'content-length': bytes,
    });
    return reply.type('application/octet-stream').send(stream);
  };
  route('GET /internal/people/:id/uploads/:uploadId', {}, async (request, reply) => {
    const { id, uploadId } = request.params;
    const file = await uploadOf(database.reader, id, uploadId, clock.now());
    if (file === undefined) throw noSuchFile();
    return sendFile(reply, { file, version: 0 });
  });
  route('GET /internal/people/:id/fields/:fieldId/file', {}, async (request, reply) => {
    const { id, fieldId } = request.params;
    const field = await fieldOf(database.reader, id, fieldId);
    const file = storedFile(field?.value ?? null);
    // A sealed one opens with the person's key alone.
    if (field === undefined || file === undefined || file.form === 'sealed') throw noSuchFile();
    return sendFile(reply, { file, version: field.version });
  });
  route(
    'POST /internal/people/:id/presence/options',
    { body: Type.Object({ act: PresenceAct }) },
    (request) => presence.options(personOf(request.params.id), request.body.act),
  );
}

const personOf = (personId: string) => ({ kind: 'person', personId }) as const;
