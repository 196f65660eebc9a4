import type { Writer } from '../../../db/database.ts';
import type { OAuthAppRow } from './tables.ts';

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
