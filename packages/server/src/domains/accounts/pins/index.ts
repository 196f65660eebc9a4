import type { Core, Domain } from '../../domain.ts';
import { Pins } from './pins.ts';
import { pinRoutes } from './routes.ts';
import { pinTables } from './tables.ts';

export { deleteLoginPins } from './store.ts';

export function createPins(core: Core): Domain {
  const pins = new Pins(core);
  return { tables: pinTables, routes: (app) => pinRoutes(app, pins) };
}
