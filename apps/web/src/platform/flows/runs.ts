import { partyView, type StepView } from '@symbolon/flows';
import type { ListedFlowRun } from '@symbolon/protocol';
import type { PersonFlows } from '@symbolon/sdk/device';
import { api } from '../api.ts';
import { bearer } from '../file-acts.ts';
import { flowsOf, type OpenRun } from './person-flows.ts';

export type { OpenRun, Run } from './person-flows.ts';
export type ListedRun = ListedFlowRun;

/** Those that a page reads. Answers are sealed beside it. */
export const pageFlows = (): PersonFlows =>
  flowsOf(bearer(), {
    api,
    confirmed: {
      async assertConfirmed() {
        throw new Error('Answers are sealed beside the page.');
      },
    },
  });

/** Newest first. */
export async function listRuns(): Promise<ListedRun[]> {
  return (await pageFlows().list()).reverse();
}

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
const partyIn = (status: string): string => status.replace(/^awaiting_/, '');

/** The label of the party whose turn it is; undefined when no answer is due. */
export function awaitedIn({ run: { status }, state }: OpenRun): string | undefined {
  return state.definition.parties.find(({ key }) => key === partyIn(status))?.label;
}

/** The person's steps, in the order of the way. */
export function stepsOf({ run, state, way, step, tagValues }: OpenRun, personId: string): StepView[] {
  const standing = { way, current: step?.key ?? null, tagValues };
  const parties = Object.keys(run.bindings).filter((party) => run.bindings[party] === personId);
  const steps = parties.flatMap((party) => partyView(state, standing, party).steps);
  return steps.sort((a, b) => way.indexOf(a.key) - way.indexOf(b.key));
}
