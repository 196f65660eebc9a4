import { deleteBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Database, Reader, Writer } from '../../../db/database.ts';
import { countOf } from '../../operations/index.ts';
import type { CompanyMoveRow } from './tables.ts';

/** A move that has just been requested. */
export function requestedMove(asked: {
  id: string;
  companyId: string;
  region: string;
  by: CompanyMoveRow['asked_by'];
  now: number;
}): CompanyMoveRow {
  return {
    id: asked.id,
    company_id: asked.companyId,
    to_region: asked.region,
    state: 'copying',
    asked_by: asked.by,
    reason: null,
    attempts: 0,
    retry_at: null,
    held_at: null,
    held_ms: null,
    undo_wanted: 0,
    lifted: 0,
    rows_copied: 0,
    worker: null,
    worker_until: null,
    created_at: asked.now,
    updated_at: asked.now,
    switched_at: null,
    finished_at: null,
  };
}

/** Returns false when a move of the company is under way. */
export async function insertMove(writer: Writer, row: CompanyMoveRow): Promise<boolean> {
  const result = await writer
    .insertInto('company_moves')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function moveById(reader: Reader, id: string): Promise<CompanyMoveRow | undefined> {
  return rowBy(reader, 'company_moves', { id });
}

/** The current or last move of a company away from this region. */
export async function lastMoveOf(reader: Reader, companyId: string): Promise<CompanyMoveRow | undefined> {
  return reader
    .selectFrom('company_moves')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Newest first. */
export async function movePage(
  { engine, reader }: Database,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: CompanyMoveRow[] }> {
  const total = await countOf(engine, reader, 'company_moves');
  const rows = await reader
    .selectFrom('company_moves')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { total, rows };
}

/** Oldest first. */
export async function unfinishedMoves(reader: Reader): Promise<CompanyMoveRow[]> {
  return reader
    .selectFrom('company_moves')
    .selectAll()
    .where('finished_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Leases a move to an instance; undefined while another instance has the lease. */
export async function takeMove(
  writer: Writer,
  id: string,
  { worker, now, until }: { worker: string; now: number; until: number },
): Promise<CompanyMoveRow | undefined> {
  return writer
    .updateTable('company_moves')
    .set({ worker, worker_until: until })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where((eb) =>
      eb.or([eb('worker', 'is', null), eb('worker', '=', worker), eb('worker_until', '<=', now)]),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Changes a move; undefined when its state or its lease is no longer the one that was read. */
export async function changeMove(
  writer: Writer,
  { id, state, worker }: Pick<CompanyMoveRow, 'id' | 'state' | 'worker'>,
  changes: Partial<CompanyMoveRow>,
): Promise<CompanyMoveRow | undefined> {
  return writer
    .updateTable('company_moves')
    .set(changes)
    .where('id', '=', id)
    .where('state', '=', state)
    .where('worker', worker === null ? 'is' : '=', worker)
    .returningAll()
    .executeTakeFirst();
}

/** Marks a move to be undone; undefined when it is in another state. */
export async function wantUndo(
  writer: Writer,
  id: string,
  states: readonly CompanyMoveRow['state'][],
  now: number,
): Promise<CompanyMoveRow | undefined> {
  return writer
    .updateTable('company_moves')
    .set({ undo_wanted: 1, retry_at: null, updated_at: now })
    .where('id', '=', id)
    .where('state', 'in', states)
    .returningAll()
    .executeTakeFirst();
}

/** Whether the triggers of the move let writes pass. */
export async function setLifted(writer: Writer, moveId: string, lifted: 0 | 1): Promise<void> {
  await updateBy(writer, 'company_moves', { id: moveId }, { lifted });
}

/** Remembers the sessions that go on in the other region. */
export async function departSessions(writer: Writer, companyId: string): Promise<void> {
  await deleteBy(writer, 'departed_sessions', { company_id: companyId });
  await writer
    .insertInto('departed_sessions')
    .columns(['token_hash', 'company_id', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('portal_sessions')
        .select(['token_hash', 'company_id', 'expires_at'])
        .where('company_id', '=', companyId),
    )
    .execute();
}

export async function departedCompany(reader: Reader, tokenHash: string): Promise<string | undefined> {
  const row = await rowBy(reader, 'departed_sessions', { token_hash: tokenHash }, ['company_id']);
  return row?.company_id;
}
