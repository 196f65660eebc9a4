import { deleteBy, putBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { RecoveryCopyRow, RecoveryKeyHolderRow } from './tables.ts';

/** The public halves of the company's own keys. */
export async function keysOf(reader: Reader, companyId: string) {
  return rowBy(reader, 'companies', { id: companyId }, [
    'account_public_key',
    'account_public_key_sha256',
    'recovery_public_key',
  ]);
}

export async function replaceRecoveryKey(
  writer: Writer,
  companyId: string,
  publicKey: string,
): Promise<void> {
  await updateBy(
    writer,
    'companies',
    { id: companyId },
    { recovery_public_key: publicKey, recovery_private_key: '' },
  );
}

/** The logins that have a copy of the recovery key. */
export async function holdersOf(reader: Reader, companyId: string): Promise<Set<string>> {
  const rows = await reader
    .selectFrom('recovery_key_holders')
    .select('login_id')
    .where('company_id', '=', companyId)
    .execute();
  return new Set(rows.map((row) => row.login_id));
}

/** A login's copy, JSON of a wrapper. */
export async function holderOf(
  reader: Reader,
  companyId: string,
  loginId: string,
): Promise<string | undefined> {
  const row = await rowBy(reader, 'recovery_key_holders', { company_id: companyId, login_id: loginId }, [
    'sealed',
  ]);
  return row?.sealed;
}

export async function putHolder(writer: Writer, row: RecoveryKeyHolderRow): Promise<void> {
  await putBy(writer, 'recovery_key_holders', ['company_id', 'login_id'], row);
}

/** Deletes the copy of one login, or of all. */
export async function deleteHolders(writer: Writer, companyId: string, loginId?: string): Promise<void> {
  let query = writer.deleteFrom('recovery_key_holders').where('company_id', '=', companyId);
  if (loginId !== undefined) query = query.where('login_id', '=', loginId);
  await query.execute();
}

export async function copiesOf(reader: Reader, companyId: string): Promise<RecoveryCopyRow[]> {
  return reader
    .selectFrom('recovery_copies')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
}

export async function insertCopy(writer: Writer, row: RecoveryCopyRow): Promise<void> {
  await writer.insertInto('recovery_copies').values(row).execute();
}

/** Deletes all that is sealed to the company's recovery key. */
export async function deleteAllCopies(writer: Writer, companyId: string): Promise<void> {
  await deleteBy(writer, 'recovery_copies', { company_id: companyId });
}

/** Deletes the copies for a client or a service. */
export async function deleteCopies(
  writer: Writer,
  companyId: string,
  column: 'client_id' | 'service_id',
  id: string,
): Promise<void> {
  await writer
    .deleteFrom('recovery_copies')
    .where('company_id', '=', companyId)
    .where(column, '=', id)
    .execute();
}
