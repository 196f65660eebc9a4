import { clientIdPrefix } from '@symbolon/protocol';
import { sql } from 'kysely';
import type { Reader, Writer } from '../../../db/database.ts';
import type { ClientUseRow } from './tables.ts';

export function usesOf(reader: Reader, companyId: string): Promise<ClientUseRow[]> {
  return reader
    .selectFrom('client_uses')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('client_id')
    .execute();
}

export async function insertUnused(
  writer: Writer,
  client: Omit<ClientUseRow, 'last_used_at'>,
): Promise<void> {
  await writer
    .insertInto('client_uses')
    .values({ ...client, last_used_at: null })
    .execute();
}

/** Nothing is kept of a client that was deleted meanwhile. */
export async function putUse(writer: Writer, clientId: string, at: number): Promise<void> {
  const clients = clientId.startsWith(clientIdPrefix.app) ? 'oauth_apps' : 'clients';
  await writer
    .insertInto('client_uses')
    .columns(['client_id', 'company_id', 'last_used_at'])
    .expression((eb) =>
      eb
        .selectFrom(clients)
        .select(['client_id', 'company_id', sql<number>`cast(${at} as bigint)`.as('last_used_at')])
        .where('client_id', '=', clientId),
    )
    .onConflict((conflict) =>
      conflict.column('client_id').doUpdateSet((eb) => ({ last_used_at: eb.ref('excluded.last_used_at') })),
    )
    .execute();
}

export async function deleteUse(writer: Writer, clientId: string): Promise<void> {
  await writer.deleteFrom('client_uses').where('client_id', '=', clientId).execute();
}
