import { Id } from '@symbolon/protocol';
import { Type } from 'typebox';
import { PlatformError } from '../../../core/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { App } from '../../../http/app.ts';
import type { Blobs } from '../../operations/blobs/blobs.ts';
import { regionOf } from '../directory/directory-routes.ts';
import type { Arrivals } from './arrivals.ts';
import { moveById, namesBlob } from './store.ts';

const config = { access: ['peer'], alwaysJson: true } as const;
const byId = Type.Object({ id: Id });
const Name = Type.String({ maxLength: 100 });
const Count = Type.Integer({ minimum: 0 });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** A stretch of rows, some of them as long as a wrapper may be, as JSON in JSON. */
const STAGE_BYTES = 128 * 1024 * 1024;
/** A company with very many webhooks names each of them. */
const MANIFEST_BYTES = 16 * 1024 * 1024;

const AnnouncementBody = Type.Object({
  company_id: Id,
  from: Name,
  attempt: Count,
  tables: Type.Record(Type.String(), Type.String()),
  types: Type.Array(Type.String({ maxLength: 200 })),
  keys: Type.Array(Count),
});
const ChunkBody = Type.Object({
  table: Name,
  chunk: Count,
  rows: Count,
  sha256: Sha256,
  content: Type.String(),
});
const ManifestBody = Type.Object({
  attempt: Count,
  card_version: Count,
  tables: Type.Record(Type.String(), Type.Object({ rows: Count, sha256: Sha256, chunks: Count })),
  parked: Type.Record(Type.String(), Count),
});

/** Between two regions, about a company that moves: what the source asks of the destination, and the blobs it gives. */
export function movePeerRoutes(
  app: App,
  { arrivals, database, blobs }: { arrivals: Arrivals; database: Database; blobs: Blobs },
): void {
  app.post(
    '/internal/moves/:id/prepare',
    { config, schema: { hide: true, params: byId, body: AnnouncementBody }, bodyLimit: MANIFEST_BYTES },
    async (request) => {
      if (regionOf(request) !== request.body.from) throw new PlatformError('auth.forbidden');
      return arrivals.prepare(request.params.id, request.body);
    },
  );
  app.post(
    '/internal/moves/:id/stage',
    { config, schema: { hide: true, params: byId, body: ChunkBody }, bodyLimit: STAGE_BYTES },
    async ({ params, body }) => arrivals.stage(params.id, body),
  );
  app.post(
    '/internal/moves/:id/blobs',
    {
      config,
      schema: { hide: true, params: byId, body: Type.Object({ hashes: Type.Array(Sha256) }) },
    },
    async ({ params, body }) => arrivals.fetchBlobs(params.id, body.hashes),
  );
  app.post(
    '/internal/moves/:id/activate',
    { config, schema: { hide: true, params: byId, body: ManifestBody }, bodyLimit: MANIFEST_BYTES },
    async ({ params, body }) => arrivals.activate(params.id, body),
  );
  app.post(
    '/internal/moves/:id/retract',
    { config, schema: { hide: true, params: byId, body: Type.Object({ attempt: Count }) } },
    async ({ params, body }) => arrivals.retract(params.id, body.attempt),
  );
  app.post(
    '/internal/moves/:id/undo',
    { config, schema: { hide: true, params: byId, body: Type.Object({ company_id: Id, from: Name }) } },
    async ({ params, body }) => arrivals.undo(params.id, body),
  );
  app.post(
    '/internal/moves/:id/finish',
    { config, schema: { hide: true, params: byId } },
    async ({ params }) => arrivals.finish(params.id),
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
