import type { UniqueNames } from '../../../access/unique-names.ts';
import type { Replication } from '../../../events/replication.ts';
import type { CustomShareCodes } from '../../accounts/index.ts';
import { type Core, combine, type Domain } from '../../domain.ts';
import type { Maintenance, OperatorActs } from '../../operations/index.ts';
import type { FieldTypes } from '../../registry/index.ts';
import { createProcesses } from '../processes/index.ts';
import { Administration } from './administration.ts';
import { createBackups } from './backup-domain.ts';
import { showQueues } from './gauges.ts';
import { KeyRotation } from './key-rotation.ts';
import { adminRoutes, noAdminRoutes } from './routes.ts';
import { Watch } from './watch.ts';
import { watchRoutes } from './watch-routes.ts';

export function createAdmin(
  core: Core,
  needs: {
    acts: OperatorActs;
    maintenance: Maintenance;
    fieldTypes: FieldTypes;
    customShareCodes: CustomShareCodes;
    names: UniqueNames;
    replication: Replication;
    purge: () => Promise<number>;
  },
) {
  const keyRotation = new KeyRotation({ ...core, ...needs, keys: core.secrets.keys });
  const { processes, domain: seen } = createProcesses(core, needs);
  const administration = new Administration({ ...core, ...needs, processes });
  const { backups, backupStates, domain: schedule } = createBackups(core);
  const watch = new Watch(core);
  showQueues(core);
  const domain: Domain = {
    prepare: () => keyRotation.start(),
    routes(app) {
      if (core.config.operatorToken === undefined) return noAdminRoutes(app);
      adminRoutes(app, { ...core, ...needs, administration, keyRotation, backups });
      watchRoutes(app, { ...core, ...needs, watch, backupStates });
    },
  };
  return { keyRotation, processes, domain: combine(domain, seen, schedule) };
}
