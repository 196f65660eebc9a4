import type { PresenceElsewhere } from '../../../access/presence.ts';
import type { UniqueNames } from '../../../access/unique-names.ts';
import { type Core, type Domain, expirySweep } from '../../domain.ts';
import type { Notices } from '../mailed-codes/notices.ts';
import type { AccountKind, AccountRow } from './account.ts';
import { AccountPresence, type PresenceDeps } from './account-presence.ts';
import { EmailChange } from './email-change.ts';
import { Nonces } from './nonces.ts';
import { Passkeys } from './passkeys.ts';
import { Presence } from './presence.ts';
import { presenceRoutes } from './routes.ts';
import { SecondFactor } from './second-factor.ts';
import { presenceTables } from './tables.ts';

/** How accounts prove that their owners are present, people's and the portal's alike. */
export function createPresence<Person extends AccountRow, Login extends AccountRow>(
  core: Core,
  needs: Omit<PresenceDeps, keyof Core | 'nonces'> & {
    readonly presenceElsewhere: PresenceElsewhere;
    readonly notices: Notices;
    readonly names: UniqueNames;
    readonly isTaken: Readonly<Record<'person' | 'portal', (email: string) => Promise<boolean>>>;
  },
  kinds: { readonly person: AccountKind<Person>; readonly portal: AccountKind<Login> },
) {
  const deps = { ...core, ...needs, nonces: new Nonces(core) };
  const people = new AccountPresence(deps, kinds.person);
  const logins = new AccountPresence(deps, kinds.portal);
  const personSecondFactor = new SecondFactor({ ...deps, presence: people }, kinds.person);
  const loginSecondFactor = new SecondFactor({ ...deps, presence: logins }, kinds.portal);
  const personPasskeys = new Passkeys({ ...deps, presence: people }, kinds.person);
  const loginPasskeys = new Passkeys({ ...deps, presence: logins }, kinds.portal);
  const personEmail = new EmailChange(
    { ...deps, presence: people, isTaken: needs.isTaken.person },
    kinds.person,
  );
  const loginEmail = new EmailChange(
    { ...deps, presence: logins, isTaken: needs.isTaken.portal },
    kinds.portal,
  );
  const presence = new Presence({
    ...core,
    people: people as unknown as AccountPresence<AccountRow>,
    logins: logins as unknown as AccountPresence<AccountRow>,
    elsewhere: needs.presenceElsewhere,
  });
  const domain: Domain = {
    tables: presenceTables,
    routes: (app) =>
      presenceRoutes(app, {
        presence,
        personSecondFactor,
        loginSecondFactor,
        personPasskeys,
        loginPasskeys,
      }),
    sweeps: [expirySweep(core, 'proofs of presence', 'used_nonces', 'person_codes')],
  };
  return { presence, personPresence: people, loginPresence: logins, personEmail, loginEmail, domain };
}
