import { AccountEvent, Event } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Ids } from '../../../core/ids.ts';
import type { Writer } from '../../../db/database.ts';
import type { Outbox, RaisedEvent, AccountEvent as RaisedOnAccount } from '../../../events/outbox.ts';
import { accountEvent } from '../../sharing/index.ts';
import { type ListedDocument, linkOf } from './store.ts';
import type { DocumentActRow } from './tables.ts';

type DocumentEvent = 'documentCreated' | 'documentUpdated' | 'documentDeleted' | 'documentStatusChanged';

/** The members of the events about a document's life. */
export const lifeOf = ({ id, name, kind, payload_kind }: ListedDocument) => ({
  document_id: id,
  name,
  kind,
  payload_kind,
});

/** What is raised about one document. */
interface AboutDocument {
  readonly event: DocumentEvent;
  readonly document: ListedDocument;
  readonly payload: Readonly<Record<string, unknown>>;
  /** It is the service's own matter: the account of the customer hears nothing. */
  readonly onlyService?: boolean;
}

interface Deps {
  readonly outbox: Outbox;
  readonly ids: Ids;
}

/** Raises an event about a document of one customer; see `raiseAll`. */
export function raiseAbout(
  deps: Deps,
  writer: Writer,
  document: ListedDocument,
  event: DocumentEvent,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  return raiseAll(deps, writer, [{ event, document, payload }]);
}

/** The events that an act raises. */
export interface RaisedTogether {
  readonly events: readonly RaisedEvent[];
  readonly onAccounts: readonly RaisedOnAccount[];
}

export interface StatusChange {
  readonly document: ListedDocument;
  readonly act?: DocumentActRow;
  /** Where it became active: whose signature completed it. */
  readonly signer?: Signer | undefined;
  readonly onlyService?: boolean;
}

/** Who signed, as the event of a document that became active tells it. */
export type Signer = Pick<DocumentActRow, 'signer_first_name' | 'signer_last_name' | 'signer_name_verified'>;

/** The last signature of those who acted; where an acceptance completes, it is that of an act before. */
export const lastSigner = <Act extends Signer & Pick<DocumentActRow, 'action' | 'created_at'>>(
  acts: readonly Act[],
): Act | undefined =>
  acts
    .filter(({ action }) => action === 'signed')
    .toSorted((a, b) => a.created_at - b.created_at)
    .at(-1);

/**
 * Raises that the status of documents of one service changed, other than by the service itself (wire 6.2); see `raiseAll`.
 * @param changes the documents as they are now, each with what its customer did; without an act, time or the platform did it
 * @param beside what the same act raises of others
 */
export async function raiseStatusChanges(
  deps: Deps,
  writer: Writer,
  changes: readonly StatusChange[],
  beside: RaisedTogether = { events: [], onAccounts: [] },
): Promise<void> {
  const { events, onAccounts } = await statusChanges(deps, writer, changes);
  const all = [...events, ...beside.events];
  if (all.length > 0) await deps.outbox.raise(writer, all, [...onAccounts, ...beside.onAccounts]);
}

/** The events of `raiseStatusChanges`, for a caller that raises them with others. */
export function statusChanges(
  deps: Pick<Deps, 'ids'>,
  writer: Writer,
  changes: readonly StatusChange[],
): Promise<RaisedTogether> {
  const raised = changes.map(({ document, act, signer, onlyService = false }) => ({
    event: 'documentStatusChanged' as const,
    document,
    payload: statusChange(document, act, signer),
    onlyService,
  }));
  return together(deps, writer, raised);
}

/** The events of new documents, for a caller that raises them with others. */
export const documentsCreated = (
  deps: Pick<Deps, 'ids'>,
  writer: Writer,
  documents: readonly ListedDocument[],
): Promise<RaisedTogether> => livesOf(deps, writer, 'documentCreated', documents);

/** The events of deleted documents, for a caller that raises them with others. */
export const documentsDeleted = (
  deps: Pick<Deps, 'ids'>,
  writer: Writer,
  documents: readonly ListedDocument[],
): Promise<RaisedTogether> => livesOf(deps, writer, 'documentDeleted', documents);

function livesOf(
  deps: Pick<Deps, 'ids'>,
  writer: Writer,
  event: 'documentCreated' | 'documentDeleted',
  documents: readonly ListedDocument[],
): Promise<RaisedTogether> {
  const raised = documents.map((document) => ({ event, document, payload: lifeOf(document) }));
  return together(deps, writer, raised);
}

function statusChange(
  document: ListedDocument,
  act: DocumentActRow | undefined,
  completedBy: Signer | undefined,
) {
  const signed = act?.action === 'signed' ? act : undefined;
  const isActive = document.status === 'active';
  // The seal and the signer belong to the transition to active alone.
  const sealedAt = isActive ? document.sealed_at : null;
  const signer = isActive ? completedBy : undefined;
  const isVerified = signer?.signer_name_verified ?? null;
  return {
    document_id: document.id,
    status: document.status,
    action: act?.action ?? null,
    method: signed?.method ?? null,
    content_sha256: signed?.content_sha256 ?? null,
    signed_at: signed === undefined ? null : isoTime(signed.created_at),
    cancel_effective_date: act?.effective_date ?? null,
    sealed_at: sealedAt === null ? null : isoTime(sealedAt),
    plain_sha256: isActive ? document.plain_sha256 : null,
    signer_first_name: signer?.signer_first_name ?? null,
    signer_last_name: signer?.signer_last_name ?? null,
    signer_name_verified: isVerified === null ? null : isVerified === 1,
    note: act?.note ?? null,
  };
}

/**
 * Raises events about documents of one service: for the service, and for a company that is the customer and still connected.
 * Documents for all customers raise none. The caller holds the lock of the service; call it last.
 */
async function raiseAll(deps: Deps, writer: Writer, raised: readonly AboutDocument[]): Promise<void> {
  const { events, onAccounts } = await together(deps, writer, raised);
  if (events.length > 0) await deps.outbox.raise(writer, events, onAccounts);
}

async function together(
  { ids }: Pick<Deps, 'ids'>,
  writer: Writer,
  raised: readonly AboutDocument[],
): Promise<RaisedTogether> {
  const events: RaisedEvent[] = [];
  const onAccounts: RaisedOnAccount[] = [];
  for (const { event, document, payload, onlyService } of raised) {
    const { customer_id, customer_type, share_code, connection_id } = document;
    if (customer_id === null || customer_type === null || connection_id === null) continue;
    events.push({
      event: Event[event],
      companyId: document.company_id,
      serviceId: document.service_id,
      customer: { id: customer_id, type: customer_type, shareCode: share_code },
      connectionId: connection_id,
      documentId: document.id,
      payload,
    });
    if (onlyService) continue;
    const link = customer_type === 'company' ? await linkOf(writer, document, connection_id) : undefined;
    if (link === undefined) continue;
    onAccounts.push({
      ...accountEvent(AccountEvent[event], link, link.connection, share_code ?? '', payload),
      // Only the latest status counts; what else happens to a document stands for itself.
      about: event === 'documentStatusChanged' ? document.id : ids.uuid(),
    });
  }
  return { events, onAccounts };
}
