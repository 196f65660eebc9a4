import type { ListedFlowRun } from '@symbolon/protocol';
import { call } from '../inner/api.ts';
import { keys, type Query } from '../queries.ts';

export type ListedRun = ListedFlowRun;

/** Newest first. What opens a run is large, and pages that list them do without it. */
export const runsQuery: Query<ListedRun[]> = {
  key: keys.runs,
  read: async () => (await call<{ runs: ListedRun[] }>('GET', '/api/person/flow-runs')).runs.reverse(),
};

/** Where a run stands, as the person sees it. */
export type StandingOfRun = 'yours' | 'others' | 'generating' | 'signature' | 'completed' | 'cancelled';

export function standingOf(
  { status, bindings }: Pick<ListedRun, 'status' | 'bindings'>,
  personId: string,
): StandingOfRun {
  if (status === 'completed' || status === 'cancelled' || status === 'generating') return status;
  if (status === 'awaiting_signature') return 'signature';
  return bindings[partyIn(status)] === personId ? 'yours' : 'others';
}

/** The key of the party whose turn it is. */
export const partyIn = (status: string): string => status.replace(/^awaiting_/, '');
