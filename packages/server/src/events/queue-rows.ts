import { type Expression, type SqlBool, sql } from 'kysely';
import type { Engine, Writer } from '../db/database.ts';
import { inList, listParameter } from '../db/lists.ts';
import { prepared } from '../db/prepared.ts';
import { onRows, type RecordColumns } from '../db/recordset.ts';
import { isAboutItself, staysBeside } from './collapse.ts';
import type { RecentEventRow } from './tables.ts';

/** What a row of a feed and one of a webhook's queue have in common. */
export interface EventRow {
  readonly id: string;
  readonly company_id: string;
  readonly service_id: string;
  readonly connection_id: string | null;
  readonly customer_id: string;
  readonly customer_type: 'person' | 'company';
  readonly share_code: string | null;
  readonly event: string;
  readonly request_field_id: string | null;
  readonly slug: string | null;
  readonly payload: string;
  readonly at: number;
}
export interface FeedRow extends EventRow {
  readonly feed: string;
  readonly collapse_key: string;
}
export interface QueueRow extends EventRow {
  readonly webhook_id: string;
}

export const EVENT_COLUMNS: RecordColumns<EventRow> = {
  id: 'text',
  company_id: 'text',
  service_id: 'text',
  connection_id: 'text',
  customer_id: 'text',
  customer_type: 'text',
  share_code: 'text',
  event: 'text',
  request_field_id: 'text',
  slug: 'text',
  payload: 'text',
  at: 'bigint',
};
const FEED_COLUMNS: RecordColumns<FeedRow> = { ...EVENT_COLUMNS, feed: 'text', collapse_key: 'text' };
const QUEUE_COLUMNS: RecordColumns<QueueRow> = { ...EVENT_COLUMNS, webhook_id: 'text' };

type Identity = Pick<FeedRow, 'feed' | 'collapse_key'>;
const IDENTITY_COLUMNS: RecordColumns<Identity> = { feed: 'text', collapse_key: 'text' };

const replaced = onRows(
  'added',
  IDENTITY_COLUMNS,
  (added) => sql`delete from changes where (feed, collapse_key) in (select feed, collapse_key from ${added})`,
);

/** Adds rows to a table of events. The engine numbers them in the order of the list. */
export function inserted<Row extends RecentEventRow>(
  table: 'changes' | 'webhook_events' | 'recent_events',
  columns: RecordColumns<Row>,
) {
  const names = sql.join(Object.keys(columns).map((column) => sql.ref(column)));
  return onRows(
    'added',
    columns,
    (added) => sql`insert into ${sql.table(table)} (${names}) select ${names} from ${added} order by place`,
  );
}

const feedRows = inserted('changes', FEED_COLUMNS);
const queueRows = inserted('webhook_events', QUEUE_COLUMNS);

/** Rows that one statement writes. */
const GROUP = 500;

/**
 * Adds rows to feeds, in their order. A row replaces the one of the same identity that is on its feed already, or comes
 * before it in the list.
 */
export async function addToFeeds(engine: Engine, writer: Writer, rows: readonly FeedRow[]): Promise<void> {
  const last = new Map(rows.map((row) => [`${row.feed} ${row.collapse_key}`, row]));
  const kept = rows.filter((row, place) => {
    const latest = last.get(`${row.feed} ${row.collapse_key}`) ?? row;
    return latest === row || (latest === rows[place + 1] && staysBeside(row.event, latest.event));
  });
  for (const group of groups(kept)) {
    const replacing = group.filter((row) => !isAboutItself(row));
    await replaced(engine, writer, replacing);
    await feedRows(engine, writer, group);
  }
}

/** Adds rows to the queues of webhooks, in their order. */
export async function addToQueues(engine: Engine, writer: Writer, rows: readonly QueueRow[]): Promise<void> {
  for (const group of groups(rows)) await queueRows(engine, writer, group);
}

function* groups<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += GROUP) yield rows.slice(start, start + GROUP);
}

interface Receiver {
  readonly service_id: string;
  /** Of the webhook; null: somebody watches the service. */
  readonly id: string | null;
  /** JSON array of event names; empty is all. */
  readonly events: string;
}

const receiversIn = (
  db: Pick<Writer, 'selectFrom'>,
  now: number,
  among: (column: 'service_id') => Expression<SqlBool>,
) =>
  db
    .selectFrom('webhooks')
    .select(['service_id', sql<string | null>`id`.as('id'), 'events'])
    .where(among('service_id'))
    .where('enabled', '=', 1)
    .unionAll(
      db
        .selectFrom('event_watches')
        .select([
          'service_id',
          sql<string | null>`cast(null as text)`.as('id'),
          sql<string>`'[]'`.as('events'),
        ])
        .where(among('service_id'))
        .where('expires_at', '>', now),
    );

const receiversOfOne = prepared<[serviceId: string, now: number], Receiver>((db, [serviceId, now]) =>
  receiversIn(db, now, (column) => sql<SqlBool>`${sql.ref(column)} = ${serviceId}`),
);

/** Who hears of events of services: the webhooks that are switched on, with the events they want, and those who watch. */
export async function receiversOf(
  engine: Engine,
  writer: Writer,
  serviceIds: readonly string[],
  now: number,
): Promise<readonly Receiver[]> {
  const [only, ...others] = serviceIds;
  if (only === undefined) return [];
  if (others.length === 0) return receiversOfOne(writer, only, now);
  const list = listParameter(engine, serviceIds);
  return receiversIn(writer, now, (column) => inList(engine, column, list)).execute();
}
