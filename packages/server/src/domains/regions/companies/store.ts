import { deleteBy, rowBy } from '../../../db/by-key.ts';
import { type Engine, lock, type Reader, type Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { CompanyRow } from '../../companies/index.ts';
import type { ConnectionRow } from '../../sharing/index.ts';

/** The columns of a company that are the same in every region. */
const REPLICATED = [
  'id',
  'name',
  'code',
  'account_public_key',
  'account_public_key_sha256',
  'level',
  'created_at',
  'region',
  'card_version',
] as const;

export type ReplicaRow = Pick<CompanyRow, (typeof REPLICATED)[number]>;

/** Raises the version of a company of this region. */
export async function raiseVersion(writer: Writer, companyId: string): Promise<void> {
  await writer
    .updateTable('companies')
    .set((eb) => ({ card_version: eb('card_version', '+', 1) }))
    .where('id', '=', companyId)
    .where('region', 'is', null)
    .execute();
}

const atHome = (reader: Reader) =>
  reader.selectFrom('companies').select(REPLICATED).where('region', 'is', null);

/** A company of this region; undefined for any other. */
export async function homeCompany(reader: Reader, companyId: string): Promise<ReplicaRow | undefined> {
  return atHome(reader).where('id', '=', companyId).executeTakeFirst();
}

/** The companies of this region that follow an id. */
export async function homeCompanies(reader: Reader, after: string, limit: number): Promise<ReplicaRow[]> {
  return atHome(reader).where('id', '>', after).orderBy('id').limit(limit).execute();
}

/** The home region of the company with a share code; null for this region. */
export const homeByCode = prepared<[code: string], Pick<CompanyRow, 'region'>>((db, [code]) =>
  db.selectFrom('companies').select('region').where('code', '=', code),
);

export async function versionOf(
  reader: Reader,
  companyId: string,
): Promise<Pick<CompanyRow, 'region' | 'card_version'> | undefined> {
  return rowBy(reader, 'companies', { id: companyId }, ['region', 'card_version']);
}

export async function insertReplica(writer: Writer, row: CompanyRow): Promise<void> {
  await writer.insertInto('companies').values(row).execute();
  await writer
    .insertInto('share_codes')
    .values({ code: row.code, kind: 'company', subject_id: row.id })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .execute();
}

/** Replaces an older replica. */
export async function updateReplica(writer: Writer, row: CompanyRow): Promise<void> {
  await writer
    .updateTable('companies')
    .set(row)
    .where('id', '=', row.id)
    .where('region', 'is not', null)
    .where('card_version', '<', row.card_version)
    .execute();
}

/** Deletes a replica; never a company of this region. */
export async function deleteReplica(writer: Writer, companyId: string): Promise<void> {
  const result = await writer
    .deleteFrom('companies')
    .where('id', '=', companyId)
    .where('region', 'is not', null)
    .executeTakeFirst();
  if (result.numDeletedRows === 0n) return;
  await deleteBy(writer, 'share_codes', { subject_id: companyId });
}

/** The connections of a customer company, oldest first; locks the company and the services. */
export async function lockedConnectionsOf(
  engine: Engine,
  writer: Writer,
  companyId: string,
): Promise<ConnectionRow[]> {
  await lock(engine, writer, 'companies', [companyId]);
  const seen = await connectionsOf(writer, companyId);
  if (engine === 'sqlite' || seen.length === 0) return seen;
  await lock(engine, writer, 'services', [...new Set(seen.map((row) => row.service_id))]);
  return connectionsOf(writer, companyId);
}

/** None of a company that is moving to or from this region, nor of a deleted service: the move, or a job, owns the rows. */
async function connectionsOf(reader: Reader, companyId: string): Promise<ConnectionRow[]> {
  return reader
    .selectFrom('connections')
    .innerJoin('services', 'services.id', 'connections.service_id')
    .innerJoin('companies', 'companies.id', 'connections.company_id')
    .selectAll('connections')
    .where('connections.customer_id', '=', companyId)
    .where('companies.region', 'is', null)
    .orderBy('connections.id')
    .execute();
}
