import { connectionSources, type FlowDefinition, partyTags } from '@symbolon/flows';
import type { FlowRun, FlowVersion } from '@symbolon/protocol';
import { OWNER_PARTY } from '@symbolon/protocol/constants';
import { Draft } from '../drafts.ts';
import { numberOf, outdate, type Query } from '../queries.ts';
import { type OpenKey, requireCurrentKey, sharedTagsBeside, startBeside } from './copies.ts';
import type { NewRun } from './inner/copies.worker.ts';
import { portalKeys } from './keys.ts';
import { customerDrafts } from './messages.ts';
import { readService } from './services.ts';

export type { NewRun };

/** Whom a start asks for beside the company, in the order of the flow. */
export const customerParties = ({ parties }: Pick<FlowDefinition, 'parties'>) =>
  parties.filter(({ type }) => type !== OWNER_PARTY);

/** Whether a run takes something of what customers share: the key of the service opens that. */
export const takesShared = ({ definition }: Pick<FlowVersion, 'definition'>): boolean =>
  partyTags(definition).others.length > 0 || connectionSources(definition).length > 0;

/** What the texts of a new run would say of its customers, by tag: what they share with the service. */
export const sharedTagsQuery = (
  { place, run }: Pick<NewRun, 'place' | 'run'>,
  key: OpenKey,
): Query<Readonly<Record<string, string>>> => ({
  key: portalKeys.sharedTags(
    ...[place.serviceId, place.flowId, place.version, numberOf(key)],
    ...[run.connectionId, JSON.stringify(run.bindings)],
  ),
  read: () => sharedTagsBeside({ place, run, key }),
  isFresh: true,
});

/** What a login has typed for the texts of a new run, sealed to the open key of the service. */
export const draftOfStart = (serviceId: string, flowId: string, loginId: string) =>
  new Draft<string>(`start.${flowId}`, customerDrafts(serviceId, loginId));

/**
 * Starts a run with a customer.
 * @throws SymbolonError `page.former_service_key`, `flows.bindings_invalid`, `flows.source_files_invalid`, `flows.version_changed`, `flows.runs_limit`; UnconfirmedKeyError `sdk.person_key_changed`
 */
export async function startNewRun(start: Omit<NewRun, 'token'>): Promise<FlowRun> {
  const { flowId, serviceId } = start.place;
  if (start.key !== undefined) requireCurrentKey(await readService(serviceId));
  const run = await startBeside(start);
  await Promise.all([
    outdate(portalKeys.companyRuns(serviceId, flowId)),
    outdate(portalKeys.companyRunBoard(serviceId, flowId)),
    outdate(portalKeys.customerRuns(serviceId)),
  ]);
  return run;
}
