import type { FlowRun, FlowRunDocument, FlowRunStep, ServiceCustomer } from '@symbolon/protocol';
import type { Customers } from '../../../platform/portal/customers.ts';
import { awaitedKey, columnOf, nodeOf, stateOf } from '../../../platform/portal/run-column.ts';

/** Whether it can still be cancelled. */
export const isOpen = (run: Pick<FlowRun, 'status'>) => !['completed', 'cancelled'].includes(stateOf(run));

/** Whether documents wait for signatures, and none is signed or accepted. */
export const isUntouched = (run: Pick<FlowRun, 'status' | 'participants'>): boolean =>
  stateOf(run) === 'signing' &&
  run.participants.every(({ documents }) => documents.every(({ action }) => action === null));

/** The party that a run waits for, as the flow calls it. */
export function awaitedOf(run: Pick<FlowRun, 'status' | 'definition' | 'current_node'>): string | undefined {
  if (stateOf(run) !== 'waiting') return undefined;
  const key = awaitedKey(run);
  return run.definition.parties.find((party) => party.key === key)?.label || key;
}

/** The title of the step that is to be answered now; none while no answers are awaited. */
export const stepOf = (run: Pick<FlowRun, 'status' | 'definition' | 'current_node'>): string | undefined =>
  stateOf(run) === 'waiting' ? nodeOf(run.definition, run.current_node)?.title || undefined : undefined;

/** What the company is to do now: answer a step, or have the documents made whose last step it answered. */
export function turnOf(
  run: Parameters<typeof columnOf>[0],
  steps: readonly Pick<FlowRunStep, 'party'>[],
): 'answer' | 'make' | undefined {
  const column = columnOf(run);
  if (column === 'company') return 'answer';
  const last = steps.at(-1)?.party;
  const isOurs = last !== undefined && run.bindings[last] === run.company_user_id;
  return column === 'generating' && isOurs ? 'make' : undefined;
}

/** A party that is not the company itself, with its customer; none whose connection has ended. */
export interface CustomerOfRun {
  readonly key: string;
  readonly party: string;
  readonly customer: ServiceCustomer | undefined;
}

/** The customers who take part in a run, in the order in which the flow names its parties. */
export function customersIn(
  run: Pick<FlowRun, 'participants' | 'definition' | 'company_user_id'>,
  customers: Customers,
): CustomerOfRun[] {
  const order = run.definition.parties.map(({ key }) => key);
  return run.participants
    .filter(({ person_user_id: user }) => user !== run.company_user_id)
    .sort((a, b) => order.indexOf(a.party_key) - order.indexOf(b.party_key))
    .map(({ party_key: key, connection_id: id }) => ({
      key,
      party: run.definition.parties.find((party) => party.key === key)?.label || key,
      customer: id === null ? undefined : customers.get(id),
    }));
}

/** Whether answers would go to others than those whom the page names. */
export const isBoundOtherwise = (
  { participants, bindings }: Pick<FlowRun, 'participants' | 'bindings'>,
  customers: Customers,
): boolean =>
  participants.some(({ party_key: party, person_user_id: user, connection_id: connection }) => {
    const named = connection === null ? undefined : customers.get(connection)?.user_id;
    return bindings[party] !== user || (named !== undefined && named !== user);
  });

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
  // A copy with which everything was done stays open until the others have acted, too.
  if (status === 'ready_to_sign') return isSigned && action !== 'signed' ? 'sign' : undefined;
  return status === 'offering' && isAccepted && action !== 'accepted' ? 'accept' : undefined;
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

/** What the colour of a run's state says. */
export const RUN_TONES = {
  waiting: 'warn',
  generating: 'warn',
  signing: 'warn',
  completed: 'good',
  cancelled: 'neutral',
} as const;
