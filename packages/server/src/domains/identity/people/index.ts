import type { SignInThrottle } from '../../../access/rate-limits.ts';
import type { Core, Domain } from '../../domain.ts';
import { Credentials, Registration } from '../credentials/index.ts';
import type { MailedTickets, Notices } from '../mailed-codes/index.ts';
import type { Replication, UniqueNames } from '../ports.ts';
import { People } from './people.ts';
import { peopleRoutes } from './routes.ts';
import { personByEmail } from './store.ts';
import { peopleTables } from './tables.ts';

export type { PersonRow } from './tables.ts';

export function createPeople(
  core: Core,
  needs: {
    throttle: SignInThrottle;
    names: UniqueNames;
    replication: Replication;
    tickets: MailedTickets;
    notices: Notices;
  },
) {
  const credentials = new Credentials({ ...core, ...needs }, 'person', personByEmail);
  const registration = new Registration(
    {
      ...needs,
      isTaken: (email) => credentials.isTaken(email),
      withoutCode: core.config.dangerouslyRegisterWithoutCode,
    },
    'person',
  );
  const people = new People({ ...core, ...needs, credentials, registration });
  const domain: Domain = { tables: peopleTables, routes: (app) => peopleRoutes(app, { people }) };
  return { people, domain };
}
