import { type FlowNode, partyView, type StepView } from '@symbolon/flows';
import type { FlowRun } from '@symbolon/protocol';
import type { OpenFlowRun, PersonFileContent, PluginFields } from '@symbolon/sdk/device';
import { Draft } from '../drafts.ts';
import { type AllGiven, type Given, submittedOf } from '../flows/step.ts';
import { numberOf, type Query } from '../queries.ts';
import type { Report } from '../uploads.ts';
import { answerBeside, makeBeside, type OpenKey, openFileBeside, requireCurrentKey } from './copies.ts';
import type { FlowPlace } from './flows.ts';
import { flowsAt } from './inner/run-flows.ts';
import { portalKeys } from './keys.ts';
import { customerDrafts } from './messages.ts';
import { runsOf } from './runs.ts';
import { readService } from './services.ts';

/** A run as the key of its service opens it. The same again changes nothing on the page: what is being typed stays. */
export const openRunQuery = (place: FlowPlace, run: FlowRun, key: OpenKey): Query<OpenFlowRun> => ({
  key: portalKeys.openRun(place.serviceId, run.id, run.status, run.updated_at, numberOf(key)),
  read: async (known) =>
    known !== undefined && JSON.stringify(known.run) === JSON.stringify(run)
      ? known
      : flowsAt(runsOf(place), key).open(run),
  isFresh: true,
});

/** The steps that were answered on the way, of every party: the company has a copy of each. */
export function answeredSteps({ state, way, step, tagValues }: OpenFlowRun): StepView[] {
  const standing = { way, current: step?.key ?? null, tagValues };
  return state.definition.parties
    .flatMap(({ key }) => partyView(state, standing, key).steps)
    .filter(({ current, elements }) => !current && elements.some(isAnswered))
    .sort((a, b) => way.indexOf(a.key) - way.indexOf(b.key));
}

const isAnswered = (element: StepView['elements'][number]) =>
  element.kind !== 'text' && element.answer !== null;

/** A file that answers a field of a run. */
export const runFileQuery = (
  place: FlowPlace,
  of: { run: FlowRun; key: OpenKey; slug: string },
  report: Report,
): Query<PersonFileContent> => ({
  key: portalKeys.companyRunFile(place.serviceId, place.flowId, of.run.id, of.slug),
  read: () => openFileBeside(place, of, report),
  isFresh: true,
});

/**
 * Seals the company's answers for every party and sends them, with the way that they decide.
 * @throws SymbolonError `page.former_service_key`; UnconfirmedKeyError `sdk.person_key_changed`, `sdk.owner_changed`; ConflictError `flows.not_your_turn`
 */
export async function submitRun(
  place: FlowPlace,
  { open: { run, step }, key }: { open: OpenFlowRun; key: OpenKey },
  given: AllGiven,
  report: Report,
): Promise<void> {
  requireCurrentKey(await readService(place.serviceId));
  await answerBeside(place, { run, key }, submittedOf(step, given), report);
}

/** Makes the documents of a run whose last step the company answered. */
export const makeRunDocuments = (place: FlowPlace, run: FlowRun, key: OpenKey): Promise<void> =>
  makeBeside(place, { run, key });

/** The plugins of the step that waits for the company. */
export const pluginsOfRun = (place: FlowPlace, run: FlowRun, key: OpenKey): PluginFields =>
  flowsAt(runsOf(place), key).plugins(run);

/** What a login has begun of a step, sealed to the open key of the service. */
export const draftOfRun = (place: FlowPlace, run: FlowRun, node: FlowNode, loginId: string) =>
  new Draft<Given>(`flow.${run.id}.${node.key}`, customerDrafts(place.serviceId, loginId));
