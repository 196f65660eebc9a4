import { partyView, type StepView } from '@symbolon/flows';
import type { ConfirmedKeys, PersonFlowKeys, PersonFlows } from '@symbolon/sdk/device';
import { api } from '../inner/api.ts';
import { bearer } from '../inner/file-acts.ts';
import { keys, numberOf, type Query } from '../queries.ts';
import type { SignedIn } from '../session.ts';
import { flowsOf, type OpenRun, type Run } from './person-flows.ts';
import { partyIn } from './run-list.ts';

export type { OpenRun, Run } from './person-flows.ts';

/** Those that a page reads. Answers are sealed beside it. */
export const pageFlows = (): PersonFlows => {
  const by = bearer();
  const sealed = async () => {
    throw new Error('Answers are sealed beside the page.');
  };
  const confirmed: PersonFlowKeys = {
    ...{ assertConfirmed: sealed, assertKnown: sealed, assertOwners: sealed },
    // The parties of a run are kept when it is first opened.
    met: (owned) => withKeys(by.personId, (keys) => keys.met(owned)),
    confirmOwners: (owned) => withKeys(by.personId, (keys) => keys.confirmOwners(owned)),
  };
  return flowsOf(by, { api, confirmed });
};

async function withKeys(personId: string, act: (keys: ConfirmedKeys) => Promise<void>): Promise<void> {
  const { withConfirmedKeys } = await import('../known-keys.ts');
  await withConfirmedKeys(personId, act);
}

/** A run, opened. The same again changes nothing on the page: what is being typed stays. */
export const runQuery = (id: string, { keys: opening }: SignedIn): Query<OpenRun> | undefined =>
  opening && {
    key: keys.run(id),
    part: numberOf(opening),
    async read(known) {
      const now = await pageFlows().run(id);
      return known !== undefined && JSON.stringify(now.run) === JSON.stringify(known.run) ? known : now;
    },
    isFresh: true,
  };

/** Takes the parties that a run has now, after the person was shown them. */
export const takeParties = (open: OpenRun): Promise<void> => pageFlows().confirmParties(open);

/** The label of the party whose turn it is; undefined when no answer is due. */
export function awaitedIn({ run: { status }, state }: OpenRun): string | undefined {
  return state.definition.parties.find(({ key }) => key === partyIn(status))?.label;
}

/** The parties that the person is. */
export const partiesOf = ({ bindings }: Pick<Run, 'bindings'>, personId: string): string[] =>
  Object.keys(bindings).filter((party) => bindings[party] === personId);

/** The person's steps, in the order of the way. */
export function stepsOf({ run, state, way, step, tagValues }: OpenRun, personId: string): StepView[] {
  const standing = { way, current: step?.key ?? null, tagValues };
  const steps = partiesOf(run, personId).flatMap((party) => partyView(state, standing, party).steps);
  return steps.sort((a, b) => way.indexOf(a.key) - way.indexOf(b.key));
}
