import { sql } from 'kysely';
import { updateBy } from '../../../db/by-key.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { BlobRow } from './tables.ts';

export const keyByHash = prepared<[hash: string], Pick<BlobRow, 'key'>>((db, [hash]) =>
  db.selectFrom('blobs').select('key').where('hash', '=', hash),
);

/** Holds the blob of these bytes, a new one if needed; returns its key. */
export async function holdBlob(writer: Writer, row: BlobRow): Promise<string> {
  const { key } = await writer
    .insertInto('blobs')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ held_until: row.held_until }))
    .returning('key')
    .executeTakeFirstOrThrow();
  return key;
}

/** False when there is no such blob. */
export async function countReference(writer: Writer, hash: string, by: 1 | -1): Promise<boolean> {
  const { numUpdatedRows } = await writer
    .updateTable('blobs')
    .set((eb) => ({ refs: eb('refs', '+', by) }))
    .where('hash', '=', hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Brings the references of some blobs up to date with the rows that name them; gives how many. Rows may name a blob that is
 * still on its way from another region: its changes wait for it.
 */
export async function countChanges(engine: Engine, writer: Writer, most: number): Promise<number> {
  const changed = writer
    .selectFrom('blobs')
    .select('hash')
    .where('hash', 'in', (eb) => eb.selectFrom('blob_ref_changes').select('blob_ref_changes.hash'))
    .orderBy('hash')
    .limit(most);
  const rows = await (engine === 'sqlite' ? changed : changed.forUpdate()).execute();
  if (rows.length === 0) return 0;
  const hashes = rows.map((row) => row.hash);
  const taken = await writer
    .deleteFrom('blob_ref_changes')
    .where('hash', 'in', hashes)
    .returningAll()
    .execute();
  const sums = new Map<string, number>();
  for (const { hash, n } of taken) sums.set(hash, (sums.get(hash) ?? 0) + Number(n));
  for (const [hash, sum] of sums) {
    if (sum !== 0)
      await writer
        .updateTable('blobs')
        .set((eb) => ({ refs: eb('refs', '+', sum) }))
        .where('hash', '=', hash)
        .execute();
  }
  return rows.length;
}

/** Holds a blob for the row that is about to name it. False when there is no such blob. */
export async function holdOn(writer: Writer, hash: string, until: number): Promise<boolean> {
  return updateBy(writer, 'blobs', { hash }, { held_until: until });
}

/** Ends some of the blobs that nothing names or holds; gives how many. What the store has of them goes later. */
export async function doomUnreferenced(
  engine: Engine,
  writer: Writer,
  now: number,
  most: number,
): Promise<number> {
  const unreferenced = writer
    .selectFrom('blobs')
    .select('hash')
    // Spelt out, as in the index.
    .where('refs', '=', sql.lit(0))
    .where('held_until', '<=', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('blob_ref_changes')
            .select('blob_ref_changes.hash')
            .whereRef('blob_ref_changes.hash', '=', 'blobs.hash'),
        ),
      ),
    )
    .orderBy('held_until')
    .limit(most);
  const rows = await (engine === 'sqlite' ? unreferenced : unreferenced.forUpdate().skipLocked()).execute();
  if (rows.length === 0) return 0;
  const hashes = rows.map((row) => row.hash);
  const ended = await writer.deleteFrom('blobs').where('hash', 'in', hashes).returning('key').execute();
  await writer.insertInto('doomed_blobs').values(ended).execute();
  return ended.length;
}

export async function doomedKeys(reader: Reader, most: number): Promise<string[]> {
  const rows = await reader.selectFrom('doomed_blobs').select('key').orderBy('key').limit(most).execute();
  return rows.map((row) => row.key);
}

export async function forgetDoomed(writer: Writer, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await writer.deleteFrom('doomed_blobs').where('key', 'in', keys).execute();
}
