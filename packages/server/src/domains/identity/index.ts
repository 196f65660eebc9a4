import type { FieldTypeRegistry } from '@symbolon/field-types';
import { SignInThrottle } from '../../access/rate-limits.ts';
import type { Outbox } from '../../events/outbox.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit } from '../operations/journal/audit.ts';
import type { Maintenance } from '../operations/maintenance/maintenance.ts';
import { createDelegates } from './delegates/index.ts';
import { CodeMailLimits } from './fields/code-mail-limits.ts';
import { createFields } from './fields/index.ts';
import { createPeople } from './people/index.ts';
import { createPortal } from './portal/index.ts';
import type { CompanyPart, FieldFollowers, Replication, UniqueNames } from './ports.ts';
import { createRecovery } from './recovery/index.ts';
import { createShareCodes } from './share-codes/index.ts';

/** People with their fields; companies with the logins of their portal. */
export function createIdentity(
  core: Core,
  needs: {
    audit: Audit;
    maintenance: Maintenance;
    registry: FieldTypeRegistry;
    outbox: Outbox;
    names: UniqueNames;
    replication: Replication;
    followers: FieldFollowers;
    /** What other domains delete with a company. */
    parts: readonly CompanyPart[];
  },
) {
  const shareCodes = createShareCodes(core);
  const recovery = createRecovery(core);
  const own = {
    ...needs,
    ...recovery,
    throttle: new SignInThrottle(core.limitStore),
    codeMailLimits: new CodeMailLimits(core.limitStore),
  };
  const people = createPeople(core, own);
  const fields = createFields(core, own);
  const portal = createPortal(core, own);
  const delegates = createDelegates(core, { ...own, ...portal });
  return {
    ...shareCodes,
    ...recovery,
    ...people,
    ...fields,
    ...portal,
    domain: combine(
      portal.domain,
      delegates,
      people.domain,
      fields.domain,
      shareCodes.domain,
      recovery.domain,
    ),
  };
}
