import type { FlowRun, FlowRunBoard, FlowRunStep, FlowRunSteps, RunColumn } from '@symbolon/protocol';
import { runColumns } from '@symbolon/protocol/constants';
import type { Query } from '../queries.ts';
import { type Customers, customersOf } from './customers.ts';
import type { FlowPlace } from './flows.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';
import { columnOf } from './run-column.ts';

export const runsOf = ({ serviceId, flowId }: FlowPlace) => `/api/services/${serviceId}/flows/${flowId}/runs`;

export interface RunPage {
  readonly total: number;
  readonly items: readonly FlowRun[];
  readonly customers: Customers;
}

/** The runs of a flow, the newest first. @param most how many of them */
export const runsQuery = (place: FlowPlace, status: string | undefined, most: number): Query<RunPage> => ({
  key: portalKeys.companyRuns(place.serviceId, place.flowId, status ?? ''),
  part: most,
  async read() {
    const page = await readPage(place, status, most);
    return { ...page, customers: await customersOf(place.serviceId, page.items) };
  },
});

function readPage(place: FlowPlace, status: string | undefined, most: number) {
  const asked = new URLSearchParams({ limit: String(most), offset: '0' });
  if (status !== undefined) asked.set('status', status);
  return portalCall<Omit<RunPage, 'customers'>>('GET', `${runsOf(place)}?${asked}`);
}

/** How many runs a column of a board shows at first, and more of them each time. */
const CARDS = 20;
/** Runs of a column that one call reads at most. */
const CARDS_MOST = 100;

export interface RunBoard {
  /** How many runs each column has. */
  readonly totals: Readonly<Record<RunColumn, number>>;
  /** The newest of each that were read. */
  readonly columns: Readonly<Record<RunColumn, readonly FlowRun[]>>;
  readonly customers: Customers;
}

/** The newest runs of each column, in one call; of one of which the user has seen more, those are read again in one more. */
export const runBoardQuery = (place: FlowPlace): Query<RunBoard> => ({
  key: portalKeys.companyRunBoard(place.serviceId, place.flowId),
  async read(known) {
    const newest = await readBoard(place, { limit: CARDS });
    const seen = runColumns.filter((column) => (known?.columns[column].length ?? 0) > CARDS);
    const further = await Promise.all(
      seen.map((column) => {
        const more = (known?.columns[column].length ?? 0) - CARDS;
        return readFurther(place, column, newest.columns[column].at(-1)?.id, Math.min(more, CARDS_MOST));
      }),
    );
    return further.reduce(withFurther, newest);
  },
});

/** Those of a column that follow a run. */
export const readFurther = (place: FlowPlace, column: RunColumn, before = '', limit = CARDS) =>
  readBoard(place, { limit, column, before });

/** A run that moved on meanwhile stands where it was read last. */
export function withFurther(board: RunBoard, further: RunBoard): RunBoard {
  const read = new Set(runColumns.flatMap((column) => further.columns[column].map(({ id }) => id)));
  const columns = columnsOf((column) => [
    ...board.columns[column].filter(({ id }) => !read.has(id)),
    ...further.columns[column],
  ]);
  return { totals: further.totals, columns, customers: new Map([...board.customers, ...further.customers]) };
}

async function readBoard(
  place: FlowPlace,
  { limit, ...of }: { limit: number; column?: RunColumn; before?: string },
): Promise<RunBoard> {
  const query = new URLSearchParams({ limit: String(limit), ...of });
  const path = `/api/services/${place.serviceId}/flows/${place.flowId}/run-board?${query}`;
  const { items, ...totals } = await portalCall<FlowRunBoard>('GET', path);
  const columns = columnsOf((column) => items.filter((run) => columnOf(run) === column));
  return { totals, columns, customers: await customersOf(place.serviceId, items) };
}

const columnsOf = (runs: (column: RunColumn) => readonly FlowRun[]): RunBoard['columns'] => ({
  customer: runs('customer'),
  company: runs('company'),
  generating: runs('generating'),
  signature: runs('signature'),
  done: runs('done'),
  ended: runs('ended'),
});

export const runAt = (place: FlowPlace, runId: string) => `${runsOf(place)}/${runId}`;

export const runQuery = (place: FlowPlace, runId: string): Query<FlowRun> => ({
  key: portalKeys.companyRun(place.serviceId, place.flowId, runId),
  read: () => portalCall('GET', runAt(place, runId)),
});

/** A run with those who take part in it, and when which step was answered. */
export interface RunWithSteps {
  readonly run: FlowRun;
  readonly steps: readonly FlowRunStep[];
  readonly customers: Customers;
}

export const runWithStepsQuery = (place: FlowPlace, runId: string): Query<RunWithSteps> => ({
  key: portalKeys.companyRunSteps(place.serviceId, place.flowId, runId),
  async read() {
    const [run, { steps }] = await Promise.all([
      portalCall<FlowRun>('GET', runAt(place, runId)),
      portalCall<FlowRunSteps>('GET', `${runAt(place, runId)}/steps`),
    ]);
    return { run, steps, customers: await customersOf(place.serviceId, [run]) };
  },
});

/** Ends a run and every copy of its documents. */
export const cancelRun = (place: FlowPlace, runId: string) =>
  portalCall<unknown>('POST', `${runAt(place, runId)}/cancel`);

/** Takes back unsigned documents, so that they are made again. */
export const withdrawDocuments = (place: FlowPlace, runId: string) =>
  portalCall<unknown>('POST', `${runAt(place, runId)}/documents/withdraw`);
