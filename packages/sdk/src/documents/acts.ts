import { encodeBase64 } from '@symbolon/crypto';
import type {
  AcceptDocumentRequest,
  CancelDocumentRequest,
  CustomerDocument,
  DocumentActProof,
  SignDocumentRequest,
} from '@symbolon/protocol';
import type { DocumentContent } from './document-content.ts';

/** A document with what it holds, opened. */
export type OpenDocument<Document extends CustomerDocument = CustomerDocument> = {
  document: Document;
  content: DocumentContent;
};

/** Who signs, by the name that stands on the document. */
export type Signer = { firstName: string; lastName: string };

/** What a signature is for. */
type Named = { document: { id: string }; content: { sha256: string } };

/** What a proof of presence is made for. */
export const documentActs = {
  sign: ({ document: { id }, content: { sha256 } }: Named) => `sign document ${id} ${sha256}`,
  accept: (opened: OpenDocument) => `accept document ${opened.document.id} ${namedDigest(opened) ?? '-'}`,
};

/** Makes the proof for an act. */
type Prove = (act: string) => Promise<DocumentActProof>;

export async function signRequest(
  opened: OpenDocument,
  { firstName, lastName }: Signer,
  prove: Prove,
): Promise<SignDocumentRequest> {
  return {
    content_sha256: opened.content.sha256,
    first_name: firstName,
    last_name: lastName,
    proof: await prove(documentActs.sign(opened)),
    ...completing(opened, 'signed'),
  };
}

/** @param prove nothing when nothing is to be proved */
export async function acceptRequest(
  opened: OpenDocument,
  prove: Prove | undefined,
): Promise<AcceptDocumentRequest> {
  return {
    content_sha256: namedDigest(opened),
    ...(prove && { proof: await prove(documentActs.accept(opened)) }),
    ...completing(opened, 'accepted'),
  };
}

export const cancelRequest = (note: string | undefined): CancelDocumentRequest =>
  note === undefined ? {} : { note };

/** The digest that an acceptance names; null of a file without a stored one. */
function namedDigest({ document, content }: OpenDocument): string | null {
  return content.kind === 'file' && document.plain_sha256 === null ? null : content.sha256;
}

/** The file goes with the act that completes it, where there is a digest to compare it with. */
function completing({ document, content }: OpenDocument, act: 'signed' | 'accepted'): { pdf?: string } {
  const done = new Set([act, ...document.signatures.map(({ action }) => action)]);
  const isComplete =
    (!document.requires_signature || done.has('signed')) &&
    (!document.requires_acceptance || done.has('accepted'));
  if (!isComplete || content.kind !== 'file' || document.plain_sha256 === null) return {};
  return { pdf: encodeBase64(content.file.bytes) };
}
