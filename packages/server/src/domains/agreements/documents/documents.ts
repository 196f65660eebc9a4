import type {
  AuditAction,
  CreateDocumentRequest,
  Document,
  DocumentTarget,
  UpdateDocumentRequest,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { BlobRef, LargeText } from '../../../core/large-text.ts';
import { inParts, type PartedPage } from '../../../core/parted-page.ts';
import { fileText, type StoredFile, storedFile } from '../../../core/stored-file.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import { flag } from '../../../db/tables.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import type { Audit, Blobs } from '../../operations/index.ts';
import type { Services } from '../../services/index.ts';
import type { ConnectionRow } from '../../sharing/index.ts';
import { firstStatus, metadataText, payloadOf, refuseWithoutTarget } from './created.ts';
import { lifeOf, raiseAbout } from './document-events.ts';
import { plainFile } from './plain-file.ts';
import { checkFilesRoom, checkRoom } from './room.ts';
import {
  addresseeBy,
  countMatching,
  customerByCode,
  type DocumentFilter,
  deleteDocument,
  deleteFile,
  documentOf,
  documentsByIds,
  fileOf,
  type Issuer,
  insertDocument,
  isActedOn,
  type ListedDocument,
  matchingIds,
  partsOf,
  putFile,
  type ServiceRef,
  updateDocument,
} from './store.ts';
import type { DocumentRow } from './tables.ts';
import { afterAct } from './terms.ts';
import { PART, partsFor, viewDocument } from './views.ts';

/** The text of a wrapper around the largest file: base64 twice, and the envelope. */
const SEALED_MOST = 28 * 2 ** 20;

/** What an upload carries. */
export interface DocumentUpload {
  readonly value?: LargeText | undefined;
  readonly file?: LargeText | undefined;
  readonly original_name?: string | undefined;
  readonly plain_sha256?: string | null | undefined;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly outbox: Outbox;
  readonly audit: Audit;
  readonly services: Pick<Services, 'require'>;
  readonly blobs: Blobs;
  readonly personSignals: PersonSignals;
  readonly isRunManaged: (reader: Reader, id: string) => Promise<boolean>;
  readonly isOfRun: (reader: Reader, id: string) => Promise<boolean>;
  /** The company's own copy of a document of a run: it is read here, and changes in the run alone. */
  readonly ownersCopy: (
    reader: Reader,
    service: ServiceRef,
    id: string,
  ) => Promise<{ document: Document; stored: StoredFile | undefined } | undefined>;
  readonly runSignatures: (
    reader: Reader,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, Pick<Document, 'run_signatures'>>>;
}

/** The documents of a service, as the backend and the staff of the company issue and read them (wire 11.1). */
export class Documents {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Issues a document to one customer, whose key it is sealed to, or in plaintext to all customers.
   * @throws {PlatformError} documents.contract_requires_person, documents.private_requires_person, documents.invalid_payload,
   *   documents.too_large, documents.limit_reached, contact_data.encryption_required, contact_data.wrapper_invalid,
   *   company_data.connection_not_found
   */
  async create(service: Issuer, request: CreateDocumentRequest): Promise<Document> {
    const target = request.target ?? undefined;
    refuseWithoutTarget(request, target);
    const payload = payloadOf(request, target !== undefined);
    const metadata = metadataText(request.metadata);
    const { clock, database, ids } = this.#deps;
    const at = clock.now();
    const created = await this.#write(service, async (writer) => {
      const addressee = target && (await this.#addressee(writer, service, target));
      const row: DocumentRow = {
        company_id: service.companyId,
        service_id: service.serviceId,
        id: ids.uuid(),
        connection_id: addressee?.id ?? null,
        customer_id: addressee?.customer_id ?? null,
        customer_type: addressee?.customer_type ?? null,
        kind: request.kind,
        name: request.name,
        description: request.description ?? null,
        status: request.status ?? firstStatus(request),
        payload_kind: request.payload_kind,
        payload,
        metadata,
        acted_terms: null,
        is_private: flag(request.is_private ?? false),
        requires_signature: flag(request.requires_signature ?? false),
        requires_acceptance: flag(request.requires_acceptance ?? false),
        plain_sha256: request.payload_kind === 'file' ? (request.plain_sha256 ?? null) : null,
        sealed_at: null,
        sealed_sha256: null,
        seal_level: null,
        ends_on: null,
        created_at: at,
        updated_at: at,
        viewed_at: null,
        deleted_at: null,
        dropped_at: null,
      };
      await insertDocument(writer, row);
      await checkRoom(writer, service, row.connection_id);
      const document = await this.#require(writer, service, row.id);
      await raiseAbout(this.#deps, writer, document, 'documentCreated', lifeOf(document));
      await this.#record(writer, service, 'document.issued', row.id);
      return document;
    });
    this.#tell(created, true);
    return this.#view(database.reader, created);
  }

  /**
   * Stores the file of a document: for one customer sealed to its key, for all of them in plaintext.
   * @throws {PlatformError} documents.not_found, documents.invalid_payload, documents.bad_mime, documents.too_large,
   *   documents.contract_immutable, documents.limit_reached, contact_data.encryption_required
   */
  async upload(service: Issuer, id: string, upload: DocumentUpload): Promise<Document> {
    const { blobs, clock, database, ids } = this.#deps;
    await this.#assertStands(database.reader, service);
    const before = await this.#require(database.reader, service, id);
    await this.#refuseImmutable(database.reader, before);
    const { blob, party, form } = await this.#store(before, upload);
    const changed = await this.#write(service, async (writer) => {
      const document = await this.#require(writer, service, id);
      await this.#refuseImmutable(writer, document);
      const isFirst = (await fileOf(writer, document, [party])) === undefined;
      await blobs.holdOn(writer, blob.hash);
      await putFile(writer, {
        company_id: document.company_id,
        service_id: document.service_id,
        document_id: id,
        party,
        value: fileText({ id: ids.uuid(), hash: blob.hash, bytes: blob.bytes, ...form }),
        original_name: upload.original_name ?? null,
        created_at: clock.now(),
      });
      await checkFilesRoom(writer, service, document.connection_id);
      // The digest belongs to the bytes: without one, those of a later upload have none.
      const kept = isFirst ? document.plain_sha256 : null;
      await this.#record(writer, service, 'document.file_uploaded', id);
      return this.#change(writer, service, document, { plain_sha256: upload.plain_sha256 ?? kept });
    });
    this.#tell(changed, false);
    return this.#view(database.reader, changed);
  }

  /** Newest first, in parts that are read one after the other. */
  async list(
    service: Issuer,
    filter: DocumentFilter,
    page: { limit: number; offset: number },
  ): Promise<PartedPage<Document>> {
    const { engine, reader } = this.#deps.database;
    await this.#assertStands(reader, service);
    const total = await countMatching(engine, reader, service, filter);
    const found = await matchingIds(reader, service, filter, page);
    const parts = inParts(found, PART).map((ids) => async () => {
      return this.#views(reader, await documentsByIds(reader, service, ids));
    });
    return { total, parts };
  }

  /** @throws {PlatformError} documents.not_found */
  async get(service: Issuer, id: string): Promise<Document> {
    const { reader } = this.#deps.database;
    await this.#assertStands(reader, service);
    const document = await documentOf(reader, service, id);
    if (document !== undefined) return this.#view(reader, document);
    return (await this.#requireOwn(reader, service, id)).document;
  }

  /** The file that was uploaded. @throws {PlatformError} documents.not_found, documents.file_not_found */
  async file(service: Issuer, id: string): Promise<StoredFile> {
    const { reader } = this.#deps.database;
    await this.#assertStands(reader, service);
    const document = await documentOf(reader, service, id);
    const stored =
      document === undefined
        ? (await this.#requireOwn(reader, service, id)).stored
        : storedFile((await fileOf(reader, document, ['customer', 'all']))?.value ?? null);
    if (stored === undefined) throw new PlatformError('documents.file_not_found');
    return stored;
  }

  /** The copy of the sealed PDF for the service key. @throws {PlatformError} documents.not_found, documents.not_sealed */
  async sealedFile(service: Issuer, id: string): Promise<StoredFile> {
    const { reader } = this.#deps.database;
    await this.#assertStands(reader, service);
    const issued = await documentOf(reader, service, id);
    const { document, stored } =
      issued === undefined
        ? await this.#requireOwn(reader, service, id)
        : {
            document: issued,
            stored: storedFile((await fileOf(reader, issued, ['service']))?.value ?? null),
          };
    if (document.sealed_at === null || stored === undefined) throw new PlatformError('documents.not_sealed');
    return stored;
  }

  /**
   * Changes what is named. A status that the company sets raises `document_updated`, as all its changes do.
   * @throws {PlatformError} documents.not_found, documents.invalid_payload, documents.run_managed,
   *   documents.contract_immutable, documents.limit_reached
   */
  async update(service: Issuer, id: string, request: UpdateDocumentRequest): Promise<Document> {
    const { status, name, description, metadata } = request;
    const change = {
      ...(status === undefined ? {} : { status, ends_on: null }),
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(metadata === undefined ? {} : { metadata: metadataText(metadata) }),
    };
    const changed = await this.#write(service, async (writer) => {
      const document = await this.#require(writer, service, id);
      if (status !== undefined) await this.#refuseOfRun(writer, document);
      const kept = (await isActedOn(writer, document)) ? afterAct(document, change) : change;
      const after = await this.#change(writer, service, document, kept);
      if (sizeOf(after) > sizeOf(document)) await checkRoom(writer, service, after.connection_id);
      await this.#record(writer, service, 'document.updated', id);
      return after;
    });
    this.#tell(changed, false);
    return this.#view(this.#deps.database.reader, changed);
  }

  /**
   * Deletes a document. A customer who signed or accepted it keeps its own copy.
   * @throws {PlatformError} documents.not_found, documents.run_managed
   */
  async delete(service: Issuer, id: string): Promise<void> {
    const deleted = await this.#write(service, async (writer) => {
      const document = await this.#require(writer, service, id);
      await this.#refuseOfRun(writer, document);
      if (document.dropped_at === null && (await isActedOn(writer, document))) {
        await updateDocument(writer, document, { deleted_at: this.#deps.clock.now() });
        await deleteFile(writer, document, 'service');
      } else await deleteDocument(writer, document);
      await raiseAbout(this.#deps, writer, document, 'documentDeleted', lifeOf(document));
      await this.#record(writer, service, 'document.deleted', id);
      return document;
    });
    this.#tell(deleted, false);
  }

  /** Documents of a service change one after the other: their events are put in order by the lock of the service. */
  #write<T>(issuer: Issuer, work: (writer: Writer) => Promise<T>): Promise<T> {
    const { database } = this.#deps;
    return database.write(async (writer) => {
      await lock(database.engine, writer, 'services', [issuer.serviceId]);
      await this.#assertStands(writer, issuer);
      return work(writer);
    });
  }

  /** The token of a backend names its service; staff may name any. @throws {PlatformError} services.not_found */
  async #assertStands(reader: Reader, issuer: Issuer): Promise<void> {
    if (issuer.actor !== undefined) await this.#deps.services.require(reader, issuer);
  }

  async #record(
    writer: Writer,
    { actor, companyId }: Issuer,
    action: AuditAction,
    target: string,
  ): Promise<void> {
    if (actor !== undefined) await this.#deps.audit.record(writer, { companyId, actor, action, target });
  }

  async #change(
    writer: Writer,
    service: ServiceRef,
    document: ListedDocument,
    change: Partial<DocumentRow>,
  ): Promise<ListedDocument> {
    await updateDocument(writer, document, { ...change, updated_at: this.#deps.clock.now() });
    const changed = await this.#require(writer, service, document.id);
    await raiseAbout(this.#deps, writer, changed, 'documentUpdated', lifeOf(changed));
    return changed;
  }

  /** Puts what was uploaded into the store, before the transaction that names it. */
  async #store(
    document: ListedDocument,
    { value, file, original_name }: DocumentUpload,
  ): Promise<{ blob: BlobRef; party: 'customer' | 'all'; form: Pick<StoredFile, 'form' | 'type'> }> {
    if (document.payload_kind !== 'file') throw new PlatformError('documents.invalid_payload');
    if (document.customer_id !== null) {
      if (value === undefined) {
        // Plaintext for one customer never is stored.
        throw new PlatformError(
          file === undefined ? 'documents.invalid_payload' : 'contact_data.encryption_required',
        );
      }
      if (!value.sealed) throw new PlatformError('contact_data.encryption_required');
      if (value.bytes > SEALED_MOST) throw new PlatformError('documents.too_large');
      return { blob: await value.store(), party: 'customer', form: { form: 'sealed' } };
    }
    if (file === undefined || original_name === undefined)
      throw new PlatformError('documents.invalid_payload');
    const plain = await plainFile(file, original_name);
    const blob = await this.#deps.blobs.keepStream(plain);
    return { blob, party: 'all', form: { form: 'raw', type: plain.type } };
  }

  async #addressee(writer: Writer, service: ServiceRef, target: DocumentTarget): Promise<ConnectionRow> {
    const { engine } = this.#deps.database;
    const { connection_id, person_user_id, share_code } = target;
    const customerId =
      share_code === undefined
        ? person_user_id
        : await customerByCode(writer, share_code.trim().toUpperCase());
    const by =
      connection_id === undefined ? { customerId: customerId ?? '' } : { connectionId: connection_id };
    const found = await addresseeBy(writer, service, by);
    if (found === undefined) throw new PlatformError('company_data.connection_not_found');
    // The connection does not end meanwhile.
    await lock(engine, writer, 'connections', [found.id]);
    const locked = engine === 'sqlite' ? found : await addresseeBy(writer, service, by);
    if (locked === undefined) throw new PlatformError('company_data.connection_not_found');
    return locked;
  }

  /** While a run goes on, its documents are the run's. */
  async #refuseOfRun(reader: Reader, document: ListedDocument): Promise<void> {
    if (await this.#deps.isRunManaged(reader, document.id)) throw new PlatformError('documents.run_managed');
  }

  /** Once a party has signed or accepted a contract, its file stays; that of a run always. */
  async #refuseImmutable(reader: Reader, document: ListedDocument): Promise<void> {
    if ((await isActedOn(reader, document)) || (await this.#deps.isOfRun(reader, document.id)))
      throw new PlatformError('documents.contract_immutable');
  }

  async #require(reader: Reader, service: ServiceRef, id: string): Promise<ListedDocument> {
    const document = await documentOf(reader, service, id);
    if (document !== undefined) return document;
    await this.#requireOwn(reader, service, id);
    throw new PlatformError('documents.run_managed');
  }

  async #requireOwn(reader: Reader, service: ServiceRef, id: string) {
    const own = await this.#deps.ownersCopy(reader, service, id);
    if (own === undefined) throw new PlatformError('documents.not_found');
    return own;
  }

  async #view(reader: Reader, document: ListedDocument): Promise<Document> {
    const [view] = await this.#views(reader, [document]);
    return view as Document;
  }

  async #views(reader: Reader, rows: readonly ListedDocument[]): Promise<Document[]> {
    const beside = await partsOf(reader, rows);
    const signatures = await this.#deps.runSignatures(
      reader,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => ({ ...viewDocument(row, partsFor(row, beside)), ...signatures.get(row.id) }));
  }

  #tell({ customer_id, customer_type, customer_region, id }: ListedDocument, push: boolean): void {
    if (customer_id !== null && customer_type === 'person')
      this.#deps.personSignals.tell(customer_id, { kind: 'document', id, push }, customer_region);
  }
}

const sizeOf = ({ metadata, description, acted_terms }: DocumentRow) =>
  Buffer.byteLength(metadata) + Buffer.byteLength(description ?? '') + Buffer.byteLength(acted_terms ?? '');
