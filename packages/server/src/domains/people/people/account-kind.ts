import { checkKeyMaterial } from '../../../access/key-material.ts';
import type { AccountRef } from '../../../access/user-handle.ts';
import { PlatformError } from '../../../core/errors.ts';
import { updateBy } from '../../../db/by-key.ts';
import type { AccountKind, Credentials } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import { claimEmail, dropSideDoors, personByEmail, personById } from './store.ts';
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
    paths: { secondFactor: '/api/person/totp', passkeys: '/api/person/passkeys', email: '/api/person/email' },
    // Codes are mailed to the address.
    strongActs: new Set([
      'POST /api/person/passkeys/options',
      'POST /api/person/totp/enrol',
      'POST /api/person/email',
    ]),
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
    nameOwner: (ref) => ({ kind: 'person', id: idOf(ref) }),
    needsFactor: async () => false,
    async setEmail(writer, ref, email) {
      await claimEmail(writer, database.engine, email);
      if ((await personByEmail(writer, email)) !== undefined) throw new PlatformError('account.email_taken');
      await updateBy(writer, 'persons', { id: idOf(ref) }, { email });
    },
    dropSideDoors: (writer, ref) => dropSideDoors(writer, idOf(ref)),
    async record() {},
  };
}

function idOf(ref: AccountRef): string {
  if (ref.kind !== 'person') throw new Error('This is no person.');
  return ref.personId;
}
