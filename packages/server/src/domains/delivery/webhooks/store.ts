import { sql } from 'kysely';
import { rowBy, updateBy } from '../../../db/by-key.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import { prepared } from '../../../db/prepared.ts';
import { countsByKey } from '../../operations/index.ts';
import type { WebhookRow } from './tables.ts';

/** All rows there are and will be: while a webhook is bad or paused, everything is parked. */
export const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** What a delivery needs to know of its webhook. */
export type DeliverableWebhook = WebhookRow & { account_public_key: string };

/** Whether events of a webhook are sent as they come, as far as its configuration says. */
export const maySend = ({ enabled, paused }: Pick<WebhookRow, 'enabled' | 'paused'>): boolean =>
  enabled === 1 && paused === 0;

export async function webhookOf(
  reader: Reader,
  serviceId: string,
  id: string,
): Promise<WebhookRow | undefined> {
  return rowBy(reader, 'webhooks', { service_id: serviceId, id });
}

export async function webhooksOf(reader: Reader, serviceId: string): Promise<WebhookRow[]> {
  return reader
    .selectFrom('webhooks')
    .selectAll()
    .where('service_id', '=', serviceId)
    .orderBy('id')
    .execute();
}

/** How many events wait for each of the webhooks, and since when. */
export async function backlogsOf(engine: Engine, reader: Reader, webhookIds: readonly string[]) {
  if (webhookIds.length === 0) return new Map<string, { count: number; oldest: number }>();
  const counts = await countsByKey(engine, reader, 'webhook_events', webhookIds);
  const oldest = await oldestQueued(reader, [...counts.keys()]);
  return new Map(oldest.map(({ id, at }) => [id, { count: counts.get(id) ?? 0, oldest: at }]));
}

/** When the oldest event of each of the webhooks was raised; those without any are missing. */
async function oldestQueued(reader: Reader, webhookIds: readonly string[]) {
  if (webhookIds.length === 0) return [];
  const rows = await reader
    .selectFrom('webhooks')
    .select((eb) => [
      'webhooks.id',
      eb
        .selectFrom('webhook_events')
        .select('webhook_events.at')
        .whereRef('webhook_events.webhook_id', '=', 'webhooks.id')
        .orderBy('webhook_events.at')
        .limit(1)
        .as('oldest'),
    ])
    .where('webhooks.id', 'in', webhookIds)
    .execute();
  return rows.flatMap(({ id, oldest }) => (oldest === null ? [] : [{ id, at: Number(oldest) }]));
}

export async function insertWebhook(writer: Writer, row: WebhookRow): Promise<void> {
  await writer.insertInto('webhooks').values(row).execute();
}

export async function updateWebhook(writer: Writer, id: string, changes: Partial<WebhookRow>): Promise<void> {
  await writer.updateTable('webhooks').set(changes).where('id', '=', id).execute();
}

/** Changes a webhook that still has the health, the configuration and the lease it was read with; tells whether it did. */
export async function changeHealth(
  writer: Writer,
  { id, health, version, lease_owner }: Pick<WebhookRow, 'id' | 'health' | 'version' | 'lease_owner'>,
  changes: Partial<WebhookRow>,
): Promise<boolean> {
  const result = await writer
    .updateTable('webhooks')
    .set(changes)
    .where('id', '=', id)
    .where('health', '=', health)
    .where('version', '=', version)
    .where('lease_owner', lease_owner === null ? 'is' : '=', lease_owner)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Makes the probe of a bad webhook due. Tells whether it is bad. */
export async function makeProbeDue(writer: Writer, id: string, now: number): Promise<boolean> {
  return updateBy(writer, 'webhooks', { id, health: 'bad' }, { probe_at: now });
}

export const webhookForDelivery = prepared<[id: string], DeliverableWebhook>((db, [id]) =>
  db
    .selectFrom('webhooks')
    .innerJoin('companies', 'companies.id', 'webhooks.company_id')
    .selectAll('webhooks')
    .select('companies.account_public_key')
    .where('webhooks.id', '=', id),
);

export async function newestQueued(reader: Reader, webhookId: string): Promise<number> {
  const row = await reader
    .selectFrom('webhook_events')
    .select('seq')
    // Not an equality: for the newest of a large queue PostgreSQL may walk back past the rows of all others.
    .where('webhook_id', '>=', webhookId)
    .where('webhook_id', '<=', webhookId)
    .orderBy('webhook_id', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return Number(row?.seq ?? 0);
}

/**
 * Webhooks that have something to send now; those that are leased to another living instance are left to it. They are
 * looked for among those whose queues are not empty, which are few beside all webhooks.
 */
export async function dueWebhooks(
  engine: Engine,
  reader: Reader,
  owner: string,
  now: number,
  most: number,
): Promise<string[]> {
  const waiting = [...(await countsByKey(engine, reader, 'webhook_events')).keys()];
  if (waiting.length === 0) return [];
  const rows = await reader
    .selectFrom('webhooks')
    .select('webhooks.id')
    .where(inList(engine, 'id', listParameter(engine, waiting)))
    .where('enabled', '=', 1)
    .where('paused', '=', 0)
    .where((eb) => eb.or([eb('health', '!=', 'bad'), eb('probe_at', '<=', now)]))
    .where((eb) =>
      eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now), eb('lease_owner', '=', owner)]),
    )
    .limit(most)
    .execute();
  return rows.map((row) => row.id);
}

/** Takes the lease of a webhook for an instance, unless a running one has it. Tells whether it did. */
export async function takeLease(
  writer: Writer,
  webhookId: string,
  owner: string,
  now: number,
  until: number,
): Promise<boolean> {
  const result = await writer
    .updateTable('webhooks')
    .set({ lease_owner: owner, lease_until: until })
    .where('id', '=', webhookId)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Removes rows from their queues. */
export async function deleteQueued(engine: Engine, writer: Writer, seqs: readonly number[]): Promise<void> {
  await writer
    .deleteFrom('webhook_events')
    .where(inList(engine, 'seq', listParameter(engine, seqs), 'bigint'))
    .execute();
}

/** SQLite: notes rows that are to be removed later. */
export async function noteDelivered(writer: Writer, seqs: readonly number[]): Promise<void> {
  await writer
    .insertInto('webhook_delivered')
    .columns(['seq'])
    .expression(sql`select value from json_each(${listParameter('sqlite', seqs)})`)
    .execute();
}

/** SQLite: removes what was noted. */
export async function deleteNoted(writer: Writer): Promise<void> {
  await writer
    .deleteFrom('webhook_events')
    .where('seq', 'in', (eb) => eb.selectFrom('webhook_delivered').select('seq'))
    .execute();
  await writer.deleteFrom('webhook_delivered').execute();
}

export interface StaleQueue
  extends Pick<
    WebhookRow,
    | 'id'
    | 'company_id'
    | 'service_id'
    | 'url'
    | 'enabled'
    | 'paused'
    | 'health'
    | 'last_failure'
    | 'alerted_at'
  > {
  service_name: string;
  admin_email: string;
  /** When the oldest waiting event was raised. */
  oldest: number;
}

/** Some webhooks' queues. */
export interface QueueAges {
  /** Those whose oldest event is from before a moment. */
  readonly stale: readonly StaleQueue[];
  /** The webhook that the next ones come after; undefined when these are the last. */
  readonly next: string | undefined;
}

/** How old the queues of webhooks after an id are. */
export async function queueAges(
  reader: Reader,
  after: string,
  most: number,
  before: number,
): Promise<QueueAges> {
  const rows = await reader
    .selectFrom('webhooks')
    .innerJoin('services', 'services.id', 'webhooks.service_id')
    .select((eb) => [
      'webhooks.id',
      'webhooks.company_id',
      'webhooks.service_id',
      'services.name as service_name',
      'services.admin_email',
      'webhooks.url',
      'webhooks.enabled',
      'webhooks.paused',
      'webhooks.health',
      'webhooks.last_failure',
      'webhooks.alerted_at',
      // In the order of their age, by the index for it: in the order of their places, PostgreSQL may walk all queues.
      eb
        .selectFrom('webhook_events')
        .select('webhook_events.at')
        .whereRef('webhook_events.webhook_id', '=', 'webhooks.id')
        .orderBy('webhook_events.at')
        .limit(1)
        .as('oldest'),
    ])
    .where('webhooks.id', '>', after)
    .orderBy('webhooks.id')
    .limit(most)
    .execute();
  return {
    stale: rows.flatMap((row) =>
      row.oldest === null || row.oldest > before ? [] : [{ ...row, oldest: Number(row.oldest) }],
    ),
    next: rows.length < most ? undefined : rows.at(-1)?.id,
  };
}

/** Deletes at most `most` events of a queue from before a moment, the oldest first; gives their number. */
export async function deleteQueuedBefore(
  engine: Engine,
  writer: Writer,
  webhookId: string,
  before: number,
  most: number,
): Promise<number> {
  const old = writer
    .selectFrom('webhook_events')
    .select('seq')
    .where('webhook_id', '=', webhookId)
    .where('at', '<', before)
    .orderBy('at')
    .limit(sql<number>`${most} + 0`);
  const rows = await old.execute();
  if (rows.length === 0) return 0;
  const seqs = listParameter(
    engine,
    rows.map((row) => row.seq),
  );
  const result = await writer
    .deleteFrom('webhook_events')
    .where(inList(engine, 'seq', seqs, 'bigint'))
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
