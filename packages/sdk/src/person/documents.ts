import { type CryptoKey, encodeBase64 } from '@symbolon/crypto';
import type {
  AcceptDocumentRequest,
  CancelDocumentRequest,
  DocumentActProof,
  ListedPersonDocument,
  PersonDocument,
  PersonDocumentList,
  PresenceProof,
  SignDocumentRequest,
} from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import { type DocumentContent, documentContent } from './document-content.ts';
import type { PersonProof } from './presence.ts';

type Parts<Proof> = {
  api: Pick<Api, 'json' | 'done' | 'send'>;
  /** @throws when the client cannot open anything */
  key: () => CryptoKey;
  prove: (act: string, proof: Proof) => Promise<PresenceProof>;
};

/** A document with what it holds, opened. */
export type OpenDocument = { document: PersonDocument; content: DocumentContent };

/** Who signs, by the name that stands on the document. */
export type Signer = { firstName: string; lastName: string };

/**
 * A challenge of the service that issued the document, in the place of a proof: the person approved it by a passkey or a second
 * factor within the last five minutes, and its context ends with the act.
 */
export type ApprovedChallenge = { challenge: string };

/** What a proof of presence is made for. */
export const documentActs = {
  sign: ({ document: { id }, content: { sha256 } }: OpenDocument) => `sign document ${id} ${sha256}`,
  accept: (opened: OpenDocument) => `accept document ${opened.document.id} ${namedDigest(opened) ?? '-'}`,
};

/** Documents and contracts that services gave to the person (wire 11.2): `documents` of a person client. */
export class PersonDocuments<Proof = PersonProof> {
  readonly #parts: Parts<Proof>;

  constructor(parts: Parts<Proof>) {
    this.#parts = parts;
  }

  /** Oldest first, without what they hold. */
  async list(): Promise<ListedPersonDocument[]> {
    const call = { method: 'GET', path: '/api/person/documents' } as const;
    return (await this.#parts.api.json<PersonDocumentList>(call)).documents;
  }

  /** @throws NotFoundError `documents.not_found` */
  get(id: string): Promise<PersonDocument> {
    return this.#parts.api.json({ method: 'GET', path: path`/api/person/documents/${id}` });
  }

  /**
   * Reads a document and opens what it holds; the sealed PDF, once it is sealed. The bytes of a file are compared with the
   * digest that the platform stored.
   *
   * @throws NotFoundError `documents.not_found`, `documents.file_not_found` before its upload; DecryptionError `sdk.unreadable`,
   * `sdk.key_locked`; TransportError `sdk.digest_mismatch`
   */
  async open(id: string): Promise<OpenDocument> {
    const document = await this.get(id);
    return { document, content: await documentContent(this.#parts, document) };
  }

  /** Deletes the person's own copy; the company keeps the document. @throws ConflictError `documents.for_all` */
  delete(id: string): Promise<void> {
    return this.#parts.api.done({ method: 'DELETE', path: path`/api/person/documents/${id}` });
  }
  /**
   * Signs what was opened. The signature that completes a file hands it to the platform, which seals it and keeps no plain copy:
   * afterwards `open` gives the sealed PDF. Repeating a signature changes nothing.
   *
   * @param proof a passkey, the password with a code, or a challenge; neither the password alone nor a recovery code signs
   * @throws ConflictError `documents.not_signable`, `documents.content_mismatch`, `documents.challenge_invalid`; InvalidRequestError
   * `documents.pdf_unsupported`; UnavailableError `documents.seal_unavailable`; AuthenticationError `auth.two_factor_required`
   */
  async sign(
    opened: OpenDocument,
    { firstName, lastName }: Signer,
    proof: Proof | ApprovedChallenge,
  ): Promise<PersonDocument> {
    const json: SignDocumentRequest = {
      content_sha256: opened.content.sha256,
      first_name: firstName,
      last_name: lastName,
      proof: await this.#prove(documentActs.sign(opened), proof),
      ...completing(opened, 'signed'),
    };
    return this.#act(opened, 'sign', json);
  }

  /**
   * Accepts what was opened, otherwise as `sign`.
   *
   * @throws ConflictError `documents.not_acceptable`, and what `sign` throws
   */
  async accept(opened: OpenDocument, proof?: Proof | ApprovedChallenge): Promise<PersonDocument> {
    const json: AcceptDocumentRequest = {
      content_sha256: namedDigest(opened),
      ...(proof !== undefined && { proof: await this.#prove(documentActs.accept(opened), proof) }),
      ...completing(opened, 'accepted'),
    };
    return this.#act(opened, 'accept', json);
  }

  /**
   * Cancels a contract: at once, or at the date that it names (wire 11.4).
   *
   * @param note which the company reads
   * @throws ConflictError `documents.not_cancellable`
   */
  cancel(id: string, note?: string): Promise<PersonDocument> {
    const json: CancelDocumentRequest = note === undefined ? {} : { note };
    const address = path`/api/person/documents/${id}/cancel`;
    return this.#parts.api.json({ method: 'POST', path: address, json, idempotent: true });
  }

  async #prove(act: string, proof: Proof | ApprovedChallenge): Promise<DocumentActProof> {
    if (isChallenge(proof)) return { kind: 'challenge', challenge_id: proof.challenge };
    return this.#parts.prove(act, proof);
  }

  #act({ document }: OpenDocument, act: 'sign' | 'accept', json: object): Promise<PersonDocument> {
    const address = `${path`/api/person/documents/${document.id}`}/${act}`;
    return this.#parts.api.json({ method: 'POST', path: address, json });
  }
}

const isChallenge = (proof: unknown): proof is ApprovedChallenge =>
  typeof proof === 'object' && proof !== null && 'challenge' in proof;

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
