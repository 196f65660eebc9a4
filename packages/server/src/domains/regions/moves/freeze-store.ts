import { type RawBuilder, sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { FROZEN_TEXT } from '../../../db/paused-writes.ts';
import { claimColumns } from '../../../events/tables.ts';
import { executeAll, literalId } from './statements.ts';
import type { TableShape } from './table-store.ts';

/** A company whose rows cannot be written, and the move for which. */
export interface FrozenCompany {
  readonly companyId: string;
  readonly moveId: string;
}

/**
 * Columns that say who is delivering a row. A freeze ends deliveries before it refuses writes, so it must let a delivery
 * release what it has claimed (`columns`), while no new one begins (`owner` set).
 */
const CLAIMS: Readonly<Record<string, { owner: string; columns: readonly string[] }>> = {
  changes: { owner: 'claim_owner', columns: claimColumns },
  webhooks: { owner: 'lease_owner', columns: ['lease_owner', 'lease_until'] },
};

/** While `create trigger` waits for a long transaction, other writers of the table wait behind it: at most this long. */
const LOCK_MS = 2000;
/** Dropping a trigger is not urgent. */
const DROP_LOCK_MS = 100;

/** Ends the names of a move's triggers; PostgreSQL's names have at most 63 bytes. */
const suffixOf = (moveId: string) => moveId.replaceAll('-', '').slice(12);

/** The triggers are called `hold_…`, like the function of the schema that they run; hold is another word for freeze. */
const nameOf = (table: string, { moveId }: FrozenCompany, what: string) =>
  `hold_${table}_${what}_${suffixOf(moveId)}`;

interface Trigger {
  readonly what: string;
  /** `insert`, `delete`, `update`, `update of …`. */
  readonly event: RawBuilder<unknown>;
  readonly when: RawBuilder<unknown>;
}

/** Refuse new claims of events; a delivery that has begun can still confirm. */
export function claimTriggers(shape: TableShape, { companyId }: FrozenCompany): Trigger[] {
  const claims = CLAIMS[shape.name];
  if (claims === undefined) return [];
  const owner = sql.ref(claims.owner);
  const id = literalId(companyId);
  return [
    {
      what: 'taken',
      event: sql`update of ${owner}`,
      when: sql`old.company_id = ${id} and new.${owner} is not null`,
    },
  ];
}

/** Refuse every write of the company's rows. */
export function writeTriggers(shape: TableShape, { companyId }: FrozenCompany): Trigger[] {
  const id = literalId(companyId);
  const owner = sql.ref(shape.owner);
  if (shape.name === 'companies') {
    // After the switch the row is a card, and a card of a higher version may replace it.
    return [
      {
        what: 'update',
        event: sql`update`,
        when: sql`old.id = ${id} and not (new.region is not null and new.card_version > old.card_version)`,
      },
      { what: 'delete', event: sql`delete`, when: sql`old.id = ${id} and old.region is null` },
    ];
  }
  const claims = CLAIMS[shape.name]?.columns ?? [];
  const columns = shape.columns.filter(({ name }) => !claims.includes(name)).map(({ name }) => sql.ref(name));
  return [
    { what: 'insert', event: sql`insert`, when: sql`new.${owner} = ${id}` },
    { what: 'delete', event: sql`delete`, when: sql`old.${owner} = ${id}` },
    {
      what: 'update',
      event: claims.length === 0 ? sql`update` : sql`update of ${sql.join(columns)}`,
      when: sql`(old.${owner} = ${id} or new.${owner} = ${id})`,
    },
  ];
}

/**
 * Creates triggers on one table; those that exist stay. On PostgreSQL this waits for every open transaction that has written
 * to the table, and every later write meets the triggers. Each table has a transaction of its own there, so that it never waits
 * for one table while it locks another.
 */
export async function createTriggers(
  engine: Engine,
  writer: Writer,
  shape: TableShape,
  frozen: FrozenCompany,
  triggers: readonly Trigger[],
): Promise<void> {
  const move = literalId(frozen.moveId);
  const table = sql.table(shape.name);
  const statements = triggers.map(({ what, event, when }) => {
    const name = sql.ref(nameOf(shape.name, frozen, what));
    return engine === 'postgres'
      ? sql`
          create or replace trigger ${name} before ${event} on ${table} for each row
          when (${when}) execute function hold_company(${move})`
      : sql`
          create trigger if not exists ${name} before ${event} on ${table}
          when ${when} and exists (select 1 from company_moves where id = ${move} and lifted = 0)
          begin select raise(abort, ${sql.lit(FROZEN_TEXT)}); end`;
  });
  if (engine === 'postgres') statements.unshift(sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`);
  await executeAll(engine, writer, statements);
}

/** The triggers of all moves, with the table of each. */
export async function freezeTriggers(
  engine: Engine,
  reader: Reader,
): Promise<{ name: string; table: string }[]> {
  const query =
    engine === 'sqlite'
      ? sql<{ name: string; table: string }>`
          select name, tbl_name as "table" from sqlite_master where type = 'trigger' and substr(name, 1, 5) = 'hold_'
        `
      : sql<{ name: string; table: string }>`
          select tgname as name, relname as "table" from pg_trigger
          inner join pg_class on pg_class.oid = pg_trigger.tgrelid
          where not tgisinternal and substr(tgname, 1, 5) = 'hold_' and relnamespace = current_schema()::regnamespace
        `;
  return (await query.execute(reader as Writer)).rows;
}

export const isTriggerOf = (name: string, moveId: string): boolean => name.endsWith(suffixOf(moveId));

/** On PostgreSQL this waits for all that use the table, readers too, and they wait behind it: not for long. */
export async function dropTrigger(
  engine: Engine,
  writer: Writer,
  { name, table }: { name: string; table: string },
): Promise<void> {
  if (engine === 'postgres') await sql`set local lock_timeout = ${sql.lit(DROP_LOCK_MS)}`.execute(writer);
  await (engine === 'postgres'
    ? sql`drop trigger if exists ${sql.ref(name)} on ${sql.table(table)}`
    : sql`drop trigger if exists ${sql.ref(name)}`
  ).execute(writer);
}
