import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { UniqueNames } from '../../access/unique-names.ts';
import type { Database } from '../../db/database.ts';
import type { Outbox } from '../../events/outbox.ts';
import type { PersonSignals } from '../../events/person-signals.ts';
import type { Replication } from '../../events/replication.ts';
import type {
  AccountPresence,
  CodeMailLimits,
  Credentials,
  EmailChange,
  MailedTickets,
  Notices,
  PersonHistory,
  PersonSessions,
} from '../accounts/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Blobs } from '../operations/index.ts';
import type { Endings } from '../participation.ts';
import { createFields } from './fields/index.ts';
import { personKind } from './people/account-kind.ts';
import { createPeople as createPersons } from './people/index.ts';
import type { PersonRow } from './people/tables.ts';
import { DeletionWorker } from './person-deletion/deletion-worker.ts';
import { PersonDeletion } from './person-deletion/person-deletion.ts';
import { personDeletionRoutes } from './person-deletion/routes.ts';
import { personDeletionTables } from './person-deletion/tables.ts';
import type { FieldFollowers } from './ports.ts';

export { parseSealed } from '../../core/sealed-value.ts';
export { readAttestation, slotAttestation, stands } from './fields/attestations.ts';
export {
  deleteField,
  fieldOf,
  fieldsById,
  fieldsOf,
  filesOfFields,
  type NamedField,
} from './fields/store.ts';
export type { PersonFieldRow } from './fields/tables.ts';
export { dropUploads, takeUploads, uploadOf } from './fields/upload-store.ts';
export type { Uploads } from './fields/uploads.ts';
export { type GivenName, nameIsVerified } from './fields/verified-name.ts';
export { personHome } from './people/store.ts';
export type { PersonRow } from './people/tables.ts';
export type { PersonDeletion } from './person-deletion/person-deletion.ts';
export type { FieldFollowers } from './ports.ts';

/** People with their fields. */
export function createPeople(
  core: Core,
  needs: {
    blobs: Blobs;
    registry: FieldTypeRegistry;
    outbox: Outbox;
    names: UniqueNames;
    replication: Replication;
    followers: FieldFollowers;
    personSignals: PersonSignals;
    personCredentials: Credentials<PersonRow>;
    personPresence: AccountPresence<PersonRow>;
    personSessions: PersonSessions;
    personHistory: PersonHistory;
    personEmail: EmailChange<PersonRow>;
    tickets: MailedTickets;
    notices: Notices;
    codeMailLimits: CodeMailLimits;
    pausedDatabase: Database;
    /** What other domains end with a person. */
    endings: Endings;
  },
) {
  const people = createPersons(core, needs);
  const personDeletion = new PersonDeletion({ ...core, ...needs });
  const deletionWorker = new DeletionWorker({ ...core, ...needs, database: needs.pausedDatabase });
  const fields = createFields(core, needs);
  return {
    ...people,
    personDeletion,
    deletionWorker,
    ...fields,
    fills: { personKind: personKind(core, needs.personCredentials) },
    domain: combine(
      people.domain,
      {
        tables: personDeletionTables,
        routes: (app) => personDeletionRoutes(app, { ...core, personDeletion }),
        workers: [deletionWorker],
      },
      fields.domain,
    ),
  };
}
