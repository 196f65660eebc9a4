import type { Database } from '../../../db/database.ts';
import type { UniqueNames } from '../../accounts/index.ts';
import type { Core, Domain, NeedsOf } from '../../domain.ts';
import type { Endings } from '../../participation.ts';
import { DeletionWorker } from './deletion-worker.ts';
import { PersonDeletion } from './person-deletion.ts';
import { personDeletionRoutes } from './routes.ts';
import { personDeletionTables } from './tables.ts';

export type { PersonDeletion } from './person-deletion.ts';

/** People delete their accounts. */
export function createPersonDeletion(
  core: Core,
  needs: NeedsOf<typeof PersonDeletion> & {
    names: UniqueNames;
    endings: Endings;
    pausedDatabase: Database;
  },
) {
  const personDeletion = new PersonDeletion({ ...core, ...needs });
  const deletionWorker = new DeletionWorker({ ...core, ...needs, database: needs.pausedDatabase });
  const domain: Domain = {
    tables: personDeletionTables,
    routes: (app) => personDeletionRoutes(app, { ...core, personDeletion }),
    workers: [deletionWorker],
  };
  return { personDeletion, deletionWorker, domain };
}
