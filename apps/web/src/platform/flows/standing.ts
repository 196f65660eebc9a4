import type { ListedFlowRun } from '@symbolon/protocol';

/** Where a run stands, as the person sees it. */
export type StandingOfRun = 'yours' | 'others' | 'generating' | 'signature' | 'completed' | 'cancelled';

export function standingOf(
  { status, bindings }: Pick<ListedFlowRun, 'status' | 'bindings'>,
  personId: string,
): StandingOfRun {
  if (status === 'completed' || status === 'cancelled' || status === 'generating') return status;
  if (status === 'awaiting_signature') return 'signature';
  return bindings[partyIn(status)] === personId ? 'yours' : 'others';
}

/** The key of the party whose turn it is. */
export const partyIn = (status: string): string => status.replace(/^awaiting_/, '');
