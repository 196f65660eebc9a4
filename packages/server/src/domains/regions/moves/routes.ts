import {
  AdminMove,
  AdminRegionList,
  Id,
  LastRegionMigration,
  limits,
  MigrateRegionRequest,
  MoveRequest,
  Page,
  PageQuery,
  RegionMigration,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { actorOf, companyOf, loginOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { CompanyMoves } from './moves.ts';

const byId = Type.Object({ id: Id });

/** For owners only; no machine token may move a company (wire 5.5). */
export function regionMigrationRoutes(app: App, { moves }: { moves: CompanyMoves }): void {
  const config = { access: ['portal'], role: 'owner' } as const;
  const tags = ['profile'];
  const url = '/api/profile/migrate-region';

  app.post(
    url,
    {
      config,
      schema: {
        tags,
        summary: 'Move the company to another region',
        description:
          'While its rows are copied, calls that write answer 503 db.writes_paused. After that calls here answer 421 with the new base.',
        body: MigrateRegionRequest,
        response: { 202: RegionMigration },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await moves.migrate(loginOf(request), request.body, actorOf(request))),
  );

  app.get(
    url,
    {
      config,
      schema: {
        tags,
        summary: 'The current or last move of the company; null when it never moved',
        response: { 200: LastRegionMigration },
      },
    },
    async (request) => moves.ofCompany(companyOf(request)),
  );
}

/** For operators. */
export function moveRoutes(app: App, { moves }: { moves: CompanyMoves }): void {
  const config = { access: ['operator'] } as const;
  const tags = ['operator'];

  app.get(
    '/api/admin/regions',
    { config, schema: { tags, summary: 'The regions', response: { 200: AdminRegionList } } },
    async () => moves.regions(),
  );

  app.post(
    '/api/admin/companies/:id/moves',
    {
      config,
      schema: {
        tags,
        summary: 'Move a company to another region',
        description: 'It is frozen while its rows are copied, and then works in the other region.',
        params: byId,
        body: MoveRequest,
        response: { 202: AdminMove },
      },
    },
    async ({ params, body, ip }, reply) =>
      reply.code(202).send(await moves.start(params.id, body.region, ip)),
  );

  app.get(
    '/api/admin/moves',
    {
      config,
      schema: {
        tags,
        summary: 'Moves of companies away from this region, newest first',
        querystring: PageQuery,
        response: { 200: Page(AdminMove) },
      },
    },
    async ({ query }) => moves.list({ limit: query.limit ?? limits.pageDefault, offset: query.offset ?? 0 }),
  );

  app.get(
    '/api/admin/moves/:id',
    { config, schema: { tags, summary: 'Read a move', params: byId, response: { 200: AdminMove } } },
    async ({ params }) => moves.get(params.id),
  );

  app.post(
    '/api/admin/moves/:id/undo',
    {
      config,
      schema: {
        tags,
        summary: 'Undo a move',
        description: 'Possible until the other region is asked to be the home of the company.',
        params: byId,
        response: { 200: AdminMove },
      },
    },
    async ({ params, ip }) => moves.undo(params.id, ip),
  );
}
