import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import { beginActing, refuseLate } from '../core/deadline.ts';
import { type Instruments, noInstruments } from '../core/instruments.ts';
import type { Database, Writer } from './database.ts';
import { isInDoubt, isOtherName, isOutdatedPlan } from './engine-errors.ts';
import { listParameter } from './lists.ts';
import { bindTurn, type LockTurn, LockTurns } from './lock-turns.ts';
import type { Patience } from './patience.ts';
import { toPlatformError, unavailable } from './paused-writes.ts';
import { boundedPool, type Naming, unboundedPool } from './postgres-pool.ts';
import { PostgresSignals } from './postgres-signals.ts';
import type { Tables } from './tables.ts';

/** Deadlock, serialization failure: the transaction did nothing and may run again. */
const CONFLICTS = new Set(['40001', '40P01']);
/** How often it runs again because a statement lost its name, each time another one. */
const RENAMED_MOST = 200;
const ATTEMPTS = 5;

/** Connections for requests and workers. */
const CONNECTIONS = 20;
/** Connections of their own for health, tokens and who calls: they answer while all others wait. */
const VITAL_CONNECTIONS = 4;

/**
 * Opens PostgreSQL: pools with named prepared statements; nothing of a request stays in a session.
 * @param options.patience how long connecting may take: changed by whoever starts the process
 * @param options.naming whether statements get names, before the first of them
 * @param options.directUrl past a pooler, for signals and migrations
 * @param options.slowness what all bounds of waiting are multiplied with: more than 1 for tests of what happens before them
 */
export function openPostgres(
  url: string,
  {
    slowness = 1,
    patience = { until: 0 },
    instruments = noInstruments,
    naming = { isOn: true },
    directUrl = url,
  }: {
    slowness?: number;
    patience?: Patience;
    instruments?: Instruments;
    naming?: Naming;
    directUrl?: string | undefined;
  } = {},
): Database {
  const shared = { slowness, patience, instruments, naming };
  const db = kyselyOn(boundedPool(url, { name: 'calls', max: CONNECTIONS, ...shared }));
  const vital = kyselyOn(boundedPool(url, { name: 'vital', max: VITAL_CONNECTIONS, ...shared }));
  const schema = kyselyOn(unboundedPool(directUrl));
  const signals = new PostgresSignals(directUrl, patience);
  const turns = new LockTurns();

  const transaction = <T>(
    turn: LockTurn,
    work: (writer: Writer) => Promise<T>,
    committing: () => void,
  ): Promise<T> =>
    db
      .transaction()
      .execute(async (writer) => {
        bindTurn(writer, turn);
        const value = await work(writer);
        if (turn.isWaiting) throw new Error('The transaction went on without its lock.');
        beginActing();
        committing();
        return value;
      })
      .finally(() => turn.end());

  return {
    engine: 'postgres',
    reader: db,
    vital,
    schema,
    async write(work) {
      const turn = turns.begin();
      for (let conflicts = 0, renamed = 0; ; ) {
        let isCommitting = false;
        refuseLate();
        try {
          return await transaction(turn, work, () => {
            isCommitting = true;
          });
        } catch (error) {
          // Whether it took place is not known: `db.writes_paused` would say that it did not (wire 7.2).
          if (isCommitting && isInDoubt(error)) throw unavailable(error) ?? error;
          if (turn.isWaiting) await turn.wait();
          else if (isOutdatedPlan(error) || isOtherName(error)) {
            if (++renamed >= RENAMED_MOST) throw toPlatformError(error);
          } else if (!CONFLICTS.has((error as { code?: string }).code ?? '') || ++conflicts >= ATTEMPTS)
            throw toPlatformError(error);
        }
      }
    },
    async notify(writer, channel, ...payloads) {
      const list = listParameter('postgres', payloads);
      await sql`select pg_notify(${channel}, payload) from unnest(${list}::text[]) as payload`.execute(
        writer,
      );
    },
    async tell(channel, payload) {
      await sql`select pg_notify(${channel}, ${payload})`.execute(db);
    },
    started() {
      patience.until = 0;
    },
    async untilIdle() {},
    subscribe: (channel, handler) => signals.subscribe(channel, handler),
    async stop() {
      await signals.stop();
      await Promise.all([db, vital, schema].map((each) => each.destroy()));
    },
  };
}

const kyselyOn = (pool: PostgresPool) => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
