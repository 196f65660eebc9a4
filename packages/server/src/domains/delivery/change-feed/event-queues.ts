import { Event, limits } from '@symbolon/protocol';
import { type SqlBool, sql } from 'kysely';
import { fitting } from '../../../db/byte-lengths.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { anyOf, inOrderMost } from '../../../db/in-order.ts';
import { leasableRows } from '../../../db/leases.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import { prepared } from '../../../db/prepared.ts';
import { isBehind, type Series } from '../../../db/series.ts';
import type { Flag } from '../../../db/tables.ts';
import type { WebhookEventTable } from '../../../events/tables.ts';

const COLUMNS = [
  'id',
  'service_id',
  'connection_id',
  'customer_id',
  'customer_type',
  'share_code',
  'event',
  'request_field_id',
  'slug',
  'payload',
  'at',
] as const;

/** An event that waits, with what its slot holds now; `slot` is null when it holds nothing or the event is about none. */
export interface PendingEvent extends Pick<WebhookEventTable, (typeof COLUMNS)[number]> {
  seq: number;
  slot: string | null;
  live: Flag | null;
  value: string | null;
  verification: string | null;
}

const OF_SLOT = [
  'slot_values.connection_id as slot',
  'slot_values.value',
  'slot_values.verification',
] as const;
/** No answer to a one-time row is live, also before a worker has stored that. */
const LIVE = sql<Flag | null>`case when asked.one_time = 1 then 0 else slot_values.live end`.as('live');
/** Only field events tell a value (wire 6.1). */
const WITH_VALUE = [Event.fieldUpdated, Event.fieldDeleted];

const CLAIM_COLUMNS = {
  id: 'seq',
  owner: 'claim_owner',
  until: 'claimed_until',
  emptied: ['given_to', 'given_in'],
} as const;

/** So many rows fit into a drain even when each has a value of the largest size. More are measured before they are read. */
export const FEW = 50;

/** Before the id of a client in the place of an owner: it has the row by word. No instance is called so. */
const WORD = 'client ';
export const wordOf = (clientId: string) => `${WORD}${clientId}`;

/** Rows of a table of events, as claims deal with them. `queue` tells which of the feeds or of the webhooks is meant. */
export type EventQueues = ReturnType<typeof eventQueues>;

/** The pull feeds: of services, and the account feeds of companies. */
export const feeds = eventQueues('changes', 'feed');
/** What waits for webhooks. */
export const backlogs = eventQueues('webhook_events', 'webhook_id');

/** The two tables have the columns used here in common, but for the one that names the queue. */
function eventQueues(table: 'changes' | 'webhook_events', column: 'feed' | 'webhook_id') {
  const rows = `${table} as queued` as 'changes as queued';
  const queueColumn = `queued.${column}` as 'queued.feed';
  return {
    ...reading(rows, queueColumn),
    claim: claiming(rows, queueColumn, false),
    claimByWord: claiming(rows, queueColumn, true),
    ...settling(rows, queueColumn),
    ...sending(rows, queueColumn),
    /** PostgreSQL: the rows that an instance is sending. */
    leases: leasableRows<number>('postgres', { table, ...CLAIM_COLUMNS }, 'bigint'),
  };
}

/** PostgreSQL: a queue in its order, read by the index on queue and place. */
const seriesOf = (queueColumn: 'queued.feed', queue: string): Series => ({
  owner: [[queueColumn, queue]],
  order: 'queued.seq',
});

/** What a row adds to an answer, nearly. */
const BYTES = sql<number>`octet_length(queued.payload) + coalesce(octet_length(slot_values.value), 0)`;

/** How many rows of these sizes fit beside those that are there. */
function fittingBeside(rows: readonly PendingEvent[], sizes: readonly { bytes: number }[]): number {
  const bytes = rows.reduce((sum, row) => sum + row.payload.length + (row.value?.length ?? 0), 0);
  return fitting([{ bytes }, ...sizes], limits.drainBytesMost) - 1;
}

/** The events of a table, each with what its slot holds. */
const eventsIn = (db: Pick<Reader, 'selectFrom'>, rows: 'changes as queued') =>
  db
    .selectFrom(rows)
    .leftJoin('request_fields as asked', (join) =>
      join
        .onRef('asked.company_id', '=', 'queued.company_id')
        .onRef('asked.service_id', '=', 'queued.service_id')
        .onRef('asked.id', '=', 'queued.request_field_id')
        .on('queued.event', 'in', WITH_VALUE),
    )
    // A row that was removed has no answers, whatever is still stored.
    .leftJoin('slot_values', (join) =>
      join
        .onRef('slot_values.company_id', '=', 'queued.company_id')
        .onRef('slot_values.connection_id', '=', 'queued.connection_id')
        .onRef('slot_values.request_field_id', '=', 'asked.id'),
    )
    .select(['queued.seq', ...COLUMNS.map((name) => `queued.${name}` as const), ...OF_SLOT, LIVE]);

function reading(rowsOf: 'changes as queued', queueColumn: 'queued.feed') {
  const events = (db: Reader) => eventsIn(db, rowsOf);

  /** A queue in its order, on SQLite. */
  const inOrder = (db: Reader, queue: string) =>
    events(db).where(queueColumn, '=', queue).orderBy('queued.seq');

  const unclaimed = (db: Reader, queue: string, claimed: string, after: number) =>
    inOrder(db, queue)
      .where('queued.seq', '>', after)
      .where((eb) => eb.not(inList('sqlite', 'queued.seq', claimed, 'bigint')));

  const pending = prepared<[queue: string, claimed: string, after: number, most: number], PendingEvent>(
    (db, [queue, claimed, after, most]) =>
      unclaimed(db, queue, claimed, after).limit(sql<number>`${most} + 0`),
  );

  const pendingBytes = prepared<
    [queue: string, claimed: string, after: number, most: number],
    { bytes: number }
  >((db, [queue, claimed, after, most]) =>
    db
      .selectFrom(
        unclaimed(db, queue, claimed, after)
          .clearSelect()
          .select(BYTES.as('bytes'))
          .limit(sql<number>`${most} + 0`)
          .as('sizes'),
      )
      .select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes')),
  );

  // A limit that is a bare parameter has SQLite compile the query again each time: its planner wants to know the number.
  const after = {
    sqlite: prepared<[queue: string, after: number, most: number], PendingEvent>((db, [queue, after, most]) =>
      inOrder(db, queue).where('queued.seq', '>', after).limit(sql<number>`${most} + 0`),
    ),
    postgres: prepared<[queue: string, after: number, most: number], PendingEvent>(
      (db, [queue, after, most]) =>
        events(db)
          .where(isBehind(seriesOf(queueColumn, queue), after))
          .orderBy(queueColumn)
          .orderBy('queued.seq')
          .limit(sql<number>`${most} + 0`),
    ),
  };

  return {
    /** How many rows wait, counted up to a number, and when the oldest was raised. */
    async backlog(
      reader: Reader,
      queue: string,
      most: number,
    ): Promise<{ count: number; oldest: number | null }> {
      const rows = await reader
        .selectFrom(rowsOf)
        .select('queued.at')
        .where(queueColumn, '=', queue)
        .orderBy(queueColumn)
        .orderBy('queued.seq')
        .limit(inOrderMost(most))
        .execute();
      return { count: rows.length, oldest: rows[0]?.at ?? null };
    },

    /** The oldest rows after a place. */
    after: (engine: Engine, reader: Reader, queue: string, place: number, most: number) =>
      after[engine](reader, queue, place, most),

    /** SQLite: the oldest rows that are not among those `claimed`; fewer than asked for when they are large. */
    async pending(
      reader: Reader,
      queue: string,
      claimed: readonly number[],
      most: number,
    ): Promise<PendingEvent[]> {
      const list = listParameter('sqlite', claimed);
      const rows = await pending(reader, queue, list, 0, Math.min(most, FEW));
      const last = rows.at(-1);
      if (last === undefined || rows.length < FEW || most === FEW) return rows;
      let further = most - FEW;
      const [sum] = await pendingBytes(reader, queue, list, last.seq, further);
      if (fittingBeside(rows, sum === undefined ? [] : [sum]) === 0) {
        // Too much in all: the sizes of single events say how many fit.
        const sizes = await unclaimed(reader, queue, list, last.seq)
          .clearSelect()
          .select(BYTES.as('bytes'))
          .limit(further)
          .execute();
        further = fittingBeside(rows, sizes);
      }
      return further === 0 ? rows : [...rows, ...(await pending(reader, queue, list, last.seq, further))];
    },
  };
}

/** PostgreSQL: the rows of a queue that no other client has, oldest first. */
const freeRows = (
  db: Pick<Reader, 'selectFrom'>,
  rows: 'changes as queued',
  queueColumn: 'queued.feed',
  { queue, now, word }: { queue: string; now: number; word: string },
) =>
  db
    .selectFrom(rows)
    .select('queued.seq')
    .where(isBehind(seriesOf(queueColumn, queue), 0))
    .where((eb) =>
      eb.or([
        eb('queued.claimed_until', 'is', null),
        eb('queued.claimed_until', '<=', now),
        eb('queued.claim_owner', '=', word),
      ]),
    )
    .orderBy(queueColumn)
    .orderBy('queued.seq');

/**
 * PostgreSQL: marks the oldest free rows as `owner`'s, given to a client, and reads them, in one statement; fewer than asked
 * for when they are large. What the client has by `after` is free for it.
 */
function claiming(rows: 'changes as queued', queueColumn: 'queued.feed', byWord: boolean) {
  return prepared<
    [queue: string, now: number, owner: string, until: number, client: string, word: string, most: number],
    PendingEvent
  >((db, [queue, now, owner, until, client, word, most]) =>
    db
      // Materialised: a plan that ran it twice would claim twice.
      .with(
        (cte) => cte('free').materialized(),
        (query) => {
          const oldest = freeRows(query, rows, queueColumn, { queue, now, word })
            .limit(inOrderMost(most))
            .forUpdate();
          // Rows that another transaction claims or replaces are passed over, but never by word: an answer must hold all
          // the rows of the one before that its last id is taken to confirm.
          return byWord ? oldest : oldest.skipLocked();
        },
      )
      .with('sized', (query) =>
        eventsIn(query, rows)
          .clearSelect()
          .select('queued.seq')
          .select(sql<number>`row_number() over (order by queued.seq)`.as('place'))
          .select(sql<number>`sum(${BYTES}) over (order by queued.seq)`.as('bytes'))
          .where('queued.seq', '=', anyOf(query.selectFrom('free').select('seq'))),
      )
      .with('taken', (query) =>
        query
          .updateTable(rows)
          .set({
            claim_owner: owner,
            claimed_until: until,
            given_to: client,
            // By word a row keeps the number of the answer that gave it first: see `confirmByWord`.
            given_in: byWord
              ? sql<number>`case when queued.given_to = ${client} then queued.given_in
                  else (select nextval('drain_answers')) end`
              : sql<number>`(select nextval('drain_answers'))`,
          })
          .where(
            'queued.seq',
            '=',
            anyOf(
              query
                .selectFrom('sized')
                .select('seq')
                .where((eb) => eb.or([eb('place', '<=', FEW), eb('bytes', '<=', limits.drainBytesMost)])),
            ),
          )
          .returning([
            'queued.seq',
            'queued.company_id',
            ...COLUMNS.map((name) => `queued.${name}` as const),
          ]),
      )
      .selectFrom('taken')
      .leftJoin('request_fields as asked', (join) =>
        join
          .onRef('asked.company_id', '=', 'taken.company_id')
          .onRef('asked.service_id', '=', 'taken.service_id')
          .onRef('asked.id', '=', 'taken.request_field_id')
          .on('taken.event', 'in', WITH_VALUE),
      )
      .leftJoin('slot_values', (join) =>
        join
          .onRef('slot_values.company_id', '=', 'taken.company_id')
          .onRef('slot_values.connection_id', '=', 'taken.connection_id')
          .onRef('slot_values.request_field_id', '=', 'asked.id'),
      )
      .select(['taken.seq', ...COLUMNS.map((name) => `taken.${name}` as const), ...OF_SLOT, LIVE])
      .orderBy('taken.seq'),
  );
}

function settling(rows: 'changes as queued', queueColumn: 'queued.feed') {
  return {
    async delete(engine: Engine, writer: Writer, seqs: readonly number[]): Promise<void> {
      await writer
        .deleteFrom(rows)
        .where(inList(engine, 'queued.seq', listParameter(engine, seqs), 'bigint'))
        .execute();
    },

    /** PostgreSQL: deletes what an instance still has a claim on. */
    async deleteClaimed(writer: Writer, owner: string, seqs: readonly number[]): Promise<void> {
      await writer
        .deleteFrom(rows)
        .where(inList('postgres', 'queued.seq', listParameter('postgres', seqs), 'bigint'))
        .where('queued.claim_owner', '=', owner)
        .execute();
    },

    /**
     * PostgreSQL: the client has taken in the row `id`, and so whatever it was given no later and before that: these rows
     * are deleted. A row that came into a repeated answer only later stays: the client may have seen the first alone.
     */
    async confirmByWord(
      writer: Writer,
      request: { queue: string; client: string; after: string; now: number },
    ): Promise<void> {
      const { queue, client, after, now } = request;
      // What a process that died was sending was never confirmed to have gone out.
      const live = sql<SqlBool>`(claim_owner is null or claim_owner = ${wordOf(client)} or claimed_until > ${now})`;
      await writer
        .with(
          // Materialised: it is one row, and would be looked for again beside every row of the answers.
          (cte) => cte('named').materialized(),
          (query) =>
            query
              .selectFrom(rows)
              .select(['queued.seq', 'queued.given_in'])
              .where(queueColumn, '=', queue)
              .where('queued.given_to', '=', client)
              .where('queued.id', '=', after)
              .where(live),
        )
        .deleteFrom(rows)
        .using('named')
        .where(queueColumn, '=', queue)
        .where('queued.given_to', '=', client)
        .where(live)
        .whereRef('queued.given_in', '<=', 'named.given_in')
        .whereRef('queued.seq', '<=', 'named.seq')
        .execute();
    },

    /** PostgreSQL: frees what a client has, however it was given. */
    async freeClient(writer: Writer, queue: string, client: string): Promise<void> {
      await writer
        .updateTable(rows)
        .set({ claim_owner: null, claimed_until: null })
        .where(queueColumn, '=', queue)
        .where('queued.given_to', '=', client)
        .where('queued.claim_owner', 'is not', null)
        .execute();
    },
  };
}

function sending(rows: 'changes as queued', queueColumn: 'queued.feed') {
  return {
    /** PostgreSQL: whether some row of the queues is being sent by a living instance; what a client has by `after` is not. */
    async anySending(reader: Reader, queues: readonly string[], now: number): Promise<boolean> {
      const row = await reader
        .selectFrom(rows)
        .select('queued.seq')
        .where(inList('postgres', queueColumn, listParameter('postgres', queues)))
        .where('queued.claimed_until', '>', now)
        .where('queued.claim_owner', '!=', sql<string>`${WORD} || queued.given_to`)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
