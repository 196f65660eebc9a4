import type { ResponseTracker } from '../../../http/response-tracker.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Changes } from '../change-feed/index.ts';
import { customerChangeRoutes } from './routes.ts';

/** The account feed: what a company hears of as a customer. It drains like the feed of a service. */
export function createAccountFeed(
  _core: Core,
  needs: { changes: Changes; responses: ResponseTracker },
): Domain {
  return { routes: (app) => customerChangeRoutes(app, needs) };
}
