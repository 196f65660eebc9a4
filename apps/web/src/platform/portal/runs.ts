import type { FlowRun, FlowRunStep, FlowRunSteps } from '@symbolon/protocol';
import { keys, type Query } from '../queries.ts';
import { type Customers, customersOf } from './customers.ts';
import { type FlowPlace, readFlow } from './flows.ts';
import { portalCall } from './inner/api.ts';

const runsOf = ({ serviceId, flowId }: FlowPlace) => `/api/services/${serviceId}/flows/${flowId}/runs`;

export interface RunPage {
  readonly total: number;
  readonly items: readonly FlowRun[];
  readonly customers: Customers;
}

/** The runs of a flow, the newest first. @param most how many of them */
export const runsQuery = (place: FlowPlace, status: string | undefined, most: number): Query<RunPage> => ({
  key: keys.companyRuns(place.serviceId, place.flowId, status ?? ''),
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

/** The columns of a board that the platform lists by a status. A run that is in no column waits for a customer. */
export const LISTED = {
  company: 'awaiting_company',
  generating: 'generating',
  signature: 'awaiting_signature',
  done: 'completed',
  ended: 'cancelled',
} as const;
export type ListedColumn = keyof typeof LISTED;
export type BoardColumn = 'customer' | ListedColumn;

/** How many runs one column of a board shows. */
export const CARDS = 20;
/** With so many runs a flow has all of them in one answer, which is no larger than one for each column. */
const WHOLE_MOST = 100;

export interface RunBoard {
  /** How many runs each column has where not all are known, else 0. */
  readonly totals: Readonly<Record<BoardColumn, number>>;
  readonly items: readonly FlowRun[];
  readonly customers: Customers;
}

/** The newest runs of each column. */
export const runBoardQuery = (place: FlowPlace): Query<RunBoard> => ({
  key: keys.companyRunBoard(place.serviceId, place.flowId),
  async read() {
    const all = await readPage(place, undefined, WHOLE_MOST);
    const names = Object.keys(LISTED) as ListedColumn[];
    // Where every run is known, the columns are counted by what is in them. Of more, only the platform knows how many wait for whom.
    const isWhole = all.total <= all.items.length;
    const pages = await Promise.all(isWhole ? [] : names.map((name) => readPage(place, LISTED[name], CARDS)));
    const counts = Object.fromEntries(names.map((name, index) => [name, pages[index]?.total ?? 0]));
    const listed = pages.reduce((sum, { total }) => sum + total, 0);
    const customer = isWhole ? 0 : Math.max(0, all.total - listed);
    const more = customer > 0 ? await ofCustomers(place) : [];
    // A run that moved on meanwhile stands in two answers: the later one counts.
    const byId = new Map<string, FlowRun>();
    for (const run of [...(isWhole ? [all] : pages), ...more].flatMap(({ items }) => items)) {
      const known = byId.get(run.id);
      if (known === undefined || known.updated_at < run.updated_at) byId.set(run.id, run);
    }
    const items = [...byId.values()].sort((a, b) => b.updated_at.localeCompare(a.updated_at));
    return {
      totals: { ...(counts as Record<ListedColumn, number>), customer },
      items,
      customers: await customersOf(place.serviceId, items),
    };
  },
});

/** The newest runs that wait for customers: the platform lists them by the key of each party. */
async function ofCustomers(place: FlowPlace) {
  const { parties } = (await readFlow(place)).definition;
  const theirs = parties.filter(({ type }) => type !== 'owner');
  return Promise.all(theirs.map(({ key }) => readPage(place, `awaiting_${key}`, CARDS)));
}

export const runAt = (place: FlowPlace, runId: string) => `${runsOf(place)}/${runId}`;

export const runQuery = (place: FlowPlace, runId: string): Query<FlowRun> => ({
  key: keys.companyRun(place.serviceId, place.flowId, runId),
  read: () => portalCall('GET', runAt(place, runId)),
});

/** A run with those who take part in it, and when which step was answered. */
export interface RunWithSteps {
  readonly run: FlowRun;
  readonly steps: readonly FlowRunStep[];
  readonly customers: Customers;
}

export const runWithStepsQuery = (place: FlowPlace, runId: string): Query<RunWithSteps> => ({
  key: keys.companyRunSteps(place.serviceId, place.flowId, runId),
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
