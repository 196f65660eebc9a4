import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Outbox } from '../../../events/outbox.ts';
import type { Replication } from '../../../events/replication.ts';
import { type CodeMailLimits, MailedCodes } from '../../accounts/index.ts';
import { type Core, type Domain, expirySweep } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { FieldFollowers } from '../ports.ts';
import { FieldFiles } from './field-files.ts';
import { Fields } from './fields.ts';
import { identityCheckRoutes } from './identity-check-routes.ts';
import { IdentityChecks } from './identity-checks.ts';
import { fieldRoutes } from './routes.ts';
import { fieldTables } from './tables.ts';
import { Uploads } from './uploads.ts';
import { Verification } from './verification.ts';

/** A person's fields, and verifying their values; files that wait for the act that names them. */
export function createFields(
  core: Core,
  needs: {
    registry: FieldTypeRegistry;
    followers: FieldFollowers;
    replication: Replication;
    outbox: Outbox;
    blobs: Blobs;
    codeMailLimits: CodeMailLimits;
  },
) {
  const deps = { ...core, ...needs };
  const codes = new MailedCodes(deps, 'verification_codes', (key) => `verification code ${key.field_id}`);
  const fields = new Fields({ ...deps, codes });
  const uploads = new Uploads(deps);
  const files = new FieldFiles({ ...deps, fields, uploads });
  const verification = new Verification({ ...deps, codes, fields });
  const checks = new IdentityChecks({ ...deps, fields });
  const domain: Domain = {
    tables: fieldTables,
    routes(app) {
      fieldRoutes(app, { fields, files, verification, headerName: core.config.headerName });
      identityCheckRoutes(app, checks);
    },
    sweeps: [
      expirySweep(core, 'verification codes', 'verification_codes'),
      expirySweep(core, 'identity checks', 'identity_checks'),
      expirySweep(core, 'file uploads', 'file_uploads'),
    ],
  };
  return { fields, uploads, domain };
}
