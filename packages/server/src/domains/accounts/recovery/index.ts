import type { Core, Domain } from '../../domain.ts';
import { RecoveryCopies } from './recovery.ts';
import { RecoveryKey } from './recovery-key.ts';
import { recoveryRoutes } from './routes.ts';
import { recoveryTables } from './tables.ts';

export type { RecoveryCopies } from './recovery.ts';
export { checkRecoveryKey, type RecoveryKey } from './recovery-key.ts';

export function createRecovery(core: Core) {
  const recoveryKey = new RecoveryKey(core);
  const recovery = new RecoveryCopies({ ...core, recoveryKey });
  const domain: Domain = {
    tables: recoveryTables,
    routes: (app) => recoveryRoutes(app, { recovery, recoveryKey }),
  };
  return { recovery, recoveryKey, domain };
}
