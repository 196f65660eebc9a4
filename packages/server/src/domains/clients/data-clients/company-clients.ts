import type { Reader, Writer } from '../../../db/database.ts';
import { count } from '../../../db/rows.ts';
import type { Tables } from '../../../db/tables.ts';

/** The tables of clients that companies manage. */
type Table = 'account_clients' | 'oauth_apps';

/** Oldest first. */
export async function clientsOf<T extends Table>(
  reader: Reader,
  table: T,
  companyId: string,
): Promise<Tables[T][]> {
  const rows = reader.selectFrom<Table>(table).selectAll().where('company_id', '=', companyId);
  return (await rows.orderBy('created_at').orderBy('client_id').execute()) as Tables[T][];
}

export async function clientOf<T extends Table>(
  reader: Reader,
  table: T,
  { companyId, clientId }: { companyId: string; clientId: string },
): Promise<Tables[T] | undefined> {
  const rows = reader.selectFrom<Table>(table).selectAll().where('company_id', '=', companyId);
  return (await rows.where('client_id', '=', clientId).executeTakeFirst()) as Tables[T] | undefined;
}

export function countClients(reader: Reader, table: Table, companyId: string): Promise<number> {
  return count(reader.selectFrom<Table>(table).where('company_id', '=', companyId));
}

export async function deleteClientRow(
  writer: Writer,
  table: Table,
  { companyId, clientId }: { companyId: string; clientId: string },
): Promise<void> {
  const rows = writer.deleteFrom<Table>(table).where('company_id', '=', companyId);
  await rows.where('client_id', '=', clientId).execute();
}
