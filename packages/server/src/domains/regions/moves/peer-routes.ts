import { Id } from '@symbolon/protocol';
import { Type } from 'typebox';
import { PlatformError } from '../../../core/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { App } from '../../../http/app.ts';
import type { Blobs } from '../../operations/blobs/blobs.ts';
import { regionOf } from '../directory/directory-routes.ts';
import { namesBlob } from './company-store.ts';
import type { MoveTarget } from './move-target.ts';
import { moveById } from './store.ts';

const config = { access: ['peer'], alwaysJson: true } as const;
const byId = Type.Object({ id: Id });
const Name = Type.String({ maxLength: 100 });
const Count = Type.Integer({ minimum: 0 });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** A chunk of 1 MiB may end with a row as long as a wrapper may be, and is JSON in JSON. */
const STAGE_BYTES = 128 * 1024 * 1024;
/** Names every table, and every webhook with parked events. */
const MANIFEST_BYTES = 16 * 1024 * 1024;

const AnnouncementBody = Type.Object({
  company_id: Id,
  from: Name,
  tables: Type.Record(Type.String(), Type.String()),
  types: Type.Array(Type.String({ maxLength: 200 })),
  keys: Type.Array(Count),
});
const ChunkBody = Type.Object({
  attempt: Count,
  table: Name,
  chunk: Count,
  content: Type.String(),
});
const ManifestBody = Type.Object({
  attempt: Count,
  card_version: Count,
  tables: Type.Record(Type.String(), Type.Object({ rows: Count, sha256: Sha256, chunks: Count })),
  parked: Type.Record(Type.String(), Count),
});

/** Routes between two regions for the move of a company: the source's requests, and the blobs for the destination. */
export function movePeerRoutes(
  app: App,
  { target, database, blobs }: { target: MoveTarget; database: Database; blobs: Blobs },
): void {
  app.post(
    '/internal/moves/:id/prepare',
    { config, schema: { hide: true, params: byId, body: AnnouncementBody }, bodyLimit: MANIFEST_BYTES },
    async (request) => {
      if (regionOf(request) !== request.body.from) throw new PlatformError('auth.forbidden');
      return target.prepare(request.params.id, request.body);
    },
  );
  app.post(
    '/internal/moves/:id/stage',
    { config, schema: { hide: true, params: byId, body: ChunkBody }, bodyLimit: STAGE_BYTES },
    async ({ params, body }) => target.stage(params.id, body),
  );
  app.post(
    '/internal/moves/:id/blobs',
    {
      config,
      schema: { hide: true, params: byId, body: Type.Object({ hashes: Type.Array(Sha256) }) },
    },
    async ({ params, body }) => target.fetchBlobs(params.id, body.hashes),
  );
  app.post(
    '/internal/moves/:id/activate',
    { config, schema: { hide: true, params: byId, body: ManifestBody }, bodyLimit: MANIFEST_BYTES },
    async ({ params, body }) => target.activate(params.id, body),
  );
  app.post(
    '/internal/moves/:id/start-attempt',
    { config, schema: { hide: true, params: byId, body: Type.Object({ attempt: Count }) } },
    async ({ params, body }) => target.startAttempt(params.id, body.attempt),
  );
  app.post(
    '/internal/moves/:id/undo',
    { config, schema: { hide: true, params: byId, body: Type.Object({ company_id: Id, from: Name }) } },
    async ({ params, body }) => target.undo(params.id, body),
  );
  app.post(
    '/internal/moves/:id/finish',
    { config, schema: { hide: true, params: byId } },
    async ({ params }) => target.finish(params.id),
  );

  app.get('/internal/moves/:id', { config, schema: { hide: true, params: byId } }, async ({ params }) => ({
    state: (await moveById(database.reader, params.id))?.state ?? 'none',
  }));
  app.get(
    '/internal/moves/:id/blobs/:hash',
    { config, schema: { hide: true, params: Type.Object({ id: Id, hash: Sha256 }) } },
    async (request, reply) => {
      const { id, hash } = request.params;
      const move = await moveById(database.reader, id);
      const isTheirs =
        move !== undefined &&
        move.finished_at === null &&
        move.to_region === regionOf(request) &&
        (await namesBlob(database.reader, move.company_id, hash));
      if (!isTheirs) throw new PlatformError('request.not_found');
      const bytes = await blobs.read(hash);
      return reply.type('application/octet-stream').send(bytes as never);
    },
  );
}
