import { type Engine, lock, type Reader, type Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { CompanyRow } from '../../identity/index.ts';
import type { ConnectionRow } from '../../sharing/index.ts';

/** What a card is made of. */
export type CardRow = Pick<
  CompanyRow,
  | 'id'
  | 'name'
  | 'code'
  | 'account_public_key'
  | 'account_public_key_sha256'
  | 'level'
  | 'created_at'
  | 'region'
  | 'card_version'
>;

const CARD = [
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

/** Raises the version of a card, in the caller's transaction; undefined when the company is not at home here. */
export async function nextCard(writer: Writer, companyId: string): Promise<CardRow | undefined> {
  await writer
    .updateTable('companies')
    .set((eb) => ({ card_version: eb('card_version', '+', 1) }))
    .where('id', '=', companyId)
    .where('region', 'is', null)
    .execute();
  return homeCard(writer, companyId);
}

/** What the others are told of a company; undefined when it is not at home here. */
export async function homeCard(reader: Reader, companyId: string): Promise<CardRow | undefined> {
  return reader
    .selectFrom('companies')
    .select(CARD)
    .where('id', '=', companyId)
    .where('region', 'is', null)
    .executeTakeFirst();
}

/** The companies at home here after an id, with what the others are told of them. */
export async function homeCardsAfter(reader: Reader, after: string, most: number): Promise<CardRow[]> {
  return reader
    .selectFrom('companies')
    .select(CARD)
    .where('id', '>', after)
    .where('region', 'is', null)
    .orderBy('id')
    .limit(most)
    .execute();
}

/** The home region of the company with a code; null: here. */
export const homeByCode = prepared<[code: string], Pick<CompanyRow, 'region'>>((db, [code]) =>
  db.selectFrom('companies').select('region').where('code', '=', code),
);

export async function cardVersionOf(
  reader: Reader,
  companyId: string,
): Promise<Pick<CompanyRow, 'region' | 'card_version'> | undefined> {
  return reader
    .selectFrom('companies')
    .select(['region', 'card_version'])
    .where('id', '=', companyId)
    .executeTakeFirst();
}

export async function insertCard(writer: Writer, row: CompanyRow): Promise<void> {
  await writer.insertInto('companies').values(row).execute();
  await writer
    .insertInto('share_codes')
    .values({ code: row.code, kind: 'company', subject_id: row.id })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .execute();
}

/** Replaces a card that is older. */
export async function updateCard(writer: Writer, card: CompanyRow): Promise<void> {
  await writer
    .updateTable('companies')
    .set(card)
    .where('id', '=', card.id)
    .where('region', 'is not', null)
    .where('card_version', '<', card.card_version)
    .execute();
}

/** Deletes a card; a company at home here is none. */
export async function deleteCard(writer: Writer, companyId: string): Promise<void> {
  const result = await writer
    .deleteFrom('companies')
    .where('id', '=', companyId)
    .where('region', 'is not', null)
    .executeTakeFirst();
  if (result.numDeletedRows === 0n) return;
  await writer.deleteFrom('share_codes').where('subject_id', '=', companyId).execute();
}

/** What a company is the customer of here, oldest first; the company and what it is connected to are locked. */
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

/** Of a company that is on its way here or from here, the rows are not this region's to change. */
async function connectionsOf(reader: Reader, companyId: string): Promise<ConnectionRow[]> {
  return reader
    .selectFrom('connections')
    .innerJoin('companies', 'companies.id', 'connections.company_id')
    .selectAll('connections')
    .where('connections.customer_id', '=', companyId)
    .where('companies.region', 'is', null)
    .orderBy('connections.id')
    .execute();
}

/** Forgets in which slots of a company there are values of people at home here. */
