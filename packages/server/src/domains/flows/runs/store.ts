import { sql } from 'kysely';
import { deleteBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { inOrderMost } from '../../../db/in-order.ts';
import { exists } from '../../../db/rows.ts';
import { unindexed } from '../../../db/unindexed.ts';
import { type ListedRun, listedRuns, type Runs, runs, type StandingRun } from './standing-store.ts';
import { COMPANY_TURN } from './states.ts';
import type { FlowRunCopyRow, FlowRunPartyRow, FlowRunRow } from './tables.ts';

export interface ServiceRef {
  readonly companyId: string;
  readonly serviceId: string;
}

/** A customer who takes part, with its connection as it is now. */
export interface StandingParty extends FlowRunPartyRow {
  readonly share_code: string | null;
  /** Where a person is at home; null for this region. */
  readonly region: string | null;
  /** Null when the connection has ended. */
  readonly standing_id: string | null;
  readonly group_id: string | null;
}

/** Which of a service's runs: all, or those of a flow. */
export interface RunsOf extends ServiceRef {
  readonly flowId?: string | undefined;
}

export interface RunsOfFlow extends RunsOf {
  readonly flowId: string;
}

export function runOfService(
  reader: Reader,
  { companyId, serviceId, flowId }: RunsOf,
  id: string,
): Promise<StandingRun | undefined> {
  const found = runs(reader)
    .where('flow_runs.id', '=', id)
    .where(unindexed('flow_runs.company_id'), '=', companyId)
    .where(unindexed('flow_runs.service_id'), '=', serviceId);
  return (
    flowId === undefined ? found : found.where(unindexed('flow_runs.flow_id'), '=', flowId)
  ).executeTakeFirst();
}

/** A run to which a customer is bound. */
export function runOfCustomer(reader: Reader, userId: string, id: string): Promise<StandingRun | undefined> {
  return runs(reader)
    .where('flow_runs.id', '=', id)
    .where('flow_runs.id', 'in', (eb) =>
      eb
        .selectFrom('flow_run_parties')
        .select('flow_run_parties.run_id')
        .where('flow_run_parties.user_id', '=', userId)
        .where('flow_run_parties.run_id', '=', id),
    )
    .executeTakeFirst();
}

/** The runs of a customer, newest first. */
export function runsOfCustomer(reader: Reader, userId: string, most: number): Promise<ListedRun[]> {
  return latest(listedRuns(reader), reader, userId, most).execute();
}

/** The runs of a company as a customer of one other company, newest first. */
export function runsInGroup(
  reader: Reader,
  userId: string,
  { most, groupId }: { most: number; groupId: string },
): Promise<StandingRun[]> {
  return latest(runs(reader), reader, userId, most)
    .where('flow_runs.company_id', 'in', (eb) =>
      eb
        .selectFrom('connections as own')
        .select('own.company_id')
        .where('own.customer_id', '=', userId)
        .where('own.group_id', '=', groupId),
    )
    .execute();
}

function latest<Run>(of: Runs<Run>, reader: Reader, userId: string, most: number): Runs<Run> {
  const own = reader.selectFrom('flow_run_parties').where('flow_run_parties.user_id', '=', userId);
  return of
    .where('flow_runs.id', 'in', own.select('flow_run_parties.run_id'))
    .orderBy('flow_runs.id', 'desc')
    .limit(inOrderMost(most));
}

/** Whose connection to a service it is; undefined of one that has ended. */
export async function customerOf(
  reader: Reader,
  { companyId, serviceId }: ServiceRef,
  connectionId: string,
): Promise<string | undefined> {
  const key = { company_id: companyId, service_id: serviceId, id: connectionId };
  return (await rowBy(reader, 'connections', key))?.customer_id;
}

/** The runs of a service in which one of its customers takes part, newest first. @param before only those with lesser ids; empty for all */
export function runsWithCustomer(
  reader: Reader,
  { companyId, serviceId, customerId }: ServiceRef & { readonly customerId: string },
  { before, most }: { before: string; most: number },
): Promise<ListedRun[]> {
  let taken = reader
    .selectFrom('flow_run_parties')
    .select('run_id')
    .where('company_id', '=', companyId)
    .where('user_id', '=', customerId)
    .where(unindexed('service_id'), '=', serviceId);
  if (before !== '') taken = taken.where('run_id', '<', before);
  return listedRuns(reader)
    .where('flow_runs.id', 'in', taken.orderBy('run_id', 'desc').limit(inOrderMost(most)))
    .orderBy('flow_runs.id', 'desc')
    .execute();
}

interface RunPage {
  readonly status: string | undefined;
  /** Whether the status is of a customer's party, also where that has the key `company`. */
  readonly isCustomerTurn?: boolean;
  readonly limit: number;
  readonly offset?: number;
  /** Only runs with lesser ids; empty for all. */
  readonly before?: string | undefined;
}

/** The ids of a service's runs, newest first. */
export async function runIds(
  reader: Reader,
  { serviceId, flowId }: RunsOf,
  { status, isCustomerTurn = false, limit, offset = 0, before }: RunPage,
): Promise<string[]> {
  const of = flowId === undefined ? (['service_id', serviceId] as const) : (['flow_id', flowId] as const);
  let rows = reader.selectFrom('flow_runs').select('id').where(of[0], '=', of[1]);
  if (flowId !== undefined) rows = rows.where(unindexed('service_id'), '=', serviceId);
  // Said by a literal, since an index has these runs alone.
  if (status === COMPANY_TURN && !isCustomerTurn) rows = rows.where('company_turn', '=', sql.lit(1));
  else if (status !== undefined) rows = rows.where('status', '=', status).orderBy('status', 'desc');
  // A key may be one of a customer in some versions of a flow, and one of the company in others.
  if (isCustomerTurn) rows = rows.where('company_turn', '=', 0);
  if (before) rows = rows.where('id', '<', before);
  const page = await rows
    .orderBy(of[0], 'desc')
    .orderBy('id', 'desc')
    .limit(inOrderMost(limit))
    .offset(offset)
    .execute();
  return page.map(({ id }) => id);
}

export async function insertRun(
  writer: Writer,
  run: FlowRunRow,
  parties: readonly FlowRunPartyRow[],
): Promise<void> {
  await writer.insertInto('flow_runs').values(run).execute();
  if (parties.length > 0) await writer.insertInto('flow_run_parties').values(parties).execute();
}

export async function updateRun(
  writer: Writer,
  { company_id, service_id, id }: Pick<FlowRunRow, 'company_id' | 'service_id' | 'id'>,
  changes: Partial<FlowRunRow>,
): Promise<void> {
  await updateBy(writer, 'flow_runs', { company_id, service_id, id }, changes);
}

/** The row as it is inside a transaction. */
export function runRow(
  reader: Reader,
  { company_id, service_id, id }: Pick<FlowRunRow, 'company_id' | 'service_id' | 'id'>,
): Promise<FlowRunRow | undefined> {
  return rowBy(reader, 'flow_runs', { company_id, service_id, id });
}

/** The customers who take part in some runs of a service. */
export function partiesOf(
  reader: Reader,
  { companyId, serviceId }: ServiceRef,
  runIds: readonly string[],
): Promise<StandingParty[]> {
  return reader
    .selectFrom('flow_run_parties')
    .leftJoin('connections', (join) =>
      join.on('connections.id', '=', unindexed('flow_run_parties.connection_id')),
    )
    .leftJoin('persons', (join) => join.on('persons.id', '=', unindexed('flow_run_parties.user_id')))
    .leftJoin('companies', (join) => join.on('companies.id', '=', unindexed('flow_run_parties.user_id')))
    .selectAll('flow_run_parties')
    .select((eb) => [
      'connections.id as standing_id',
      'connections.group_id',
      'persons.region',
      eb.fn.coalesce('persons.share_code', 'companies.code').as('share_code'),
    ])
    .where('flow_run_parties.run_id', 'in', runIds)
    .where(unindexed('flow_run_parties.company_id'), '=', companyId)
    .where(unindexed('flow_run_parties.service_id'), '=', serviceId)
    .execute();
}

/** What one party can open of some runs, in the order in which it came. */
export function copiesFor(
  reader: Reader,
  userId: string,
  runIds: readonly string[],
): Promise<FlowRunCopyRow[]> {
  return reader
    .selectFrom('flow_run_copies')
    .selectAll()
    .where('run_id', 'in', runIds)
    .where('user_id', '=', userId)
    .orderBy('run_id')
    .orderBy('place')
    .orderBy('id')
    .execute();
}

/** One thing that a party can open. */
export function copyFor(
  reader: Reader,
  { runId, userId, kind, key }: { runId: string; userId: string; kind: FlowRunCopyRow['kind']; key: string },
): Promise<FlowRunCopyRow | undefined> {
  return rowBy(reader, 'flow_run_copies', { run_id: runId, user_id: userId, kind, key });
}

export async function insertCopies(writer: Writer, copies: readonly FlowRunCopyRow[]): Promise<void> {
  if (copies.length > 0) await writer.insertInto('flow_run_copies').values(copies).execute();
}

/** The ids of unfinished runs that were started with some connections, or in which their customers take part. */
export async function openRunIds(reader: Reader, connectionIds: readonly string[]): Promise<string[]> {
  const parties = reader
    .selectFrom('flow_run_parties')
    .select('run_id as id')
    .where('connection_id', 'in', connectionIds)
    .where('ended_at', 'is', null);
  const started = reader
    .selectFrom('flow_runs')
    .select('id')
    .where('connection_id', 'in', connectionIds)
    .where('ended_at', 'is', null);
  const rows = await parties.union(started).execute();
  return rows.map(({ id }) => id);
}

/**
 * Of the connections among some the most unfinished runs that one has: runs in which its customer takes part, or runs that were
 * started with it. All of them end with the connection.
 */
export async function mostOpenRuns(reader: Reader, connectionIds: readonly string[]): Promise<number> {
  const counted = (table: 'flow_run_parties' | 'flow_runs') =>
    reader
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number | string>().as('n'))
      .where('connection_id', 'in', connectionIds)
      .where('ended_at', 'is', null)
      .groupBy('connection_id');
  const rows = await counted('flow_run_parties').unionAll(counted('flow_runs')).execute();
  return Math.max(0, ...rows.map(({ n }) => Number(n)));
}

/** Notes for the customers of runs that these have ended. */
export async function endParties(
  writer: Writer,
  { companyId, serviceId }: ServiceRef,
  runIds: readonly string[],
  at: number,
): Promise<void> {
  await writer
    .updateTable('flow_run_parties')
    .set({ ended_at: at })
    .where('run_id', 'in', runIds)
    .where(unindexed('company_id'), '=', companyId)
    .where(unindexed('service_id'), '=', serviceId)
    .execute();
}

/** Cancels runs of one service. */
export async function cancelRuns(
  writer: Writer,
  { companyId, serviceId }: ServiceRef,
  runIds: readonly string[],
  columns: Partial<FlowRunRow>,
): Promise<void> {
  await writer
    .updateTable('flow_runs')
    .set((eb) => ({ ...columns, acts: eb('acts', '+', 1) }))
    .where('id', 'in', runIds)
    .where(unindexed('company_id'), '=', companyId)
    .where(unindexed('service_id'), '=', serviceId)
    .execute();
}

/** Deletes what a person could open of a run, and that they took part in it. */
export async function forgetParty(writer: Writer, runId: string, userId: string): Promise<void> {
  for (const table of ['flow_run_copies', 'flow_run_parties'] as const)
    await deleteBy(writer, table, { run_id: runId, user_id: userId });
}

/** The runs in which a person takes part. */
export async function runIdsOfUser(reader: Reader, userId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('flow_run_parties')
    .select('run_id')
    .where('user_id', '=', userId)
    .orderBy('run_id')
    .execute();
  return rows.map(({ run_id }) => run_id);
}

/** Whether a company has connections under an id. */
export function hasGroup(reader: Reader, customerId: string, groupId: string): Promise<boolean> {
  return exists(
    reader
      .selectFrom('connections')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('group_id', '=', groupId)
      .limit(1),
  );
}

/** A copy by its id. */
export function copyById(
  reader: Reader,
  { company_id, id: run_id }: Pick<FlowRunRow, 'company_id' | 'id'>,
  { userId, id }: { userId: string; id: string },
): Promise<FlowRunCopyRow | undefined> {
  return rowBy(reader, 'flow_run_copies', { company_id, run_id, id, user_id: userId });
}

/** Some runs of a service, newest first. */
export function runsByIds(
  reader: Reader,
  { companyId, serviceId }: ServiceRef,
  ids: readonly string[],
): Promise<StandingRun[]> {
  return runs(reader)
    .where('flow_runs.id', 'in', ids)
    .where(unindexed('flow_runs.company_id'), '=', companyId)
    .where(unindexed('flow_runs.service_id'), '=', serviceId)
    .orderBy('flow_runs.id', 'desc')
    .execute();
}
