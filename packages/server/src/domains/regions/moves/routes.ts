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
import { proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Moves } from './moves.ts';

/** For owners only; no machine token may move a company (wire 5.5). */
export function regionMigrationRoutes(app: App, { moves }: { moves: Moves }): void {
  const route = routesOf(app, { tags: ['profile'], access: ['portal'], role: 'owner' });

  route(
    'POST /api/profile/migrate-region',
    {
      errors: [...proofErrors],
      summary: 'Move the company to another region',
      description:
        'While its rows are copied, calls that write answer 503 db.writes_paused. After that calls here answer 421 with the new base.',
      body: MigrateRegionRequest,
      accepted: RegionMigration,
    },
    (request) => moves.migrate(loginOf(request), request.body, actorOf(request)),
  );

  route(
    'GET /api/profile/migrate-region',
    { summary: 'The current or last move of the company; null when it never moved', ok: LastRegionMigration },
    (request) => moves.ofCompany(companyOf(request)),
  );
}

/** For operators. */
export function moveRoutes(app: App, { moves }: { moves: Moves }): void {
  const route = routesOf(app, { tags: ['operator'], access: ['operator'] });

  route('GET /api/admin/regions', { summary: 'The regions', ok: AdminRegionList }, () => moves.regions());

  route(
    'POST /api/admin/companies/:id/moves',
    {
      errors: [
        'account.deletion_pending',
        'admin.company_not_found',
        'moves.region_unknown',
        'moves.same_region',
        'moves.under_way',
      ],
      summary: 'Move a company to another region',
      description: 'It is frozen while its rows are copied, and then works in the other region.',
      body: MoveRequest,
      accepted: AdminMove,
    },
    ({ params, body, ip }) => moves.start(params.id, body.region, ip),
  );

  route(
    'GET /api/admin/moves',
    {
      summary: 'Moves of companies away from this region, newest first',
      query: PageQuery,
      ok: Page(AdminMove),
    },
    ({ query }) => moves.list(pageOf(query)),
  );

  route(
    'GET /api/admin/moves/:id',
    { errors: ['moves.not_found'], summary: 'Read a move', ok: AdminMove },
    ({ params }) => moves.get(params.id),
  );

  route(
    'POST /api/admin/moves/:id/undo',
    {
      errors: ['moves.not_found', 'moves.past_undo'],
      summary: 'Undo a move',
      description: 'Possible until the other region is asked to be the home of the company.',
      ok: AdminMove,
    },
    ({ params, ip }) => moves.undo(params.id, ip),
  );
}
