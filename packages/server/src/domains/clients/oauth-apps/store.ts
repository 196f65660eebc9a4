import type { Reader, Writer } from '../../../db/database.ts';
import { count } from '../../../db/rows.ts';
import type { OAuthAppRow } from './tables.ts';

/** Oldest first. */
export async function appsOf(reader: Reader, companyId: string): Promise<OAuthAppRow[]> {
  return reader
    .selectFrom('oauth_apps')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('created_at')
    .orderBy('client_id')
    .execute();
}

export async function appOf(
  reader: Reader,
  companyId: string,
  clientId: string,
): Promise<OAuthAppRow | undefined> {
  return reader
    .selectFrom('oauth_apps')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

export function countApps(reader: Reader, companyId: string): Promise<number> {
  return count(reader.selectFrom('oauth_apps').where('company_id', '=', companyId));
}

export async function insertApp(writer: Writer, row: OAuthAppRow): Promise<void> {
  await writer.insertInto('oauth_apps').values(row).execute();
}

export async function updateApp(
  writer: Writer,
  companyId: string,
  clientId: string,
  changes: Partial<Omit<OAuthAppRow, 'company_id' | 'client_id'>>,
): Promise<void> {
  await writer
    .updateTable('oauth_apps')
    .set(changes)
    .where('company_id', '=', companyId)
    .where('client_id', '=', clientId)
    .execute();
}

export async function deleteApp(writer: Writer, companyId: string, clientId: string): Promise<void> {
  await writer
    .deleteFrom('oauth_apps')
    .where('company_id', '=', companyId)
    .where('client_id', '=', clientId)
    .execute();
}
