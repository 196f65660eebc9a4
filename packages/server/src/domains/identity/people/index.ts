import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { People } from './people.ts';
import { peopleRoutes } from './routes.ts';
import { peopleTables } from './tables.ts';

export type { PersonRow } from './tables.ts';

export function createPeople(core: Core, needs: NeedsOf<typeof People>) {
  const people = new People({ ...core, ...needs });
  const domain: Domain = { tables: peopleTables, routes: (app) => peopleRoutes(app, { people }) };
  return { people, domain };
}
