import { Id } from '@symbolon/protocol';
import { Type } from 'typebox';
import { PlatformError } from '../../../core/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { App } from '../../../http/app.ts';
import { internalRoutesOf } from '../../../http/routes.ts';
import type { Blobs } from '../../operations/index.ts';
import { regionOf } from '../directory/directory-routes.ts';
import { namesBlob } from './company-store.ts';
import type { MoveTarget } from './move-target.ts';
import { moveById } from './store.ts';

const Name = Type.String({ maxLength: 100 });
const Count = Type.Integer({ minimum: 0 });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** More than there are tables. */
const CHUNKS_MOST = 500;
/** What travels together has 1 MiB and may end with a row as long as a wrapper may be, and is JSON in JSON. */
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
const ChunksBody = Type.Object({
  attempt: Count,
  chunks: Type.Array(Type.Object({ table: Name, chunk: Count, content: Type.String() }), {
    maxItems: CHUNKS_MOST,
  }),
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
  const route = internalRoutesOf(app);

  route(
    'POST /internal/moves/:id/prepare',
    { body: AnnouncementBody, bodyLimit: MANIFEST_BYTES },
    async (request) => {
      if (regionOf(request) !== request.body.from) throw new PlatformError('auth.forbidden');
      return target.prepare(request.params.id, request.body);
    },
  );
  route('POST /internal/moves/:id/stage', { body: ChunksBody, bodyLimit: STAGE_BYTES }, ({ params, body }) =>
    target.stage(params.id, body),
  );
  route(
    'POST /internal/moves/:id/blobs',
    { body: Type.Object({ hashes: Type.Array(Sha256) }) },
    ({ params, body }) => target.fetchBlobs(params.id, body.hashes),
  );
  route(
    'POST /internal/moves/:id/activate',
    { body: ManifestBody, bodyLimit: MANIFEST_BYTES },
    ({ params, body }) => target.activate(params.id, body),
  );
  route(
    'POST /internal/moves/:id/start-attempt',
    { body: Type.Object({ attempt: Count }) },
    ({ params, body }) => target.startAttempt(params.id, body.attempt),
  );
  route(
    'POST /internal/moves/:id/undo',
    { body: Type.Object({ company_id: Id, from: Name }) },
    ({ params, body }) => target.undo(params.id, body),
  );
  route('POST /internal/moves/:id/finish', {}, ({ params }) => target.finish(params.id));

  route('GET /internal/moves/:id', {}, async ({ params }) => ({
    state: (await moveById(database.reader, params.id))?.state ?? 'none',
  }));
  route('GET /internal/moves/:id/blobs/:hash', { params: { hash: Sha256 } }, async (request, reply) => {
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
  });
}
