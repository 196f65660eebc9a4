import type { Reader, Writer } from '../../../db/database.ts';
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

export async function purposeTaken(reader: Reader, companyId: string, purpose: string): Promise<boolean> {
  const row = await reader
    .selectFrom('account_clients')
    .select('client_id')
    .where('company_id', '=', companyId)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countAccountClients(reader: Reader, companyId: string): Promise<number> {
  const row = await reader
    .selectFrom('account_clients')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow();
  return Number(row.total);
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
