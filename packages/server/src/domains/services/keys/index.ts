import type { Core, Domain } from '../../domain.ts';
import { Keys } from './keys.ts';
import { keyRoutes } from './routes.ts';

export function createKeys(core: Core): Domain {
  const keys = new Keys(core);
  return { routes: (app) => keyRoutes(app, { keys }) };
}
