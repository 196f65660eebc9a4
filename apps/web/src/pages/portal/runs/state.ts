import type { FlowDefinition, FlowNode } from '@symbolon/flows';
import type { FlowRun, FlowRunDocument } from '@symbolon/protocol';

/** What a status says in general; `awaiting_<party>` waits for a party of the flow. */
export type RunState = 'waiting' | 'generating' | 'signing' | 'completed' | 'cancelled';

export function stateOf({ status }: Pick<FlowRun, 'status'>): RunState {
  if (status === 'awaiting_signature') return 'signing';
  if (status === 'generating' || status === 'completed' || status === 'cancelled') return status;
  return 'waiting';
}

/** Whether it can still be cancelled. */
export const isOpen = (run: Pick<FlowRun, 'status'>) => !['completed', 'cancelled'].includes(stateOf(run));

/** The party that a run waits for, as the flow calls it. */
export function awaitedOf(run: Pick<FlowRun, 'status' | 'definition' | 'current_node'>): string | undefined {
  if (stateOf(run) !== 'waiting') return undefined;
  const key = nodeOf(run.definition, run.current_node)?.party ?? run.status.replace('awaiting_', '');
  return run.definition.parties.find((party) => party.key === key)?.label || key;
}

const nodeOf = ({ nodes }: FlowDefinition, key: string | null) => nodes.find((node) => node.key === key);

/** The steps that were answered, in their order: those with an answer, of which the company has a copy. */
export function answeredSteps({
  definition,
  answers,
  current_node: current,
}: Pick<FlowRun, 'definition' | 'answers' | 'current_node'>): FlowNode[] {
  const slugs = new Set(answers.map(({ slug }) => slug));
  return inOrder(definition).filter(
    ({ key, elements }) => key !== current && elements.some((each) => 'slug' in each && slugs.has(each.slug)),
  );
}

/** The steps so that each stands behind those that lead to it (Kahn's algorithm). */
function inOrder({ nodes, edges }: FlowDefinition): FlowNode[] {
  const leading = new Map(nodes.map(({ key }) => [key, 0]));
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) {
    leading.set(to, (leading.get(to) ?? 0) + 1);
    targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  const free = nodes.flatMap(({ key }) => (leading.get(key) === 0 ? key : []));
  const order: string[] = [];
  for (let key = free.shift(); key !== undefined; key = free.shift()) {
    order.push(key);
    for (const to of targets.get(key) ?? []) {
      const left = (leading.get(to) ?? 0) - 1;
      leading.set(to, left);
      if (left === 0) free.push(to);
    }
  }
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  return order.flatMap((key) => byKey.get(key) ?? []);
}

/** A party's copy of a document. */
export interface PartyCopy {
  readonly party: string;
  readonly document: FlowRunDocument;
}

/** The company's own copy of a document; none when it is no participant of it. */
export const ownCopyOf = (
  { participants, company_user_id: company }: Pick<FlowRun, 'participants' | 'company_user_id'>,
  outputKey: string,
): FlowRunDocument | undefined =>
  participants
    .filter(({ person_user_id: user }) => user === company)
    .flatMap(({ documents }) => documents)
    .find(({ output_key: key }) => key === outputKey);

/** What is asked with a copy now. One that is to be signed and accepted is signed first. */
export function askedOf({
  document_status: status,
  action,
  requires_signature: isSigned,
  requires_acceptance: isAccepted,
}: FlowRunDocument): 'sign' | 'accept' | undefined {
  if (status !== 'ready_to_sign' && status !== 'offering') return undefined;
  if (isSigned && action === null) return 'sign';
  return isAccepted && action !== 'accepted' ? 'accept' : undefined;
}

/** How a copy stands, for a text `run.copy.…`. */
export function copyState(document: FlowRunDocument) {
  const { document_status: status, action } = document;
  return askedOf(document) ?? action ?? (status === 'waiting' || status === 'ended' ? status : 'read');
}

/** Whether everybody has signed and accepted, so that the copies are the sealed file. */
export const isSealed = ({ document_status: status }: FlowRunDocument, line: readonly PartyCopy[]): boolean =>
  status === 'active' &&
  line.some(({ document }) => document.requires_signature || document.requires_acceptance);
