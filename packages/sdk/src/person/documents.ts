import type { CryptoKey } from '@symbolon/crypto';
import type { ListedPersonDocument, PersonDocument, PersonDocumentList } from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import { type DocumentContent, documentContent } from './document-content.ts';

type Parts = {
  api: Pick<Api, 'json' | 'done' | 'send'>;
  /** @throws when the client cannot open anything */
  key: () => CryptoKey;
};

/** A document with what it holds, opened. */
export type OpenDocument = { document: PersonDocument; content: DocumentContent };

/** Documents and contracts that services gave to the person (wire 11.2): `documents` of a person client. */
export class PersonDocuments {
  readonly #parts: Parts;

  constructor(parts: Parts) {
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
}
