import type { Reader, Writer } from '../../../db/database.ts';
import type { RecoveryCopyRow } from './tables.ts';

export async function recoveryKeyOf(reader: Reader, companyId: string) {
  return reader
    .selectFrom('companies')
    .select(['recovery_public_key', 'recovery_private_key'])
    .where('id', '=', companyId)
    .executeTakeFirst();
}

export async function publicKeysOf(reader: Reader, companyId: string) {
  return reader
    .selectFrom('companies')
    .select(['account_public_key', 'account_public_key_sha256', 'recovery_public_key'])
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

export async function deleteCopiesOfClient(
  writer: Writer,
  companyId: string,
  clientId: string,
): Promise<void> {
  await writer
    .deleteFrom('recovery_copies')
    .where('company_id', '=', companyId)
    .where('client_id', '=', clientId)
    .execute();
}

export async function deleteCopiesOfService(
  writer: Writer,
  companyId: string,
  serviceId: string,
): Promise<void> {
  await writer
    .deleteFrom('recovery_copies')
    .where('company_id', '=', companyId)
    .where('service_id', '=', serviceId)
    .execute();
}
