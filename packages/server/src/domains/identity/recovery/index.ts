import type { Core, Domain } from '../../domain.ts';
import { RecoveryCopies } from './recovery.ts';
import { recoveryRoutes } from './routes.ts';
import { recoveryTables } from './tables.ts';

export { checkWrappedRecoveryKey, type RecoveryCopies } from './recovery.ts';

export function createRecovery(core: Core) {
  const recovery = new RecoveryCopies(core);
  const domain: Domain = { tables: recoveryTables, routes: (app) => recoveryRoutes(app, { recovery }) };
  return { recovery, domain };
}
