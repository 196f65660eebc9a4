import type { SignInThrottle } from '../../../access/rate-limits.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Replication, UniqueNames } from '../ports.ts';
import { People } from './people.ts';
import { peopleRoutes } from './routes.ts';
import { peopleTables } from './tables.ts';

export type { PersonRow } from './tables.ts';

export function createPeople(
  core: Core,
  needs: { throttle: SignInThrottle; names: UniqueNames; replication: Replication },
) {
  const people = new People({ ...core, ...needs });
  const domain: Domain = { tables: peopleTables, routes: (app) => peopleRoutes(app, { people }) };
  return { people, domain };
}
