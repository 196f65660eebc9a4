import { limits } from '@symbolon/protocol';
import { type Core, type Domain, expirySweep } from '../../domain.ts';
import type { Services } from '../../services/index.ts';
import { RecentEvents } from './recent-events.ts';
import { recentEventRoutes } from './routes.ts';

const KEPT_MS = limits.recentEventsHours * 3_600_000;

/** The latest events of a service, for people who look. */
export function createRecentEvents(core: Core, { services }: { services: Services }): Domain {
  const recentEvents = new RecentEvents({ ...core, services });
  return {
    routes: (app) => recentEventRoutes(app, { recentEvents }),
    sweeps: [
      expirySweep(core, 'recent events', 'event_watches', {
        table: 'recent_events',
        column: 'at',
        keptMs: KEPT_MS,
      }),
    ],
  };
}
