import type { ResponseTracker } from '../../../http/response-tracker.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Changes } from '../change-feed/index.ts';
import { CustomerChanges } from './customer-changes.ts';
import { customerChangeRoutes } from './routes.ts';

export function createAccountFeed(
  _core: Core,
  needs: { changes: Changes; responses: ResponseTracker },
): Domain {
  const customerChanges = new CustomerChanges(needs);
  return { routes: (app) => customerChangeRoutes(app, { ...needs, customerChanges }) };
}
