import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core, Domain } from '../../domain.ts';
import type { FieldFollowers, Replication } from '../ports.ts';
import type { CodeMailLimits } from './code-mail-limits.ts';
import { Fields } from './fields.ts';
import { fieldRoutes } from './routes.ts';
import { fieldTables } from './tables.ts';
import { Verification } from './verification.ts';

export { slotAttestation, stands } from './attestations.ts';
export { CodeMailLimits } from './code-mail-limits.ts';
export { deleteField, fieldOf, fieldsOf, ownFields } from './own-fields.ts';
export { parseSealed } from './sealed-value.ts';
export type { PersonFieldRow } from './tables.ts';

/** A person's fields, and verifying their values. */
export function createFields(
  core: Core,
  needs: {
    registry: FieldTypeRegistry;
    followers: FieldFollowers;
    replication: Replication;
    outbox: Outbox;
    codeMailLimits: CodeMailLimits;
  },
) {
  const fields = new Fields({ ...core, ...needs });
  const verification = new Verification({ ...core, ...needs, fields });
  const domain: Domain = {
    tables: fieldTables,
    routes: (app) => fieldRoutes(app, { fields, verification }),
    sweeps: [{ name: 'verification codes', run: () => verification.dropExpiredCodes() }],
  };
  return { fields, domain };
}
