import { sql } from 'kysely';
import type { Clock } from '../core/clock.ts';
import type { Timers } from '../core/timers.ts';
import type { Database, Engine, Writer } from './database.ts';
import type { TableName } from './table-registry.ts';
import { WriteSteps } from './write-steps.ts';

interface Deps {
  readonly database: Database;
  readonly timers: Timers;
  readonly clock: Clock;
}

/** Rows that have outlived their time: those of a table whose `column` is not after now. An index leads to them. */
export interface ExpiredRows {
  readonly table: TableName;
  readonly column?: string;
  /** How much longer they are kept. */
  readonly keptMs?: number;
  /** Only rows with this value in a column, which is before the other one in the index. */
  readonly only?: { readonly column: string; readonly value: string };
}

/** Deletes what has expired, the oldest first, in short steps. Gives how many rows went. */
export async function deleteExpired(deps: Deps, rows: ExpiredRows, stopping?: AbortSignal): Promise<number> {
  const until = deps.clock.now() - (rows.keptMs ?? 0);
  return inSteps(
    deps,
    (writer, most) => deleteSome(deps.database.engine, writer, rows, until, most),
    stopping,
  );
}

/**
 * Repeats a step until it finds fewer rows than it is allowed, or until it is stopped.
 * @param step works on at most `most` rows; gives how many there were
 * @returns how many there were in all
 */
export async function inSteps(
  deps: Pick<Deps, 'database' | 'timers'>,
  step: (writer: Writer, most: number) => Promise<number>,
  stopping?: AbortSignal,
): Promise<number> {
  const steps = new WriteSteps(deps);
  for (let total = 0; ; ) {
    const { rows, full } = await steps.take(async (writer, most) => {
      const count = await step(writer, most);
      return { rows: count, full: count >= most };
    });
    total += rows;
    if (!full || stopping?.aborted) return total;
  }
}

/** On PostgreSQL rows that another process is working on are passed over. */
async function deleteSome(
  engine: Engine,
  writer: Writer,
  { table, column = 'expires_at', only }: ExpiredRows,
  until: number,
  most: number,
): Promise<number> {
  const row = sql.raw(engine === 'sqlite' ? 'rowid' : 'ctid');
  const also = only === undefined ? sql`` : sql`and ${sql.ref(only.column)} = ${only.value}`;
  const chosen = sql`
    select ${row} from ${sql.table(table)} where ${sql.ref(column)} <= ${until} ${also}
    order by ${sql.ref(column)} limit ${most} + 0 ${sql.raw(engine === 'sqlite' ? '' : 'for update skip locked')}
  `;
  const among = engine === 'sqlite' ? sql`in (${chosen})` : sql`= any(array(${chosen}))`;
  const result = await sql`delete from ${sql.table(table)} where ${row} ${among}`.execute(writer);
  return Number(result.numAffectedRows ?? 0n);
}
