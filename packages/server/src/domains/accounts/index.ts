import { SignInThrottle } from '../../access/rate-limits.ts';
import { type Core, combine } from '../domain.ts';
import type { Maintenance } from '../operations/index.ts';
import type { Endings } from '../participation.ts';
import { Credentials, type StoredLogin } from './credentials/index.ts';
import { createMailedCodes } from './mailed-codes/index.ts';
import { createPersonSessions } from './person-sessions/index.ts';
import { createPins } from './pins/index.ts';
import type { PersonSignals, PresenceElsewhere, UniqueNames } from './ports.ts';
import { type AccountKind, type AccountRow, createPresence } from './presence/index.ts';
import { createRecovery } from './recovery/index.ts';
import { createShareCodes } from './share-codes/index.ts';

export {
  type AddressProof,
  type CredentialColumns,
  type Credentials,
  checkKeyMaterial,
  credentialColumns,
  isReady,
  keyMembers,
  type LoginKeyColumns,
  NOT_YOU,
  passwordChanged,
  passwordColumns,
  quoted,
  Registration,
  recovered,
  recoveryCodeReplaced,
  recoveryCodeUsed,
  recoveryColumns,
  wrappedKey,
} from './credentials/index.ts';
export {
  CODE_MINUTES,
  type CodeMailLimits,
  MailedCodes,
  type MailedTickets,
  MailLimits,
  type Notices,
} from './mailed-codes/index.ts';
export { deleteSessions, type OpenedSession, type PersonSessions } from './person-sessions/index.ts';
export { deleteLoginPins } from './pins/index.ts';
export {
  type GivenProof,
  localNames,
  type NameOwner,
  noPresenceElsewhere,
  type PersonSignal,
  type PersonSignals,
  type PresenceElsewhere,
  type UniqueName,
  type UniqueNames,
} from './ports.ts';
export {
  type AccountKind,
  type AccountPresence,
  type AccountRef,
  accountOfHandle,
  deleteTicket,
  NO_SECOND_FACTOR,
  type Presence,
  type PresenceNeed,
  proofOf,
  type SecondFactorColumns,
  type Transport,
} from './presence/index.ts';
export { checkRecoveryKey, type RecoveryCopies, type RecoveryKey } from './recovery/index.ts';
export { assignShareCode, CustomShareCodes, type ShareCodeRow } from './share-codes/index.ts';

/** How people and companies' logins prove who they are. */
export function createAccounts<
  Person extends AccountRow & StoredLogin,
  Login extends AccountRow & StoredLogin,
>(
  core: Core,
  needs: {
    maintenance: Maintenance;
    names: UniqueNames;
    presenceElsewhere: PresenceElsewhere;
    personSignals: PersonSignals;
    endings: Endings;
    /** What differs between the two kinds of accounts. */
    personKind: AccountKind<Person>;
    loginKind: AccountKind<Login>;
  },
) {
  const { personKind, loginKind } = needs;
  const shareCodes = createShareCodes(core);
  const recovery = createRecovery(core);
  const mailedCodes = createMailedCodes(core);
  const throttle = new SignInThrottle(core.limitStore);
  const own = { ...needs, ...mailedCodes, throttle };
  const personSessions = createPersonSessions(core, needs);
  const presence = createPresence(core, own, { person: personKind, portal: loginKind });
  return {
    ...shareCodes,
    ...recovery,
    ...mailedCodes,
    ...presence,
    ...personSessions,
    throttle,
    personCredentials: new Credentials<Person>({ ...core, ...own }, 'person', (reader, email) =>
      personKind.byEmail(reader, email),
    ),
    portalCredentials: new Credentials<Login>({ ...core, ...own }, 'portal', (reader, email) =>
      loginKind.byEmail(reader, email),
    ),
    domain: combine(
      shareCodes.domain,
      recovery.domain,
      mailedCodes.domain,
      presence.domain,
      personSessions.domain,
      createPins(core),
    ),
  };
}
