import { type RawBuilder, sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { HELD_TEXT } from '../../../db/held.ts';
import type { TableShape } from './table-store.ts';

/** Whose rows are held, and by which move. */
export interface Hold {
  readonly companyId: string;
  readonly moveId: string;
}

/** Columns that somebody who sends rows on changes in them; they are dealt with apart. */
const SENDING: Readonly<Record<string, { taken: string; kept: readonly string[] }>> = {
  changes: { taken: 'claim_owner', kept: ['claim_owner', 'claimed_until'] },
  webhooks: { taken: 'lease_owner', kept: ['lease_owner', 'lease_until'] },
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Longer than this nobody waits behind a trigger that waits for somebody's long transaction. */
const LOCK_MS = 2000;
/** Dropping one is not urgent. */
const DROP_LOCK_MS = 100;

/** @throws Error for anything else: it becomes part of a statement */
function literal(id: string) {
  if (!UUID.test(id)) throw new Error('That is no id.');
  return sql.lit(id);
}

/** What a move's triggers are known by: names have their limits. */
const markOf = (moveId: string) => moveId.replaceAll('-', '').slice(12);

const nameOf = (table: string, { moveId }: Hold, what: string) => `hold_${table}_${what}_${markOf(moveId)}`;

interface Trigger {
  readonly what: string;
  /** `insert`, `delete`, `update`, `update of …`. */
  readonly event: RawBuilder<unknown>;
  readonly when: RawBuilder<unknown>;
}

/** Nobody else begins to send rows of the feeds and queues; who has begun may still say that they arrived. */
export function sendingTriggers(shape: TableShape, hold: Hold): Trigger[] {
  const sending = SENDING[shape.name];
  if (sending === undefined) return [];
  const taken = sql.ref(sending.taken);
  const id = literal(hold.companyId);
  return [
    {
      what: 'taken',
      event: sql`update of ${taken}`,
      when: sql`old.company_id = ${id} and new.${taken} is not null`,
    },
  ];
}

/** Nobody writes rows of the company. */
export function writingTriggers(shape: TableShape, hold: Hold): Trigger[] {
  const id = literal(hold.companyId);
  const owner = sql.ref(shape.owner);
  if (shape.name === 'companies') {
    // After the switch it is a card, which is renewed as cards are: by one of a higher version.
    return [
      {
        what: 'update',
        event: sql`update`,
        when: sql`old.id = ${id} and not (new.region is not null and new.card_version > old.card_version)`,
      },
      { what: 'delete', event: sql`delete`, when: sql`old.id = ${id} and old.region is null` },
    ];
  }
  const kept = SENDING[shape.name]?.kept ?? [];
  const columns = shape.columns.filter(({ name }) => !kept.includes(name)).map(({ name }) => sql.ref(name));
  return [
    { what: 'insert', event: sql`insert`, when: sql`new.${owner} = ${id}` },
    { what: 'delete', event: sql`delete`, when: sql`old.${owner} = ${id}` },
    {
      what: 'update',
      event: kept.length === 0 ? sql`update` : sql`update of ${sql.join(columns)}`,
      when: sql`(old.${owner} = ${id} or new.${owner} = ${id})`,
    },
  ];
}

/**
 * Makes triggers of one table; those that are there stay. On PostgreSQL this waits for every transaction that has written
 * to the table, and from then on nobody writes who does not meet them: one table at a time, so that it never waits for one
 * while it keeps others from another.
 */
export async function makeTriggers(
  engine: Engine,
  writer: Writer,
  shape: TableShape,
  hold: Hold,
  triggers: readonly Trigger[],
): Promise<void> {
  const move = literal(hold.moveId);
  const table = sql.table(shape.name);
  if (engine === 'postgres') await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(writer);
  for (const { what, event, when } of triggers) {
    const name = sql.ref(nameOf(shape.name, hold, what));
    const statement =
      engine === 'postgres'
        ? sql`
            create or replace trigger ${name} before ${event} on ${table} for each row
            when (${when}) execute function hold_company(${move})`
        : sql`
            create trigger if not exists ${name} before ${event} on ${table}
            when ${when} and exists (select 1 from company_moves where id = ${move} and lifted = 0)
            begin select raise(abort, ${sql.lit(HELD_TEXT)}); end`;
    await statement.execute(writer);
  }
}

/** Names of triggers of holds, with the table that each is on. */
export async function triggersOfHolds(
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

/** Whether a trigger is one of a hold. */
export const isOfHold = (name: string, moveId: string): boolean => name.endsWith(markOf(moveId));

/** On PostgreSQL that takes the table away from everybody, readers too, and waits for them: not for long. */
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
