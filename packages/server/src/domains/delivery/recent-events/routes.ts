import { limits, RecentEvents, RecentEventsQuery } from '@symbolon/protocol';
import { namedService } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { newestPageOf } from '../../../http/page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { RecentEvents as Rules } from './recent-events.ts';

export function recentEventRoutes(app: App, { recentEvents }: { recentEvents: Rules }): void {
  routesOf(app, { tags: ['services'], access: ['portal', 'account_client'] })(
    'GET /api/services/:id/events',
    {
      errors: ['services.not_found'],
      summary: 'Watch the events of a service, newest first',
      description: `What the change feed and the webhooks are told, without any value and whether or not it was drained. The first call begins the watch and finds what was raised in an earlier one: events are noted for ${limits.recentEventsWatchMinutes} minutes after the last call. The latest ${limits.recentEventsMost} are kept, for ${limits.recentEventsHours} hours.`,
      query: RecentEventsQuery,
      ok: RecentEvents,
    },
    (request) => recentEvents.page(namedService(request), newestPageOf(request.query)),
  );
}
