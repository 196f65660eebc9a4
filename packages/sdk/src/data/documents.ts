import { hash, type KeyObject } from 'node:crypto';
import { buildDataUri, parseFileEnvelope } from '@symbolon/crypto';
import { openTextSync } from '@symbolon/crypto/node';
import type {
  CompanyConnection,
  CreateDocumentRequest,
  Document,
  DocumentStatus,
  UpdateDocumentRequest,
} from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { type DocumentFile, envelopeOf } from '../documents/document-file.ts';
import { type Api, path } from '../http/api.ts';
import { DecryptionError, TransportError } from '../http/errors.ts';
import type { OnProgress, Transfer } from '../http/progress.ts';
import { jsonOf } from '../http/transport.ts';
import { ContractCheck, type ContractWarning } from './contract-check.ts';
import { type ListPage, ListWalk } from './list-walk.ts';
import type { PeopleKeys } from './people-keys.ts';

/** The recipient of a document: the id of a person or a company, or of a connection. */
export type DocumentRecipient = { userId: string } | { connectionId: string };

export type NewDocument = {
  name: string;
  /** Default `document`. */
  kind?: 'document' | 'agreement' | 'subscription' | undefined;
  /** The recipient it is sealed for. Without it every customer of the service has it, unsealed. */
  to?: DocumentRecipient | undefined;
  /** What it holds: a file, or any JSON. */
  content: { file: DocumentFile } | { json: unknown };
  requiresSignature?: boolean | undefined;
  requiresAcceptance?: boolean | undefined;
  isPrivate?: boolean | undefined;
  description?: string | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Instead of the status that follows from what the customer has to do. */
  status?: Exclude<DocumentStatus, 'waiting'> | undefined;
  signal?: AbortSignal | undefined;
  /** Of the upload of a file. */
  onProgress?: OnProgress | undefined;
};

/** A document that was issued. */
export type IssuedDocument = Document & {
  /** What a PDF that is to be signed or accepted holds beside its pages. Undefined where nothing has looked: see `create`. */
  readonly warnings?: readonly ContractWarning[];
};

const DOCUMENTS = '/api/company-data/documents';

/** Issues documents and contracts to the customers of a service (wire 11.1). */
export class Documents {
  readonly #api: Api;
  readonly #people: PeopleKeys;
  readonly #key: KeyObject | undefined;
  readonly #check = new ContractCheck();

  constructor(needs: { api: Api; people: PeopleKeys; key: KeyObject | undefined }) {
    this.#api = needs.api;
    this.#people = needs.people;
    this.#key = needs.key;
  }

  /**
   * Issues a document, and uploads its file. What is for one customer is sealed here; the digest of a file goes with it, so
   * that it can be signed. When the upload fails, the document is deleted again.
   *
   * A PDF that is to be signed or accepted is looked at before anything is sent, where the package `@symbolon/pdf` is installed: one that
   * the platform could not seal, or readers do not show alike, is refused; what a party should know of stands in `warnings`.
   *
   * @throws InvalidRequestError `documents.pdf_unsupported`, `documents.contract_requires_person`, `documents.bad_mime`;
   * UnconfirmedKeyError
   *
   * @example
   * await client.documents.create({
   *   name: 'Lease', kind: 'agreement', to: { userId }, requiresSignature: true,
   *   content: { file: { name: 'lease.pdf', mimeType: 'application/pdf', bytes } },
   * });
   */
  async create(document: NewDocument): Promise<IssuedDocument> {
    const { to, content, signal, onProgress } = document;
    const asked = { isSigned: document.requiresSignature, isAccepted: document.requiresAcceptance };
    const looked = 'file' in content ? await this.#look(content.file, asked) : {};
    const userId = to && (await this.#userIdOf(to, signal));
    const seal = (text: string) =>
      userId === undefined ? undefined : this.#people.seal(userId, text, signal);
    const request: CreateDocumentRequest = {
      kind: document.kind ?? 'document',
      name: document.name,
      payload_kind: 'file' in content ? 'file' : 'json',
      is_private: document.isPrivate ?? false,
      requires_signature: document.requiresSignature ?? false,
      requires_acceptance: document.requiresAcceptance ?? false,
      target: userId === undefined ? null : { person_user_id: userId },
      ...(document.description === undefined ? {} : { description: document.description }),
      ...(document.metadata === undefined ? {} : { metadata: document.metadata }),
      ...(document.status === undefined ? {} : { status: document.status }),
    };
    if ('json' in content) {
      const value = (await seal(JSON.stringify(content.json))) ?? content.json;
      return this.#create({ ...request, value }, signal);
    }
    const { file } = content;
    const sealed = await seal(envelopeOf(file));
    const created = await this.#create(
      { ...request, plain_sha256: hash('sha256', file.bytes, 'hex') },
      signal,
    );
    try {
      await this.#people.issued(created.id, userId);
      const transfer = { signal, onProgress };
      const sent = await this.#upload(created.id, file, sealed && JSON.stringify(sealed), transfer);
      return { ...sent, ...looked };
    } catch (error) {
      await this.delete(created.id).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Looks at the file as `create` does. What was sealed for one customer is sealed to the same one again, whose key must be known.
   *
   * @param options.forAll all customers read the file: needed where another program issued it
   * @throws UnconfirmedKeyError `sdk.owner_changed`, `sdk.document_not_sealed`, `sdk.person_key_changed`; ConflictError `documents.contract_immutable` once a customer has signed or accepted it; InvalidRequestError
   */
  async replaceFile(
    id: string,
    file: DocumentFile,
    options: Transfer & { forAll?: boolean | undefined } = {},
  ): Promise<IssuedDocument> {
    const { forAll: isForAll = false, ...transfer } = options;
    const { signal } = transfer;
    const { person_user_id, requires_signature, requires_acceptance } = await this.get(id, signal);
    const looked = await this.#look(file, { isSigned: requires_signature, isAccepted: requires_acceptance });
    const recipient = { id, person_user_id };
    const sealed = await this.#people.sealForDocument(recipient, envelopeOf(file), { isForAll, signal });
    return { ...(await this.#upload(id, file, sealed && JSON.stringify(sealed), transfer)), ...looked };
  }

  /** Newest first; the next page is fetched when it is needed. */
  async *list(
    options: { userId?: string; status?: DocumentStatus; pageSize?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<Document, void, void> {
    const { userId: person_user_id, status, pageSize = limits.pageDefault, signal } = options;
    const load = (offset: number, limit: number) =>
      this.#api.json<ListPage<Document>>({
        method: 'GET',
        path: DOCUMENTS,
        query: { offset, limit, person_user_id, status },
        signal,
      });
    const walk = new ListWalk(load, (document) => document.id, pageSize);
    for (let page = await walk.next(); page; page = await walk.next()) yield* page;
  }

  /** @throws NotFoundError `documents.not_found` */
  get(id: string, signal?: AbortSignal): Promise<Document> {
    return this.#api.json({ method: 'GET', path: path`/api/company-data/documents/${id}`, signal });
  }

  /** Changes the status, or any of name, description and metadata. */
  update(id: string, change: UpdateDocumentRequest, signal?: AbortSignal): Promise<Document> {
    return this.#api.json({
      method: 'PUT',
      path: path`/api/company-data/documents/${id}`,
      json: change,
      signal,
    });
  }

  /** A customer who signed or accepted the document keeps a copy. */
  delete(id: string, signal?: AbortSignal): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/company-data/documents/${id}`, signal });
  }

  /**
   * The file of a document that all customers have. That of one customer is sealed to the customer's key, which this client
   * does not have.
   *
   * @throws DecryptionError `sdk.not_for_this_key`
   */
  async file(id: string, transfer: Transfer = {}): Promise<Omit<DocumentFile, 'name'>> {
    const call = {
      method: 'GET',
      path: path`/api/company-data/documents/${id}/file`,
      accept: '*/*',
    } as const;
    const { headers, bytes } = await this.#api.send({ ...call, ...transfer });
    const mimeType = headers.get('content-type') ?? 'application/octet-stream';
    if (!/^application\/json\b/i.test(mimeType)) return { mimeType, bytes };
    const message = 'This file is sealed to the key of the customer.';
    throw new DecryptionError({ errorKey: 'sdk.not_for_this_key', message });
  }

  /**
   * The sealed PDF, opened with the service key. Its bytes are compared with the digest that the platform stored.
   *
   * @throws NotFoundError `documents.not_sealed`; DecryptionError `sdk.key_missing`, `sdk.unreadable`; TransportError
   *   `sdk.digest_mismatch`
   */
  async sealedFile(id: string, transfer: Transfer = {}): Promise<DocumentFile> {
    if (this.#key === undefined) {
      const message = 'This file is sealed; the client has no private key.';
      throw new DecryptionError({ errorKey: 'sdk.key_missing', message });
    }
    const document = await this.get(id, transfer.signal);
    const address = path`/api/company-data/documents/${id}/sealed-file`;
    const { value } = jsonOf(await this.#api.send({ method: 'GET', path: address, ...transfer })) as {
      value: unknown;
    };
    const file = fileIn(value, this.#key);
    if (document.sealed_sha256 !== null && hash('sha256', file.bytes, 'hex') !== document.sealed_sha256) {
      const message = 'The file is not the one whose digest the platform stored.';
      throw new TransportError({ errorKey: 'sdk.digest_mismatch', message });
    }
    return { ...file, name: file.name ?? document.name };
  }

  /** Ends the process that looks at contracts. */
  close(): Promise<void> {
    return this.#check.close();
  }

  async #look(
    file: DocumentFile,
    {
      isSigned = false,
      isAccepted = false,
    }: { isSigned?: boolean | undefined; isAccepted?: boolean | undefined },
  ): Promise<Pick<IssuedDocument, 'warnings'>> {
    const warnings = isSigned || isAccepted ? await this.#check.warnings(file, isSigned) : undefined;
    return warnings === undefined ? {} : { warnings };
  }

  async #userIdOf(to: DocumentRecipient, signal: AbortSignal | undefined): Promise<string> {
    if ('userId' in to) return to.userId;
    const call = { method: 'GET', path: path`/api/company-data/connections/${to.connectionId}` } as const;
    const { user_id } = await this.#api.json<CompanyConnection>({ ...call, signal });
    await this.#people.requireCustomers([{ connection_id: to.connectionId, user_id }]);
    return user_id;
  }

  #create(json: CreateDocumentRequest, signal: AbortSignal | undefined): Promise<Document> {
    return this.#api.json({ method: 'POST', path: DOCUMENTS, json, signal });
  }

  #upload(id: string, file: DocumentFile, sealed: string | undefined, transfer: Transfer): Promise<Document> {
    return this.#api.json({
      method: 'POST',
      path: path`/api/company-data/documents/${id}/file`,
      json: {
        // The name of a sealed file is in its envelope.
        ...(sealed === undefined
          ? { file: buildDataUri(file), original_name: file.name }
          : { value: sealed }),
        plain_sha256: hash('sha256', file.bytes, 'hex'),
      },
      // The same bytes again are the same document.
      idempotent: true,
      ...transfer,
    });
  }
}

/** A file that is sealed to the service. @throws DecryptionError `sdk.unreadable` */
export function fileIn(
  value: unknown,
  key: KeyObject,
): { name?: string; mimeType: string; bytes: Uint8Array } {
  try {
    const envelope = parseFileEnvelope(openTextSync(JSON.stringify(value), key));
    if (envelope.kind !== 'file') throw new Error('It is no single file.');
    const { file } = envelope;
    const { originalName: name } = file;
    return { ...(name === undefined ? {} : { name }), mimeType: file.mimeType, bytes: file.bytes() };
  } catch (cause) {
    const message = 'The configured key does not open this file.';
    throw new DecryptionError({ errorKey: 'sdk.unreadable', message, cause });
  }
}
