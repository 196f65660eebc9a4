import type { FlowDefinition } from '@symbolon/flows';
import type { FlowRun, RunColumn } from '@symbolon/protocol';

/** What a status says in general; `awaiting_<party>` waits for a party of the flow. */
export type RunState = 'waiting' | 'generating' | 'signing' | 'completed' | 'cancelled';

export function stateOf({ status }: Pick<FlowRun, 'status'>): RunState {
  if (status === 'awaiting_signature') return 'signing';
  if (status === 'generating' || status === 'completed' || status === 'cancelled') return status;
  return 'waiting';
}

const COLUMNS = {
  generating: 'generating',
  signing: 'signature',
  completed: 'done',
  cancelled: 'ended',
} as const;

/** Where a run stands on the board. */
export function columnOf(run: WaitingRun & Pick<FlowRun, 'bindings' | 'company_user_id'>): RunColumn {
  const state = stateOf(run);
  if (state !== 'waiting') return COLUMNS[state];
  return run.bindings[awaitedKey(run)] === run.company_user_id ? 'company' : 'customer';
}

/** A run that may wait for a party. In short lists it comes without its definition. */
type WaitingRun = Pick<FlowRun, 'status' | 'current_node'> & Partial<Pick<FlowRun, 'definition'>>;

/** The key of the party that a run waits for. */
export const awaitedKey = ({ status, definition, current_node: node }: WaitingRun) =>
  (definition && nodeOf(definition, node)?.party) ?? status.replace('awaiting_', '');

export const nodeOf = ({ nodes }: FlowDefinition, key: string | null) =>
  nodes.find((node) => node.key === key);
