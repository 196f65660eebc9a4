import type { DocumentStatus } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { CustomersDocument } from '../documents/customer-store.ts';
import type { DocumentActRow } from '../documents/tables.ts';
import { isLast, type Line } from '../run-copies/lines.ts';

export type ActAction = 'signed' | 'accepted';

/** What an act says that a document is about. */
export interface ActContent {
  readonly action: ActAction;
  /** Of the bytes that the customer saw; null when the customer names none. */
  readonly contentSha256: string | null;
}

/** What an act comes to. */
export interface ActEffect {
  readonly status: DocumentStatus;
  /** Whether the customer has done with it everything that is asked. */
  readonly isDone: boolean;
  /** Whether the file is sealed: with this act everybody has done what is asked. */
  readonly seals: boolean;
  /** What is stored as the digest of what the customer saw. */
  readonly contentSha256: string | null;
}

/** The act of this kind that stands: each is done once. */
export function standingAct(acts: readonly DocumentActRow[], action: ActAction): DocumentActRow | undefined {
  return acts.find((act) => act.action === action);
}

/**
 * What an act that does not stand yet does to a document.
 * @param hasFile whether the file was uploaded
 * @param line of a document of a run: its copies are completed together, by the last act
 * @throws {PlatformError} documents.not_signable, documents.not_acceptable, documents.content_mismatch
 */
export function effectOf(
  document: CustomersDocument,
  { acts, hasFile, line }: { acts: readonly DocumentActRow[]; hasFile: boolean; line: Line | undefined },
  { action, contentSha256 }: ActContent,
): ActEffect {
  const isFile = document.payload_kind === 'file';
  const digest = document.plain_sha256;
  const isAsked = action === 'signed' ? document.requires_signature : document.requires_acceptance;
  if (isAsked !== 1 || !isOpen(document) || (isFile && !hasFile)) throw refusalOf(action);
  if (action === 'signed' && isFile && digest === null) throw refusalOf(action);
  if (isFile && digest !== null && contentSha256 !== digest)
    throw new PlatformError('documents.content_mismatch');
  const did = (what: ActAction) => what === action || standingAct(acts, what) !== undefined;
  const isSignatureOpen = document.requires_signature === 1 && !did('signed');
  const isAcceptanceOpen = document.requires_acceptance === 1 && !did('accepted');
  const isWhole = line === undefined || isLast(line, document.id);
  const isDone = !isSignatureOpen && !isAcceptanceOpen;
  const status = isSignatureOpen
    ? 'ready_to_sign'
    : isAcceptanceOpen
      ? 'offering'
      : // Until the other parties have acted, the copy stays as it was.
        isWhole
        ? 'active'
        : document.status;
  return {
    status,
    isDone,
    seals: status === 'active' && isFile && digest !== null,
    // What the server has no digest of is accepted without one.
    contentSha256: isFile && digest === null ? null : contentSha256,
  };
}

/** Whether the customer may still act: it is offered, and the connection that it was issued for stands. */
function isOpen({ status, connection_id, link_id, deleted_at }: CustomersDocument): boolean {
  return (
    (status === 'offering' || status === 'ready_to_sign') &&
    deleted_at === null &&
    connection_id !== null &&
    connection_id === link_id
  );
}

const refusalOf = (action: ActAction) =>
  new PlatformError(action === 'signed' ? 'documents.not_signable' : 'documents.not_acceptable');
