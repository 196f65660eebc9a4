import { flowLimits, type RunColumn } from '@symbolon/protocol';
import type { FlowRunRow } from './tables.ts';

/** The states of a run in which no party's answers are awaited. */
export const RUN_STATES = {
  /** Documents are to be made by the party that answered last. */
  generating: 'generating',
  /** Documents wait for their signers. */
  awaitingSignature: 'awaiting_signature',
  completed: 'completed',
  cancelled: 'cancelled',
} as const;
export type RunState = (typeof RUN_STATES)[keyof typeof RUN_STATES];

/** Under this status lists have the turn of the owning company, whatever the key of its party is. */
export const COMPANY_TURN = 'awaiting_company';

const COLUMNS: Readonly<Record<string, RunColumn>> = {
  [RUN_STATES.generating]: 'generating',
  [RUN_STATES.awaitingSignature]: 'signature',
  [RUN_STATES.completed]: 'done',
  [RUN_STATES.cancelled]: 'ended',
};

/** In which column of a board runs stand. */
export const columnOf = ({ status, company_turn }: Pick<FlowRunRow, 'status' | 'company_turn'>): RunColumn =>
  company_turn === 1 ? 'company' : (COLUMNS[status] ?? 'customer');

/** The user ids by party keys, in the order in which the start had them. */
export function bindingsOf({ bindings }: Pick<FlowRunRow, 'bindings'>): ReadonlyMap<string, string> {
  return new Map(JSON.parse(bindings) as [string, string][]);
}

/** Everybody who is bound, each once. */
export const boundUsers = (bindings: ReadonlyMap<string, string>): string[] => [
  ...new Set(bindings.values()),
];

/** The columns that say whose turn it is. */
export function awaiting(
  party: string,
  isCompany: boolean,
): Pick<FlowRunRow, 'status' | 'company_turn' | 'ended_at'> {
  return { status: `awaiting_${party}`, company_turn: isCompany ? 1 : 0, ended_at: null };
}

/** The columns of a state in which no answers are awaited. */
export function inState(
  state: RunState,
  at: number,
): Pick<FlowRunRow, 'status' | 'company_turn' | 'ended_at'> {
  const isEnded = state === RUN_STATES.completed || state === RUN_STATES.cancelled;
  return { status: state, company_turn: 0, ended_at: isEnded ? at : null };
}

/** The submit that a run accepted last: the same one may arrive twice. */
export interface LastAct {
  readonly user: string;
  readonly slugs: readonly string[];
  /** The node that it led to; null at the end of the flow. */
  readonly next: string | null;
}

/** The published version that a run follows. */
export const versionOf = ({ company_id, flow_id, flow_version }: FlowRunRow) => ({
  companyId: company_id,
  flowId: flow_id,
  version: flow_version,
});

/** More than one submit can have. */
const COPIES_OF_ACT = flowLimits.elementsOfNodeMost * flowLimits.partiesMost;

/** Where the places of the copies of an act begin, counted from 1. */
export const placesOf = (act: number): number => act * COPIES_OF_ACT;
