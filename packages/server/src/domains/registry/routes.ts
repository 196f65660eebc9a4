import { FieldTypeRow } from '@symbolon/protocol';
import { Type } from 'typebox';
import type { App } from '../../http/app.ts';
import type { Catalogue } from './registry.ts';

const access = ['data_client', 'account_client', 'portal', 'person'] as const;
const tags = ['registry'];

export function registryRoutes(app: App, { catalogue }: { catalogue: Catalogue }): void {
  app.get(
    '/api/contact-field-types',
    {
      config: { access, limit: 'fields', alwaysJson: true, federated: { by: 'nothing' } },
      schema: {
        tags,
        summary: 'The field-type registry: raw rows',
        response: { 200: Type.Array(FieldTypeRow), 304: Type.Null() },
      },
    },
    async (request, reply) => {
      // Asked for with a token, but the same for all: a client may keep it, and asks whether it still stands.
      reply.headers({ etag: catalogue.etag, 'cache-control': 'private, no-cache' });
      if (catalogue.isKnown(request.headers['if-none-match'])) return reply.code(304).send(null);
      return reply.send([...catalogue.rows]);
    },
  );
}
