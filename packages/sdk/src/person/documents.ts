import type { CryptoKey } from '@symbolon/crypto';
import type {
  DocumentActProof,
  ListedPersonDocument,
  PersonDocument,
  PersonDocumentList,
  PresenceProof,
} from '@symbolon/protocol';
import {
  acceptRequest,
  cancelRequest,
  type OpenDocument as Opened,
  type Signer,
  signRequest,
} from '../documents/acts.ts';
import { documentContent } from '../documents/document-content.ts';
import { type Comparison, requireSameCopy } from '../flows/document-answers.ts';
import type { OpenFlowRun } from '../flows/open-run.ts';
import { type Api, path } from '../http/api.ts';
import { type Transfer, transferOf } from '../http/progress.ts';
import type { PersonProof } from './presence.ts';

type Parts<Proof> = {
  api: Pick<Api, 'json' | 'done' | 'send'>;
  /** @throws when the client cannot open anything */
  key: () => CryptoKey;
  prove: (act: string, proof: Proof) => Promise<PresenceProof>;
  /** Reads and opens a run. Without it documents of runs are signed as they are: for pages that show the differences. */
  openRun?: (id: string) => Promise<OpenFlowRun>;
};

/** A document with what it holds, opened. */
export type OpenDocument = Opened<PersonDocument>;

/**
 * A challenge of the service that issued the document, in the place of a proof: the person approved it by a passkey or a second
 * factor within the last five minutes, and its context ends with the act.
 */
export type ApprovedChallenge = { challenge: string };

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
    return this.#parts.api.json({ method: 'GET', path: addressOf(id) });
  }

  /**
   * Reads a document and opens what it holds; the sealed PDF, once it is sealed. The bytes of a file are compared with the
   * digest that the platform stored.
   *
   * @throws NotFoundError `documents.not_found`, `documents.file_not_found` before its upload; DecryptionError `sdk.unreadable`,
   * `sdk.key_locked`; TransportError `sdk.digest_mismatch`
   */
  async open(id: string, transfer?: Transfer): Promise<OpenDocument> {
    const { api, key } = this.#parts;
    const document = await this.get(id);
    const parts = { api, key, address: addressOf(id), transfer };
    return { document, content: await documentContent(parts, document) };
  }

  /** Deletes the person's own copy; the company keeps the document. @throws ConflictError `documents.for_all` */
  delete(id: string): Promise<void> {
    return this.#parts.api.done({ method: 'DELETE', path: addressOf(id) });
  }

  /**
   * Signs what was opened. The signature that completes a file hands it to the platform, which seals it and keeps no plain copy:
   * afterwards `open` gives the sealed PDF. Repeating a signature changes nothing.
   *
   * A document that a flow made is compared with the answers of its run first: `how` says by which reader of PDF files, or that it
   * was done. Another party said what it is filled with, and the platform cannot check that.
   *
   * @param proof a passkey, the password with a code, or a challenge; neither the password alone nor a recovery code signs
   * @throws ConflictError `sdk.document_differs` with `answers`, `sdk.document_not_compared`, `documents.not_signable`, `documents.content_mismatch`, `documents.challenge_invalid`;
   * InvalidRequestError `documents.pdf_unsupported`; UnavailableError `documents.seal_unavailable`; AuthenticationError
   * `auth.two_factor_required`
   */
  async sign(
    opened: OpenDocument,
    signer: Signer,
    proof: Proof | ApprovedChallenge,
    how: Partial<Comparison> & Transfer = {},
  ): Promise<PersonDocument> {
    await this.#requireSame(opened, how);
    const json = await signRequest(opened, signer, (act) => this.#prove(act, proof));
    return this.#act(opened.document.id, 'sign', json, transferOf(how));
  }

  /**
   * Accepts what was opened, otherwise as `sign`.
   *
   * @throws ConflictError `documents.not_acceptable`, and what `sign` throws
   */
  async accept(
    opened: OpenDocument,
    proof?: Proof | ApprovedChallenge,
    how: Partial<Comparison> & Transfer = {},
  ): Promise<PersonDocument> {
    await this.#requireSame(opened, how);
    const prove = proof === undefined ? undefined : (act: string) => this.#prove(act, proof);
    return this.#act(opened.document.id, 'accept', await acceptRequest(opened, prove), transferOf(how));
  }

  /**
   * Cancels a contract: at once, or at the date that it names (wire 11.4).
   *
   * @param note which the company reads
   * @throws ConflictError `documents.not_cancellable`
   */
  cancel(id: string, note?: string): Promise<PersonDocument> {
    const json = cancelRequest(note);
    return this.#parts.api.json({
      method: 'POST',
      path: `${addressOf(id)}/cancel`,
      json,
      idempotent: true,
    });
  }

  async #requireSame(opened: OpenDocument, by: Partial<Comparison>): Promise<void> {
    const { openRun } = this.#parts;
    if (openRun !== undefined) await requireSameCopy(opened, { openRun, by });
  }

  async #prove(act: string, proof: Proof | ApprovedChallenge): Promise<DocumentActProof> {
    if (isChallenge(proof)) return { kind: 'challenge', challenge_id: proof.challenge };
    return this.#parts.prove(act, proof);
  }

  #act(id: string, act: 'sign' | 'accept', json: object, transfer?: Transfer): Promise<PersonDocument> {
    return this.#parts.api.json({ method: 'POST', path: `${addressOf(id)}/${act}`, json, ...transfer });
  }
}

const addressOf = (id: string) => path`/api/person/documents/${id}`;

const isChallenge = (proof: unknown): proof is ApprovedChallenge =>
  typeof proof === 'object' && proof !== null && 'challenge' in proof;
