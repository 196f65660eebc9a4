import { sql } from 'kysely';
import type { Reader, Writer } from '../../../db/database.ts';
import { unindexed } from '../../../db/unindexed.ts';
import { COMPANY_TURN } from './states.ts';
import type { RunsOf, RunsOfFlow } from './store.ts';
import type { FlowRunCountRow, FlowRunRow } from './tables.ts';

/** How many runs a list has. */
export async function countRuns(
  reader: Reader,
  { companyId, serviceId, flowId }: RunsOf,
  status: string | undefined,
): Promise<number> {
  let counts = reader
    .selectFrom('flow_run_counts')
    .select((eb) => eb.fn.sum<number | string | null>('n').as('n'))
    .where('company_id', '=', companyId)
    .where('service_id', '=', serviceId);
  if (flowId !== undefined) counts = counts.where('flow_id', '=', flowId);
  if (status === COMPANY_TURN) counts = counts.where('company_turn', '=', 1);
  else if (status !== undefined) counts = counts.where('status', '=', status);
  return Number((await counts.executeTakeFirst())?.n ?? 0);
}

/** How many runs a flow has in each state, where it has some. */
export async function countsByState(
  reader: Reader,
  { companyId, serviceId, flowId }: RunsOfFlow,
): Promise<Pick<FlowRunCountRow, 'status' | 'company_turn' | 'n'>[]> {
  const rows = await reader
    .selectFrom('flow_run_counts')
    .select(['status', 'company_turn', 'n'])
    .where('company_id', '=', companyId)
    .where('service_id', '=', serviceId)
    .where('flow_id', '=', flowId)
    .execute();
  return rows.map((row) => ({ ...row, n: Number(row.n) })).filter(({ n }) => n > 0);
}

type Counted = Pick<FlowRunRow, 'company_id' | 'service_id' | 'flow_id' | 'status' | 'company_turn'>;

/** Counts runs that came to a list, or left it. */
export async function countRun(writer: Writer, run: Counted, by: number): Promise<void> {
  const { company_id, service_id, flow_id, status, company_turn } = run;
  await writer
    .insertInto('flow_run_counts')
    .values({ company_id, service_id, flow_id, status, company_turn, n: by })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'service_id', 'flow_id', 'status', 'company_turn'])
        .doUpdateSet({ n: sql<number>`flow_run_counts.n + ${by}` }),
    )
    .execute();
}

interface FlowOf {
  readonly companyId: string;
  readonly flowId: string;
}

/** Whether a flow has runs: any, or some that are not finished. */
export async function countRunsOfFlow(
  reader: Reader,
  { companyId, flowId }: FlowOf,
  which: 'all' | 'unfinished',
): Promise<number> {
  let counts = reader
    .selectFrom('flow_run_counts')
    .select((eb) => eb.fn.sum<number | string | null>('n').as('n'))
    .where('company_id', '=', companyId)
    .where(unindexed('flow_id'), '=', flowId);
  if (which === 'unfinished') counts = counts.where('status', 'not in', ['completed', 'cancelled']);
  return Number((await counts.executeTakeFirst())?.n ?? 0);
}
