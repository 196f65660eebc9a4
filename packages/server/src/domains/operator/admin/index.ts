import type { UniqueNames } from '../../../access/unique-names.ts';
import type { Replication } from '../../../events/replication.ts';
import type { CustomShareCodes } from '../../accounts/index.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Maintenance, OperatorActs } from '../../operations/index.ts';
import type { FieldTypes } from '../../registry/index.ts';
import { Administration } from './administration.ts';
import { Backups } from './backups.ts';
import { KeyRotation } from './key-rotation.ts';
import { adminRoutes, noAdminRoutes } from './routes.ts';

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
  const administration = new Administration({ ...core, ...needs });
  const backups = new Backups({ ...core, blobs: core.blobStore });
  const domain: Domain = {
    prepare: () => keyRotation.start(),
    routes(app) {
      if (core.config.operatorToken === undefined) noAdminRoutes(app);
      else adminRoutes(app, { ...core, ...needs, administration, keyRotation, backups });
    },
  };
  return { keyRotation, domain };
}
