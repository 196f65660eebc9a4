import type { FlowRun, FlowRunStep, FlowRunSteps } from '@symbolon/protocol';
import { keys, type Query } from '../queries.ts';
import { type Customers, customersOf } from './customers.ts';
import type { FlowPlace } from './flows.ts';
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
    const asked = new URLSearchParams({ limit: String(most), offset: '0' });
    if (status !== undefined) asked.set('status', status);
    const page = await portalCall<Omit<RunPage, 'customers'>>('GET', `${runsOf(place)}?${asked}`);
    return { ...page, customers: await customersOf(place.serviceId, page.items) };
  },
});

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
