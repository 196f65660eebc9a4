import { deleteBy, rowBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { isInserted } from '../../../db/rows.ts';
import type { PushKeyRow, PushSubscriptionRow } from './tables.ts';

export async function keyById(reader: Reader, id: string): Promise<PushKeyRow | undefined> {
  return reader.selectFrom('push_keys').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Stores a key pair unless another process was faster. */
export async function insertKey(writer: Writer, row: PushKeyRow): Promise<void> {
  await writer
    .insertInto('push_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** The subscriptions of a person, oldest first. */
export const subscriptionsOf = prepared<[personId: string], PushSubscriptionRow>((db, [personId]) =>
  db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .orderBy('id'),
);

export async function subscriptionByEndpoint(
  reader: Reader,
  hash: string,
): Promise<PushSubscriptionRow | undefined> {
  return rowBy(reader, 'push_subscriptions', { endpoint_hash: hash });
}

/** @returns false when another person added the endpoint meanwhile */
export function insertSubscription(writer: Writer, row: PushSubscriptionRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('push_subscriptions')
      .values(row)
      .onConflict((conflict) => conflict.column('endpoint_hash').doNothing()),
  );
}

/** Whether there was one. */
export function deleteSubscription(
  writer: Writer,
  { person_id, id }: Pick<PushSubscriptionRow, 'person_id' | 'id'>,
): Promise<boolean> {
  return deleteBy(writer, 'push_subscriptions', { person_id, id });
}

export async function deleteOfSession(writer: Writer, personId: string, sessionId: string): Promise<void> {
  await deleteBy(writer, 'push_subscriptions', { person_id: personId, session_id: sessionId });
}

/** Deletes what was made before everything of the person ended. */
export async function deleteBefore(writer: Writer, personId: string, epoch: number): Promise<void> {
  await writer
    .deleteFrom('push_subscriptions')
    .where('person_id', '=', personId)
    .where('epoch', '<', epoch)
    .execute();
}

/** Of all sessions of a person but one, if any is kept. What was made with an access token stays. */
export async function deleteOfOtherSessions(
  writer: Writer,
  personId: string,
  keptId: string | undefined,
): Promise<void> {
  let query = writer
    .deleteFrom('push_subscriptions')
    .where('person_id', '=', personId)
    .where('session_id', 'is not', null);
  if (keptId !== undefined) query = query.where('session_id', '!=', keptId);
  await query.execute();
}
