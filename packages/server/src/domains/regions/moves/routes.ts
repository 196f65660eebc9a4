import {
  AdminMove,
  AdminRegionList,
  LastRegionMigration,
  MigrateRegionRequest,
  MoveRequest,
  Page,
  PageQuery,
  RegionMigration,
} from '@symbolon/protocol';
import { actorOf, companyOf, loginOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { pageOf } from '../../../http/page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { CompanyMoves } from './moves.ts';

/** What an owner does (wire 5.5): no machine ever may. */
export function regionMigrationRoutes(app: App, { moves }: { moves: CompanyMoves }): void {
  const route = routesOf(app, { tags: ['profile'], access: ['portal'], role: 'owner' });

  route(
    'POST /api/profile/migrate-region',
    {
      summary: 'Move the company to another region',
      description:
        'The company works on meanwhile; for moments at the end calls that write answer 503 db.writes_paused. After that calls here answer 421 with the new base.',
      body: MigrateRegionRequest,
      accepted: RegionMigration,
    },
    (request) => moves.migrate(loginOf(request), request.body, actorOf(request)),
  );

  route(
    'GET /api/profile/migrate-region',
    { summary: 'The present or last move of the company; null: it never moved', ok: LastRegionMigration },
    (request) => moves.ofCompany(companyOf(request)),
  );
}

/** What an operator does. */
export function moveRoutes(app: App, { moves }: { moves: CompanyMoves }): void {
  const route = routesOf(app, { tags: ['operator'], access: ['operator'] });

  route('GET /api/admin/regions', { summary: 'The regions', ok: AdminRegionList }, () => moves.regions());

  route(
    'POST /api/admin/companies/:id/moves',
    {
      summary: 'Move a company to another region',
      description: 'It is copied while it works, held still for moments, and switched over.',
      body: MoveRequest,
      accepted: AdminMove,
    },
    ({ params, body, ip }) => moves.start(params.id, body.region, ip),
  );

  route(
    'GET /api/admin/moves',
    {
      summary: 'Moves of companies away from this region, the newest first',
      query: PageQuery,
      ok: Page(AdminMove),
    },
    ({ query }) => moves.list(pageOf(query)),
  );

  route('GET /api/admin/moves/:id', { summary: 'Read a move', ok: AdminMove }, ({ params }) =>
    moves.get(params.id),
  );

  route(
    'POST /api/admin/moves/:id/undo',
    {
      summary: 'Undo a move',
      description: 'Possible until the other region is asked to be the home of the company.',
      ok: AdminMove,
    },
    ({ params, ip }) => moves.undo(params.id, ip),
  );
}
