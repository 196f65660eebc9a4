import type { UniqueNames } from '../../../access/unique-names.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Replication } from '../../../events/replication.ts';
import type {
  AccountPresence,
  EmailChange,
  MailedTickets,
  Notices,
  PersonHistory,
  PersonSessions,
} from '../../accounts/index.ts';
import { type Credentials, Registration } from '../../accounts/index.ts';
import type { Core, Domain } from '../../domain.ts';
import { OwnAccount } from './own-account.ts';
import { ownAccountRoutes } from './own-account-routes.ts';
import { personPasskeyRoutes } from './passkey-routes.ts';
import { People } from './people.ts';
import { readsRoute } from './reads-route.ts';
import { peopleRoutes } from './routes.ts';
import { personSessionRoutes } from './session-routes.ts';
import { type PersonRow, peopleTables } from './tables.ts';

export function createPeople(
  core: Core,
  needs: {
    personCredentials: Credentials<PersonRow>;
    personPresence: AccountPresence<PersonRow>;
    personSessions: PersonSessions;
    personHistory: PersonHistory;
    personEmail: EmailChange<PersonRow>;
    names: UniqueNames;
    replication: Replication;
    personSignals: PersonSignals;
    tickets: MailedTickets;
    notices: Notices;
  },
) {
  const { personCredentials: credentials } = needs;
  const registration = new Registration(
    {
      ...needs,
      isTaken: (email) => credentials.isTaken(email),
      withoutCode: core.config.dangerouslyRegisterWithoutCode,
    },
    'person',
  );
  const people = new People({ ...core, ...needs, credentials, registration });
  const ownAccount = new OwnAccount({ ...core, ...needs, credentials });
  const domain: Domain = {
    tables: peopleTables,
    routes(app) {
      peopleRoutes(app, { people, cookies: core.cookies });
      ownAccountRoutes(app, { people, ownAccount });
      personSessionRoutes(app, { ...core, ...needs, people });
      personPasskeyRoutes(app, { ...core, ...needs, people });
      readsRoute(app, core);
    },
  };
  return { people, domain };
}
