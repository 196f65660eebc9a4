import type { Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { isInserted } from '../../../db/rows.ts';
import type { SigningKeyRow } from './tables.ts';

/** The newest generation first. There are a few of each algorithm. */
export const signingKeyRows = prepared<[], SigningKeyRow>((db) =>
  db.selectFrom('signing_keys').selectAll().orderBy('algorithm').orderBy('generation', 'desc'),
);

/** @returns false when another process made this generation */
export function insertSigningKey(writer: Writer, row: SigningKeyRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('signing_keys')
      .values(row)
      .onConflict((conflict) => conflict.columns(['algorithm', 'generation']).doNothing()),
  );
}

/** Says until when the older keys of an algorithm are published, where they are to be longer or without an end. */
export async function endOlderKeys(
  writer: Writer,
  { algorithm, generation }: Pick<SigningKeyRow, 'algorithm' | 'generation'>,
  until: number,
): Promise<void> {
  await writer
    .updateTable('signing_keys')
    .set({ published_until: until })
    .where('algorithm', '=', algorithm)
    .where('generation', '<', generation)
    .where((eb) => eb.or([eb('published_until', 'is', null), eb('published_until', '>', until)]))
    .execute();
}

export async function deleteEndedKeys(writer: Writer, now: number): Promise<void> {
  await writer.deleteFrom('signing_keys').where('published_until', '<=', now).execute();
}

/** One app that wants an algorithm, if there is one. */
export const appThatWants = prepared<[algorithm: SigningKeyRow['algorithm']], { client_id: string }>(
  (db, [algorithm]) =>
    db
      .selectFrom('oauth_apps')
      .select('client_id')
      .where('id_token_alg', '=', algorithm)
      // Without this order PostgreSQL expects a match soon and scans the whole table when there is no match.
      .orderBy('client_id')
      .limit(1),
);
