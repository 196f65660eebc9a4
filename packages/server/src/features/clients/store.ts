import type { Reader, Writer } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { ClientRow } from '../../db/tables.ts';

/** What the token route needs of a client. */
export const credentialsById = prepared<[clientId: string], Pick<ClientRow, 'secret_hash' | 'epoch'>>(
  (db, [clientId]) =>
    db.selectFrom('clients').select(['secret_hash', 'epoch']).where('client_id', '=', clientId),
);

/** Who a client is: every request of a machine reads it. */
export const identityById = prepared<
  [clientId: string],
  Pick<ClientRow, 'company_id' | 'service_id' | 'epoch' | 'endpoints'>
>((db, [clientId]) =>
  db
    .selectFrom('clients')
    .select(['company_id', 'service_id', 'epoch', 'endpoints'])
    .where('client_id', '=', clientId),
);

export async function dataClientOf(
  reader: Reader | Writer,
  serviceId: string,
): Promise<ClientRow | undefined> {
  return reader.selectFrom('clients').selectAll().where('service_id', '=', serviceId).executeTakeFirst();
}

export async function insertClient(writer: Writer, row: ClientRow): Promise<void> {
  await writer.insertInto('clients').values(row).execute();
}

export async function replaceSecret(
  writer: Writer,
  clientId: string,
  secret: { hash: string; at: number },
): Promise<void> {
  await writer
    .updateTable('clients')
    .set((eb) => ({ secret_hash: secret.hash, secret_created_at: secret.at, epoch: eb('epoch', '+', 1) }))
    .where('client_id', '=', clientId)
    .execute();
}

export async function deleteClient(writer: Writer, clientId: string): Promise<void> {
  await writer.deleteFrom('clients').where('client_id', '=', clientId).execute();
}
