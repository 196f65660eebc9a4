import type { FlowNode } from '@symbolon/flows';
import { customerKeys } from '@symbolon/sdk/device';
import { Draft, personDrafts } from '../drafts.ts';
import { acting, api } from '../inner/api.ts';
import { bearer, onFiles } from '../inner/file-acts.ts';
import { keys, type Query } from '../queries.ts';
import type { SignedIn } from '../session.ts';
import type { Report } from '../uploads.ts';
import type { OpenRun, Run } from './runs.ts';
import { type AllGiven, type Given, submittedOf } from './step.ts';

const allowed = async () => {};
const NOTHING_SEALED = { assertConfirmed: allowed, assertKnown: allowed, assertOwners: allowed };

/** The keys of all who get a copy, to show a changed one: nothing may be sealed to these. */
export const recipientsQuery = (run: Run, { person }: SignedIn): Query<ReadonlyMap<string, string>> => ({
  key: keys.recipients(run),
  read() {
    const own = { id: person.person_user_id, publicKey: person.public_key };
    return customerKeys({ api, confirmed: NOTHING_SEALED, own }, run);
  },
});

/** Makes the documents of a run, sealed to everybody who gets a copy. */
export const makeDocuments = (run: Run): Promise<unknown> =>
  acting(onFiles('makeDocuments', { by: bearer(), run }));

/**
 * Seals the answers of a step for every party and sends them, with the way that they decide.
 * @throws UnconfirmedKeyError `sdk.service_key_changed`, `sdk.person_key_changed`; ConflictError `flows.not_your_turn`
 */
export const submitStep = ({ run, step }: OpenRun, given: AllGiven, report: Report): Promise<Run> =>
  acting(onFiles('answerRun', { by: bearer(), run, ...submittedOf(step, given) }, report));

/** What was begun of a step. */
export const draftOfStep = (run: Run, node: FlowNode, session: SignedIn) =>
  new Draft<Given>(`flow.${run.id}.${node.key}`, personDrafts(session));
