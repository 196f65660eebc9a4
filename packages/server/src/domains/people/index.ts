import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Database } from '../../db/database.ts';
import type { Outbox } from '../../events/outbox.ts';
import type {
  AccountPresence,
  CodeMailLimits,
  Credentials,
  MailedTickets,
  Notices,
  PersonSessions,
  PersonSignals,
  UniqueNames,
} from '../accounts/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Blobs } from '../operations/index.ts';
import type { Endings } from '../participation.ts';
import { createFields } from './fields/index.ts';
import { createPeople as createPersons, type PersonRow, personKind } from './people/index.ts';
import { createPersonDeletion } from './person-deletion/index.ts';
import type { FieldFollowers, Replication } from './ports.ts';

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
export { type PersonRow, personHome } from './people/index.ts';
export type { PersonDeletion } from './person-deletion/index.ts';
export { type FieldFollowers, noReplication, type Replication, type SlotElsewhere } from './ports.ts';

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
    tickets: MailedTickets;
    notices: Notices;
    codeMailLimits: CodeMailLimits;
    pausedDatabase: Database;
    /** What other domains end with a person. */
    endings: Endings;
  },
) {
  const people = createPersons(core, needs);
  const personDeletion = createPersonDeletion(core, needs);
  const fields = createFields(core, needs);
  return {
    ...people,
    ...personDeletion,
    ...fields,
    fills: { personKind: personKind(core, needs.personCredentials) },
    domain: combine(people.domain, personDeletion.domain, fields.domain),
  };
}
