import type { FlowRun } from '@symbolon/protocol';
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

/** Ends a run and every copy of its documents. */
export const cancelRun = (place: FlowPlace, runId: string) =>
  portalCall<unknown>('POST', `${runAt(place, runId)}/cancel`);
