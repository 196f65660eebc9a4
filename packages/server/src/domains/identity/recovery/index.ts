import type { Core, Domain } from '../../domain.ts';
import { RecoveryCopies } from './recovery.ts';
import { recoveryRoutes } from './routes.ts';

export function createRecovery(core: Core) {
  const recovery = new RecoveryCopies(core);
  const domain: Domain = { routes: (app) => recoveryRoutes(app, { recovery }) };
  return { recovery, ...domain };
}
