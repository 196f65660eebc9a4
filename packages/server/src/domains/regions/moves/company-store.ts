import { PLUGIN_TYPE } from '@symbolon/protocol';
import { type SqlBool, sql } from 'kysely';
import { readStored } from '../../../core/secrets.ts';
import { FILE_TEXT, HASH_AT, storedFile } from '../../../core/stored-file.ts';
import { rowBy, updateBy } from '../../../db/by-key.ts';
import type { Database, Reader, Writer } from '../../../db/database.ts';
import { hashesByVersion } from '../../../db/stored-hashes.ts';
import type { CompanyRow } from '../../companies/index.ts';
import { countsByKey } from '../../operations/index.ts';
import type { CompanyTable } from './company-tables.ts';

export async function companyById(reader: Reader, id: string): Promise<CompanyRow | undefined> {
  return rowBy(reader, 'companies', { id });
}

/** How many companies each region is the home of; null is this region. */
export async function companiesByRegion({
  engine,
  reader,
}: Database): Promise<{ region: string | null; companies: number }[]> {
  const companies = new Map<string, number>();
  for (const [key, count] of await countsByKey(engine, reader, 'companies')) {
    const [region = ''] = key.split(' ');
    companies.set(region, (companies.get(region) ?? 0) + count);
  }
  return [...companies].map(([region, count]) => ({ region: region || null, companies: count }));
}

export async function isBeingDeleted(reader: Reader, companyId: string): Promise<boolean> {
  return (await rowBy(reader, 'company_deletions', { company_id: companyId }, ['company_id'])) !== undefined;
}

const TYPED = ['request_fields', 'share_fields', 'contact_fields', 'contact_data'] as const;
/** Tables with a column `value` that may be a stored file. */
const FILED = ['slot_values', 'document_files', 'flow_run_copies', 'run_documents'] as const;

/** The field types and the blobs that rows of the company name. */
export async function needsOf(reader: Reader, companyId: string) {
  const types = new Set<string>();
  for (const table of TYPED) {
    const rows = reader.selectFrom(table).select('type').distinct();
    for (const { type } of await rows.where('company_id', '=', companyId).execute()) types.add(type);
  }
  // No row of the registry anywhere.
  types.delete(PLUGIN_TYPE);
  const blobs = new Set<string>();
  const photos = reader.selectFrom('photos').select(['hash', 'thumb_hash']);
  for (const { hash, thumb_hash } of await photos.where('company_id', '=', companyId).execute())
    blobs.add(hash).add(thumb_hash);
  const assets = reader.selectFrom('flow_assets').select('hash').distinct();
  for (const { hash } of await assets.where('company_id', '=', companyId).execute()) blobs.add(hash);
  for (const table of FILED) {
    const rows = reader.selectFrom(table).select('value').where('company_id', '=', companyId).where(IS_FILE);
    for (const { value } of await rows.execute()) {
      const hash = storedFile(value)?.hash;
      if (hash !== undefined) blobs.add(hash);
    }
  }
  return { types: [...types].sort(), blobs: [...blobs].sort() };
}

/** The company's texts that are encrypted under the key-encryption key. */
async function sealedTexts(reader: Reader, companyId: string): Promise<string[]> {
  const company = await companyById(reader, companyId);
  const webhooks = await reader
    .selectFrom('webhooks')
    .select('secrets')
    .where('company_id', '=', companyId)
    .execute();
  const logins = await reader
    .selectFrom('portal_logins')
    .select('totp_secret')
    .where('company_id', '=', companyId)
    .execute();
  return [
    ...(company === undefined ? [] : [company.account_private_key]),
    ...webhooks.map((row) => row.secrets),
    ...logins.flatMap((row) => (row.totp_secret === null ? [] : [row.totp_secret])),
  ];
}

/** The versions of the server's keys that secrets of the company are encrypted or hashed under. */
export async function keysOf(
  { engine, reader }: Pick<Database, 'engine' | 'reader'>,
  shapes: readonly CompanyTable[],
  companyId: string,
): Promise<number[]> {
  const keys = (await sealedTexts(reader, companyId)).map((text) => readStored(text).version);
  for (const shape of shapes) {
    const only = { column: shape.owner, value: companyId };
    keys.push(...(await hashesByVersion(engine, reader, shape, only)).keys());
  }
  return [...new Set(keys)];
}

const IS_FILE = sql<SqlBool>`substr(value, 1, ${sql.lit(FILE_TEXT.length)}) = ${sql.lit(FILE_TEXT)}`;
/** Spelt out as in the indexes: a stored file begins with an id of 36 characters and the hash. */
const HASH_OF_FILE = sql<string>`substr(value, ${sql.lit(HASH_AT)}, 64)`;

/** Whether a photo, an answer, a document or a flow of the company names a blob. */
export async function namesBlob(reader: Reader, companyId: string, hash: string): Promise<boolean> {
  const row = await reader
    .selectFrom('photos')
    .select('id')
    .where('company_id', '=', companyId)
    .where((eb) => eb.or([eb('hash', '=', hash), eb('thumb_hash', '=', hash)]))
    .limit(1)
    .executeTakeFirst();
  if (row !== undefined) return true;
  const asset = await reader
    .selectFrom('flow_assets')
    .select('hash')
    .where('company_id', '=', companyId)
    .where('hash', '=', hash)
    .limit(1)
    .executeTakeFirst();
  if (asset !== undefined) return true;
  for (const table of FILED) {
    const file = await reader
      .selectFrom(table)
      .select('company_id')
      .where('company_id', '=', companyId)
      .where(IS_FILE)
      .where(HASH_OF_FILE, '=', hash)
      .limit(1)
      .executeTakeFirst();
    if (file !== undefined) return true;
  }
  return false;
}

/** How many of the oldest rows of each queue are parked, for queues that are parked in part. */
export async function parkedRows(reader: Reader, companyId: string): Promise<Record<string, number>> {
  const rows = await reader
    .selectFrom('webhooks')
    .select((eb) => [
      'webhooks.id',
      eb
        .selectFrom('webhook_events')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('webhook_events.webhook_id', '=', 'webhooks.id')
        .whereRef('webhook_events.seq', '<=', 'webhooks.parked_through')
        .as('parked'),
    ])
    .where('company_id', '=', companyId)
    .where('parked_through', '>', 0)
    .where('parked_through', '<', Number.MAX_SAFE_INTEGER)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.id, Number(row.parked ?? 0)]));
}

/** Turns the row of a company that left into a card, which is what every region knows of a company. */
export async function makeCard(
  writer: Writer,
  companyId: string,
  home: { region: string; version: number },
): Promise<void> {
  await updateBy(
    writer,
    'companies',
    { id: companyId },
    {
      email: companyId,
      account_private_key: '',
      recovery_public_key: '',
      recovery_private_key: '',
      region: home.region,
      card_version: home.version,
    },
  );
}

export async function webhookIdsOf(reader: Reader, companyId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('webhooks')
    .select('id')
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function serviceIdsOf(reader: Reader, companyId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('services')
    .select('id')
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}
