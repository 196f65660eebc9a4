import type { CompanyLevel } from '@symbolon/protocol';
import { rowBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { CompanyRow } from '../../companies/index.ts';
import type { ClientRow } from './tables.ts';

/** What the token route needs of a client. */
export const credentialsById = prepared<
  [clientId: string],
  Pick<ClientRow, 'secret_hash' | 'epoch' | 'service_id'> & Pick<CompanyRow, 'level'>
>((db, [clientId]) =>
  db
    .selectFrom('clients')
    .innerJoin('companies', 'companies.id', 'clients.company_id')
    .select(['clients.secret_hash', 'clients.epoch', 'clients.service_id', 'companies.level'])
    .where('clients.client_id', '=', clientId),
);

/** Who a client is: every request of a machine reads it. */
export const identityById = prepared<
  [clientId: string],
  Pick<ClientRow, 'company_id' | 'service_id' | 'epoch' | 'endpoints'> & Pick<CompanyRow, 'level'>
>((db, [clientId]) =>
  db
    .selectFrom('clients')
    .innerJoin('companies', 'companies.id', 'clients.company_id')
    .select([
      'clients.company_id',
      'clients.service_id',
      'clients.epoch',
      'clients.endpoints',
      'companies.level',
    ])
    .where('clients.client_id', '=', clientId),
);

export async function levelOf(reader: Reader | Writer, companyId: string): Promise<CompanyLevel | undefined> {
  return (await rowBy(reader, 'companies', { id: companyId }, ['level']))?.level;
}

export async function dataClientOf(
  reader: Reader | Writer,
  serviceId: string,
): Promise<ClientRow | undefined> {
  return rowBy(reader, 'clients', { service_id: serviceId });
}

export async function insertClient(writer: Writer, row: ClientRow): Promise<void> {
  await writer.insertInto('clients').values(row).execute();
}

/** Replaces the hash of a secret, unless the secret was replaced since it was read. */
export async function replaceHash(
  writer: Writer,
  clientId: string,
  hash: { before: string; after: string },
): Promise<void> {
  await writer
    .updateTable('clients')
    .set({ secret_hash: hash.after })
    .where('client_id', '=', clientId)
    .where('secret_hash', '=', hash.before)
    .execute();
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

export async function replaceEndpoints(writer: Writer, clientId: string, endpoints: string): Promise<void> {
  await writer.updateTable('clients').set({ endpoints }).where('client_id', '=', clientId).execute();
}

export async function deleteClient(writer: Writer, clientId: string): Promise<void> {
  await writer.deleteFrom('clients').where('client_id', '=', clientId).execute();
}
