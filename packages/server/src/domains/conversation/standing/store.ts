import { putBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { Flag, Tables } from '../../../db/tables.ts';
import type { MessagingSuspensionRow } from './tables.ts';

export interface StandingRow extends Pick<Tables['companies'], 'level' | 'region'> {
  readonly messages: Flag | null;
  readonly broadcasts: Flag | null;
}

const standing = prepared<[companyId: string], StandingRow>((db, [companyId]) =>
  db
    .selectFrom('companies')
    .leftJoin('messaging_suspensions as suspended', 'suspended.company_id', 'companies.id')
    .select(['companies.level', 'companies.region', 'suspended.messages', 'suspended.broadcasts'])
    .where('companies.id', '=', companyId),
);

export async function standingOf(reader: Reader, companyId: string): Promise<StandingRow | undefined> {
  return (await standing(reader, companyId))[0];
}

export async function putSuspension(writer: Writer, row: MessagingSuspensionRow): Promise<void> {
  await putBy(writer, 'messaging_suspensions', ['company_id'], row);
}
