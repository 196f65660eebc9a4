import type { Reader, Writer } from '../../../db/database.ts';
import type { RecoveryCopyRow } from './tables.ts';

/** The company's own keys: the public halves, and the wrapped recovery key. */
export async function keysOf(reader: Reader, companyId: string) {
  return reader
    .selectFrom('companies')
    .select([
      'account_public_key',
      'account_public_key_sha256',
      'recovery_public_key',
      'recovery_private_key',
    ])
    .where('id', '=', companyId)
    .executeTakeFirst();
}

export async function replaceRecoveryPrivateKey(
  writer: Writer,
  companyId: string,
  wrapped: string,
): Promise<void> {
  await writer
    .updateTable('companies')
    .set({ recovery_private_key: wrapped })
    .where('id', '=', companyId)
    .execute();
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
