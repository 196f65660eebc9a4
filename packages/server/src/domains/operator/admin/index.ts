import type { Core, Domain } from '../../domain.ts';
import type { Replication, UniqueNames } from '../../identity/ports.ts';
import type { CustomShareCodes } from '../../identity/share-codes/share-codes.ts';
import type { Audit } from '../../operations/journal/audit.ts';
import type { OperatorActs } from '../../operations/journal/operator-acts.ts';
import type { Maintenance } from '../../operations/maintenance/maintenance.ts';
import type { FieldTypes } from '../../registry/field-types.ts';
import { Administration } from './administration.ts';
import { Backups } from './backups.ts';
import { KeyRotation } from './key-rotation.ts';
import { adminRoutes, noAdminRoutes } from './routes.ts';

export function createAdmin(
  core: Core,
  needs: {
    acts: OperatorActs;
    audit: Audit;
    maintenance: Maintenance;
    fieldTypes: FieldTypes;
    customShareCodes: CustomShareCodes;
    names: UniqueNames;
    replication: Replication;
    purge: () => Promise<number>;
  },
) {
  const keyRotation = new KeyRotation({ ...core, ...needs, keys: core.secrets.keys });
  keyRotation.check();
  const administration = new Administration({ ...core, ...needs });
  const backups = new Backups({ ...core, blobs: core.blobStore });
  const domain: Domain = {
    routes(app) {
      if (core.config.operatorToken === undefined) noAdminRoutes(app);
      else adminRoutes(app, { ...core, ...needs, administration, keyRotation, backups });
    },
  };
  return { keyRotation, domain };
}
