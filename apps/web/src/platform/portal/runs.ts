import type { FlowRun, FlowRunStep, FlowRunSteps } from '@symbolon/protocol';
import { portalCall } from './api.ts';
import type { FlowPlace } from './flows.ts';

const runsOf = ({ serviceId, flowId }: FlowPlace) => `/api/services/${serviceId}/flows/${flowId}/runs`;

export interface RunPage {
  readonly total: number;
  readonly items: readonly FlowRun[];
}

/** A page of the runs of a flow, the newest first. */
export function listRuns(
  place: FlowPlace,
  asked: { limit: number; offset: number; status?: string },
): Promise<RunPage> {
  const query = new URLSearchParams({ limit: String(asked.limit), offset: String(asked.offset) });
  if (asked.status !== undefined) query.set('status', asked.status);
  return portalCall('GET', `${runsOf(place)}?${query}`);
}

export const runAt = (place: FlowPlace, runId: string) => `${runsOf(place)}/${runId}`;

export const readRun = (place: FlowPlace, runId: string) => portalCall<FlowRun>('GET', runAt(place, runId));

/** When which step was answered. */
export async function readSteps(place: FlowPlace, runId: string): Promise<readonly FlowRunStep[]> {
  return (await portalCall<FlowRunSteps>('GET', `${runAt(place, runId)}/steps`)).steps;
}

/** Ends a run and every copy of its documents. */
export const cancelRun = (place: FlowPlace, runId: string) =>
  portalCall<unknown>('POST', `${runAt(place, runId)}/cancel`);

/** Takes back unsigned documents, so that they are made again. */
export const withdrawDocuments = (place: FlowPlace, runId: string) =>
  portalCall<unknown>('POST', `${runAt(place, runId)}/documents/withdraw`);
