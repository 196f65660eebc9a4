import type { FieldTypeRegistry } from '@symbolon/field-types';
import { SignInThrottle } from '../../access/rate-limits.ts';
import type { HomesElsewhere } from '../../access/routing.ts';
import type { Database } from '../../db/database.ts';
import type { Outbox } from '../../events/outbox.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Blobs, Maintenance } from '../operations/index.ts';
import type { Endings } from '../participation.ts';
import { Credentials } from './credentials/index.ts';
import { createDelegates } from './delegates/index.ts';
import { createFields } from './fields/index.ts';
import { createMailedCodes } from './mailed-codes/index.ts';
import { createPeople, personByEmail, personKind } from './people/index.ts';
import { createPersonDeletion } from './person-deletion/index.ts';
import { createPersonSessions } from './person-sessions/index.ts';
import { createPins } from './pins/index.ts';
import { createPortal, loginByEmail, loginKind } from './portal/index.ts';
import type { FieldFollowers, PersonSignals, PresenceElsewhere, Replication, UniqueNames } from './ports.ts';
import { createPresence } from './presence/index.ts';
import { createRecovery } from './recovery/index.ts';
import { createShareCodes } from './share-codes/index.ts';

export {
  deleteField,
  dropUploads,
  fieldOf,
  fieldsById,
  fieldsOf,
  filesOfFields,
  type GivenName,
  type NamedField,
  nameIsVerified,
  type PersonFieldRow,
  parseSealed,
  readAttestation,
  slotAttestation,
  stands,
  takeUploads,
  type Uploads,
  uploadOf,
} from './fields/index.ts';
export type { Notices } from './mailed-codes/index.ts';
export { type PersonRow, personHome } from './people/index.ts';
export type { PersonDeletion } from './person-deletion/index.ts';
export {
  type ActProofs,
  type CompanyRow,
  companyById,
  companyHome,
  companyHomes,
  type PortalPrincipal,
  type Reauthentication,
  renameCompany,
  type Sessions,
} from './portal/index.ts';
export {
  type FieldFollowers,
  type GivenProof,
  localNames,
  type NameOwner,
  noPresenceElsewhere,
  noReplication,
  type PersonSignal,
  type PersonSignals,
  type PresenceElsewhere,
  type Replication,
  type SlotElsewhere,
  type UniqueName,
  type UniqueNames,
} from './ports.ts';
export {
  type AccountRef,
  accountOfHandle,
  NO_SECOND_FACTOR,
  type Presence,
  type PresenceNeed,
} from './presence/index.ts';
export type { RecoveryCopies } from './recovery/index.ts';
export { CustomShareCodes, type ShareCodeRow } from './share-codes/index.ts';

/** People with their fields; companies with the logins of their portal. */
export function createIdentity(
  core: Core,
  needs: {
    audit: Audit;
    blobs: Blobs;
    maintenance: Maintenance;
    registry: FieldTypeRegistry;
    outbox: Outbox;
    names: UniqueNames;
    replication: Replication;
    presenceElsewhere: PresenceElsewhere;
    homesElsewhere: HomesElsewhere;
    followers: FieldFollowers;
    personSignals: PersonSignals;
    pausedDatabase: Database;
    /** What other domains end with a session, a person or a company. */
    endings: Endings;
  },
) {
  const shareCodes = createShareCodes(core);
  const recovery = createRecovery(core);
  const mailedCodes = createMailedCodes(core);
  const throttle = new SignInThrottle(core.limitStore);
  const personCredentials = new Credentials({ ...core, ...needs, throttle }, 'person', personByEmail);
  const portalCredentials = new Credentials({ ...core, ...needs, throttle }, 'portal', loginByEmail);
  const personSessions = createPersonSessions(core, needs);
  const presence = createPresence(
    core,
    { ...needs, ...mailedCodes, throttle },
    {
      person: personKind(core, personCredentials),
      portal: loginKind(portalCredentials, needs.audit, needs.homesElsewhere),
    },
  );
  const own = {
    ...needs,
    ...recovery,
    ...mailedCodes,
    ...presence,
    ...personSessions,
    personCredentials,
    portalCredentials,
    throttle,
  };
  const people = createPeople(core, own);
  const personDeletion = createPersonDeletion(core, own);
  const fields = createFields(core, own);
  const portal = createPortal(core, own);
  const delegates = createDelegates(core, { ...own, ...portal });
  return {
    notices: mailedCodes.notices,
    ...shareCodes,
    ...recovery,
    ...presence,
    ...personSessions,
    ...people,
    ...personDeletion,
    ...fields,
    ...portal,
    portalCredentials,
    domain: combine(
      portal.domain,
      delegates,
      people.domain,
      personDeletion.domain,
      fields.domain,
      shareCodes.domain,
      recovery.domain,
      mailedCodes.domain,
      presence.domain,
      personSessions.domain,
      createPins(core),
    ),
  };
}
