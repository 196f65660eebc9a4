import { deleteBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { isInserted, isUpdated } from '../../../db/rows.ts';
import { type Dependent, dependentsOf, type Table, type TableName } from '../../../db/table-registry.ts';
import { NO_SECOND_FACTOR } from '../../accounts/index.ts';
import type { PersonRow } from '../people/tables.ts';
import type { PersonDeletionRow } from './tables.ts';

/** What a deletion found when its proof was checked. */
interface Proven {
  readonly id: string;
  readonly epoch: number;
  readonly login_hash: string;
}

const NO_CREDENTIALS = {
  login_salt: '',
  login_hash: '',
  encrypted_private_key: '',
  recovery_hash: '',
  recovery_private_key: '',
  ...NO_SECOND_FACTOR,
};

/**
 * Ends a person of this region: address and credentials go, and the next epoch ends every token and session.
 * @returns false when the credentials have changed since they were proved
 */
export function endPerson(writer: Writer, person: Proven, now: number): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable('persons')
      // The column must be unique, so it takes the id.
      .set({ ...NO_CREDENTIALS, email: person.id, epoch: person.epoch + 1, deleted_at: now })
      .where('id', '=', person.id)
      .where('epoch', '=', person.epoch)
      .where('login_hash', '=', person.login_hash)
      .where('deleted_at', 'is', null),
  );
}

/** Puts the row of a person whose account was deleted and who is gone, for as long as something of them is to be deleted. */
export async function insertDeleted(
  writer: Writer,
  { id, share_code }: Pick<PersonRow, 'id' | 'share_code'>,
  now: number,
): Promise<void> {
  const ended = { email: id, epoch: 0, region: null, created_at: now, deleted_at: now };
  const blank = { display_name: '', public_key: '', public_key_sha256: '', login_version: 0 };
  await writer
    .insertInto('persons')
    .values({ id, share_code, ...ended, ...blank, ...NO_CREDENTIALS })
    .execute();
}

/** Ends the replica of a person of another region; false when it does not exist or has ended. */
export function endReplica(writer: Writer, personId: string, now: number): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable('persons')
      .set((eb) => ({ epoch: eb('epoch', '+', 1), deleted_at: now }))
      .where('id', '=', personId)
      .where('region', 'is not', null)
      .where('deleted_at', 'is', null),
  );
}

/** Deletes everything with which a person proves to be present, or that a device was given. */
export async function deleteFactors(writer: Writer, personId: string): Promise<void> {
  const tables = [
    'person_passkeys',
    'person_recovery_codes',
    'person_sign_in_tickets',
    'person_codes',
    'person_sessions',
  ] as const;
  for (const table of tables) await deleteBy(writer, table, { person_id: personId });
}

/** False when there is one. */
export function insertDeletion(writer: Writer, row: PersonDeletionRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('person_deletions')
      .values(row)
      .onConflict((conflict) => conflict.column('person_id').doNothing()),
  );
}

/** The deletions that a worker looks at now, those that wait longest first. */
export function dueDeletions(reader: Reader, now: number, most: number): Promise<PersonDeletionRow[]> {
  return reader
    .selectFrom('person_deletions')
    .selectAll()
    .where('run_at', '<=', now)
    .orderBy('run_at')
    .limit(most)
    .execute();
}

export async function putOff(writer: Writer, personId: string, runAt: number): Promise<void> {
  await updateBy(writer, 'person_deletions', { person_id: personId }, { run_at: runAt });
}

export async function forgetAddress(writer: Writer, personId: string): Promise<void> {
  await updateBy(writer, 'person_deletions', { person_id: personId }, { email: null });
}

/** Deletes what was still needed to tell companies who left. The share code stays: events name it. */
export async function forgetProfile(writer: Writer, personId: string): Promise<void> {
  await writer
    .updateTable('persons')
    .set({ display_name: '', public_key: '', public_key_sha256: '' })
    .where('id', '=', personId)
    .where('deleted_at', 'is not', null)
    .execute();
}

/** The last step. */
export async function deletePerson(writer: Writer, personId: string): Promise<void> {
  await writer.deleteFrom('persons').where('id', '=', personId).where('deleted_at', 'is not', null).execute();
  await writer.deleteFrom('person_deletions').where('person_id', '=', personId).execute();
}

/**
 * What stays. A share code is never given to anybody else. What services asked is read by them until it expires. The deletion
 * itself goes last.
 */
const KEPT: ReadonlySet<TableName> = new Set(['share_codes', 'two_factor_challenges', 'person_deletions']);

/** The tables that hold rows of a person. Those that others belong to are deleted after these. */
export function deletedTables(tables: readonly Table[]): readonly Dependent[] {
  return dependentsOf(tables, 'persons')
    .filter(({ table }) => !KEPT.has(table.name))
    .toReversed();
}
