import type { PresenceElsewhere } from '../../access/presence.ts';
import { SignInThrottle } from '../../access/rate-limits.ts';
import type { UniqueNames } from '../../access/unique-names.ts';
import type { PersonSignals } from '../../events/person-signals.ts';
import { type Core, combine, expirySweep } from '../domain.ts';
import type { Endings } from '../participation.ts';
import { Credentials, type StoredLogin } from './credentials/credentials.ts';
import { Drafts } from './drafts/drafts.ts';
import { draftRoutes } from './drafts/routes.ts';
import { draftTables } from './drafts/tables.ts';
import { createMailedCodes } from './mailed-codes/index.ts';
import { PersonHistory } from './person-history/person-history.ts';
import { personHistoryTables } from './person-history/tables.ts';
import { PersonSessions } from './person-sessions/person-sessions.ts';
import { personSessionTables } from './person-sessions/tables.ts';
import { Pins } from './pins/pins.ts';
import { pinRoutes } from './pins/routes.ts';
import { pinTables } from './pins/tables.ts';
import type { AccountKind, AccountRow } from './presence/account.ts';
import { createPresence } from './presence/index.ts';
import { CustomShareCodes } from './share-codes/share-codes.ts';
import { shareCodeTables } from './share-codes/tables.ts';

export { type Credentials, isReady } from './credentials/credentials.ts';
export { type AddressProof, Registration } from './credentials/registration.ts';
export { deleteLoginDrafts } from './drafts/store.ts';
export { type CodeMailLimits, MailLimits } from './mailed-codes/mail-limits.ts';
export { CODE_MINUTES, MailedCodes } from './mailed-codes/mailed-codes.ts';
export type { MailedTickets } from './mailed-codes/mailed-tickets.ts';
export type { Notices } from './mailed-codes/notices.ts';
export type { PersonHistory } from './person-history/person-history.ts';
export type { PersonSessions } from './person-sessions/person-sessions.ts';
export { deleteSessions } from './person-sessions/store.ts';
export { deleteLoginPins } from './pins/store.ts';
export { type AccountKind, NO_SECOND_FACTOR, type SecondFactorColumns } from './presence/account.ts';
export type { AccountPresence } from './presence/account-presence.ts';
export type { EmailChange } from './presence/email-change.ts';
export type { Presence } from './presence/presence.ts';
export { proofOf } from './presence/proof-of.ts';
export type { Transport } from './presence/sign-in-tickets.ts';
export { deleteTicket } from './presence/store.ts';
export { assignShareCode, CustomShareCodes } from './share-codes/share-codes.ts';

/** How people and companies' logins prove who they are. */
export function createAccounts<
  Person extends AccountRow & StoredLogin,
  Login extends AccountRow & StoredLogin,
>(
  core: Core,
  needs: {
    maintenance: { readonly workPaused: boolean };
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
  const mailedCodes = createMailedCodes(core);
  const throttle = new SignInThrottle(core.limitStore);
  const own = { ...needs, ...mailedCodes, throttle };
  const personSessions = new PersonSessions({ ...core, ...needs });
  const personHistory = new PersonHistory({ ...core, ...needs });
  const pins = new Pins(core);
  const personCredentials = new Credentials<Person>({ ...core, ...own }, 'person', (reader, email) =>
    personKind.byEmail(reader, email),
  );
  const portalCredentials = new Credentials<Login>({ ...core, ...own }, 'portal', (reader, email) =>
    loginKind.byEmail(reader, email),
  );
  const isTaken = {
    person: (email: string) => personCredentials.isTaken(email),
    portal: (email: string) => portalCredentials.isTaken(email),
  };
  const presence = createPresence(core, { ...own, isTaken }, { person: personKind, portal: loginKind });
  return {
    customShareCodes: new CustomShareCodes(core),
    ...mailedCodes,
    ...presence,
    personSessions,
    personHistory,
    throttle,
    personCredentials,
    portalCredentials,
    domain: combine(
      { tables: shareCodeTables },
      mailedCodes.domain,
      presence.domain,
      {
        tables: personSessionTables,
        sweeps: [{ name: "people's sessions", run: (stopping) => personSessions.dropExpired(stopping) }],
      },
      {
        tables: personHistoryTables,
        sweeps: [{ name: 'histories of people', run: (stopping) => personHistory.dropExpired(stopping) }],
      },
      { tables: pinTables, routes: (app) => pinRoutes(app, pins) },
      {
        tables: draftTables,
        routes: (app) => draftRoutes(app, new Drafts(core)),
        sweeps: [
          expirySweep(core, 'drafts of people', 'person_drafts'),
          expirySweep(core, 'drafts of logins', 'login_drafts'),
        ],
      },
    ),
  };
}
