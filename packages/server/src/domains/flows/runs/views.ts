import type {
  CustomerFlowRun,
  FlowParticipant,
  FlowRun,
  FlowRunStep,
  FlowTagValues,
  ListedFlowRun,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { isFileText } from '../../../core/stored-file.ts';
import type { Reader } from '../../../db/database.ts';
import type { PublishedFlows } from '../definitions/published.ts';
import type { Caller, SeenRun } from './access.ts';
import type { PartyDocument, RunDocuments } from './ports.ts';
import { fileValue } from './sealed-copy.ts';
import type { ListedRun, StandingRun } from './standing-store.ts';
import { bindingsOf, placesOf, versionOf } from './states.ts';
import { stepsOf } from './step-store.ts';
import { copiesFor } from './store.ts';
import type { FlowRunCopyRow } from './tables.ts';

interface Deps {
  readonly flows: PublishedFlows;
  readonly documents: RunDocuments;
}

/** Runs as their parties read them: each has the copies that it can open. */
export class RunViews {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** One run. */
  async view(reader: Reader, caller: Caller, seen: SeenRun): Promise<FlowRun> {
    const { run, parties } = seen;
    const { documents, flows } = this.#deps;
    const definition = await flows.shown(reader, versionOf(run));
    // An answer may have come after the run was read.
    const copies = (await copiesFor(reader, caller.userId, [run.id])).filter(
      ({ place }) => place < placesOf(run.acts + 1),
    );
    const made = (await documents.ofRuns(reader, [run.id])).get(run.id) ?? [];
    const [tags] = copies.filter(({ kind }) => kind === 'tags');
    return {
      ...listed(run, caller, seen),
      definition,
      answers: copies.filter(({ kind }) => kind === 'answer').map(viewAnswer),
      reference_date: run.reference_date,
      private_slugs: JSON.parse(run.private_slugs) as string[],
      participants: participantsOf(run, caller, { run, parties }, made),
      source_files: Object.fromEntries(
        copies.filter(({ kind }) => kind === 'source').map(({ key, id }) => [key, id]),
      ),
      owner_tag_values: JSON.parse(run.owner_tag_values) as FlowRun['owner_tag_values'],
      tag_values: tags === undefined ? null : (JSON.parse(tags.value) as FlowTagValues),
      document_id: run.document_id,
      failure: run.failure,
      ...times(run),
    };
  }

  /** When which step was answered, by which party. */
  async steps(reader: Reader, { run }: SeenRun): Promise<FlowRunStep[]> {
    const { nodes } = await this.#deps.flows.definition(reader, versionOf(run));
    const parties = new Map(nodes.map(({ key, party }) => [key, party]));
    return (await stepsOf(reader, run)).map(({ node, answered_at }) => ({
      node,
      party: parties.get(node) ?? '',
      answered_at: isoTime(answered_at),
    }));
  }

  /** A run with who asks, for a customer. */
  async viewForCustomer(reader: Reader, caller: Caller, seen: SeenRun): Promise<CustomerFlowRun> {
    return { ...(await this.view(reader, caller, seen)), ...askingOf(seen.run) };
  }
}

interface ListedSeen extends Pick<SeenRun, 'parties'> {
  readonly run: ListedRun;
}

/** A run in a list, without what is long in it. */
export function viewInList(caller: Caller, seen: ListedSeen): ListedFlowRun {
  return { ...listed(seen.run, caller, seen), ...askingOf(seen.run), ...times(seen.run) };
}

function listed(run: ListedRun, caller: Caller, seen: Pick<SeenRun, 'parties'>) {
  return {
    id: run.id,
    reference: run.reference,
    flow_id: run.flow_id,
    flow_version: run.flow_version,
    service_id: run.service_id,
    connection_id: caller.side === 'company' ? run.standing_id : ownConnection(caller, seen),
    company_user_id: run.company_id,
    bindings: Object.fromEntries(bindingsOf(run)),
    status: run.status,
    current_node: run.current_node,
    output_mode: run.output_mode,
  };
}

/** Of a company the id under which it has its connections to the owning company. */
function ownConnection(caller: Caller, { parties }: Pick<SeenRun, 'parties'>): string | null {
  const own = parties.find(({ user_id }) => user_id === caller.userId);
  return own === undefined ? null : (own.group_id ?? own.standing_id);
}

function participantsOf(
  run: StandingRun,
  caller: Caller,
  seen: SeenRun,
  documents: readonly PartyDocument[],
): FlowParticipant[] {
  const connections = new Map(seen.parties.map(({ user_id, standing_id }) => [user_id, standing_id]));
  if (caller.side === 'customer') connections.set(caller.userId, ownConnection(caller, seen));
  return [...bindingsOf(run)].map(([party, user]) => ({
    party_key: party,
    person_user_id: user,
    connection_id: connections.get(user) ?? null,
    documents: documents
      .filter(({ party_key }) => party_key === party)
      .map(({ party_key: _, ...document }) => document),
  }));
}

const askingOf = (run: ListedRun) => ({
  flow_name: run.flow_name,
  company: { user_id: run.company_id, display_name: run.company_name, share_code: run.company_code },
  service: { id: run.service_id, name: run.service_name, share_code: run.service_code },
});

const times = (run: ListedRun) => ({
  created_at: isoTime(run.created_at),
  updated_at: isoTime(run.updated_at),
});

const viewAnswer = ({ key, user_id, id, value }: FlowRunCopyRow) => ({
  slug: key,
  for_user_id: user_id,
  value: isFileText(value) ? fileValue(id) : value,
});
