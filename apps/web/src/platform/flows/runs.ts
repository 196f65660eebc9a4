import type { CustomerFlowRun, ListedFlowRun } from '@symbolon/protocol';
import { call } from '../api.ts';

/** A run of a flow, as the person takes part in it. */
export type Run = CustomerFlowRun;
export type ListedRun = ListedFlowRun;

const RUNS = '/api/person/flow-runs';
export const runAddress = (id: string, act = '') => `${RUNS}/${encodeURIComponent(id)}${act}`;

/** Newest first. */
export async function listRuns(): Promise<ListedRun[]> {
  return (await call<{ runs: ListedRun[] }>('GET', RUNS)).runs.reverse();
}

/** @throws NotFoundError `flows.run_not_found` */
export function readRun(id: string): Promise<Run> {
  return call('GET', runAddress(id));
}

/** The whole run ends, for every party. */
export function declineRun(id: string): Promise<Run> {
  return call('POST', runAddress(id, '/decline'), {});
}

/** Where a run stands, as the person sees it. */
export type StandingOfRun = 'yours' | 'others' | 'generating' | 'signature' | 'completed' | 'cancelled';

export function standingOf(
  { status, bindings }: Pick<ListedRun, 'status' | 'bindings'>,
  personId: string,
): StandingOfRun {
  if (status === 'completed' || status === 'cancelled' || status === 'generating') return status;
  if (status === 'awaiting_signature') return 'signature';
  return bindings[status.replace(/^awaiting_/, '')] === personId ? 'yours' : 'others';
}
