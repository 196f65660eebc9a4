import { checkKeyMaterial } from '../../../access/key-material.ts';
import type { AccountRef } from '../../../access/user-handle.ts';
import type { AccountKind, Credentials } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import { dropSideDoors, personByEmail, personById } from './store.ts';
import type { PersonRow } from './tables.ts';

/** People, as they prove to be present. */
export function personKind(
  { database }: Pick<Core, 'database'>,
  credentials: Credentials<PersonRow>,
): AccountKind<PersonRow> {
  return {
    kind: 'person',
    tables: {
      accounts: 'persons',
      passkeys: 'person_passkeys',
      recoveryCodes: 'person_recovery_codes',
      mailedCodes: 'person_codes',
      tickets: 'person_sign_in_tickets',
    },
    paths: { secondFactor: '/api/person/totp', passkeys: '/api/person/passkeys' },
    strongActs: new Set(['POST /api/person/passkeys/options', 'POST /api/person/totp/enrol']),
    refOf: (row) => ({ kind: 'person', personId: row.id }),
    key: (ref) => ({ id: idOf(ref) }),
    owner: (ref) => ({ person_id: idOf(ref) }),
    ownerIn: ({ person_id: personId = '' }) => ({ kind: 'person', personId }),
    lock: (ref) => ({ table: 'persons', id: idOf(ref) }),
    byEmail: personByEmail,
    async find(reader, ref) {
      const row = await personById(reader, idOf(ref));
      return row?.region === null && row.deleted_at === null ? row : undefined;
    },
    async homeElsewhere(ref) {
      return (await personById(database.reader, idOf(ref)))?.region ?? undefined;
    },
    async prove(row, loginSecret, source) {
      await checkKeyMaterial({ secrets: [loginSecret] });
      return credentials.prove(row.email, loginSecret, source, async () => row);
    },
    dropSideDoors: (writer, ref) => dropSideDoors(writer, idOf(ref)),
    async record() {},
  };
}

function idOf(ref: AccountRef): string {
  if (ref.kind !== 'person') throw new Error('This is no person.');
  return ref.personId;
}
