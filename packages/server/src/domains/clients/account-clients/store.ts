import { updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { exists } from '../../../db/rows.ts';
import type { AccountClientRow } from './tables.ts';

export function purposeTaken(reader: Reader, companyId: string, purpose: string): Promise<boolean> {
  return exists(
    reader
      .selectFrom('account_clients')
      .select('client_id')
      .where('company_id', '=', companyId)
      .where('purpose', '=', purpose),
  );
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
  await updateBy(writer, 'account_clients', { company_id: companyId, client_id: clientId }, { capabilities });
}
