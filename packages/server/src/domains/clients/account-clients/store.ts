import type { Reader, Writer } from '../../../db/database.ts';
import { count, exists } from '../../../db/rows.ts';
import type { AccountClientRow } from './tables.ts';

/** Oldest first. */
export async function accountClientsOf(reader: Reader, companyId: string): Promise<AccountClientRow[]> {
  return reader
    .selectFrom('account_clients')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('created_at')
    .orderBy('client_id')
    .execute();
}

export async function accountClientOf(
  reader: Reader,
  companyId: string,
  clientId: string,
): Promise<AccountClientRow | undefined> {
  return reader
    .selectFrom('account_clients')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

export function purposeTaken(reader: Reader, companyId: string, purpose: string): Promise<boolean> {
  return exists(
    reader
      .selectFrom('account_clients')
      .select('client_id')
      .where('company_id', '=', companyId)
      .where('purpose', '=', purpose),
  );
}

export function countAccountClients(reader: Reader, companyId: string): Promise<number> {
  return count(reader.selectFrom('account_clients').where('company_id', '=', companyId));
}

export async function insertAccountClient(writer: Writer, row: AccountClientRow): Promise<void> {
  await writer.insertInto('account_clients').values(row).execute();
}

export async function updateCapabilities(
  writer: Writer,
  companyId: string,
  clientId: string,
  capabilities: string,
): Promise<void> {
  await writer
    .updateTable('account_clients')
    .set({ capabilities })
    .where('company_id', '=', companyId)
    .where('client_id', '=', clientId)
    .execute();
}

export async function deleteAccountClient(
  writer: Writer,
  companyId: string,
  clientId: string,
): Promise<void> {
  await writer
    .deleteFrom('account_clients')
    .where('company_id', '=', companyId)
    .where('client_id', '=', clientId)
    .execute();
}
