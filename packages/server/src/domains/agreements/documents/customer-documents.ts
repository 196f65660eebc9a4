import {
  type CustomerDocument,
  type ListedPersonDocument,
  limits,
  type PersonDocument,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { inParts, type Part } from '../../../core/parted-page.ts';
import { type StoredFile, storedFile } from '../../../core/stored-file.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import type { PersonDeletionHook } from '../../participation.ts';
import { groupOf } from '../../sharing/index.ts';
import {
  type CustomersDocument,
  copiesOf,
  copyOf,
  customersDocument,
  customersDocuments,
  hasActiveContract,
  listable,
} from './customer-store.ts';
import { fairPart } from './fair-part.ts';
import { deleteDocument, deleteFile, fileOf, noteViewed, partsOf, updateDocument } from './store.ts';
import type { DocumentFileRow, DocumentRow } from './tables.ts';
import { agreedTerms } from './terms.ts';
import { PART, partsFor, viewForCustomer, viewForPerson, viewInList } from './views.ts';

/** The newest documents of each kind that one list shows. */
const LIST_MOST = 5_000;

/** A copy of a document's file, and what it is called. */
export interface CustomersFile {
  readonly row: DocumentFileRow;
  readonly stored: StoredFile;
  readonly name: string;
}

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly personSignals: PersonSignals;
  readonly isRunManaged: (reader: Reader, id: string) => Promise<boolean>;
}

/** What customers have of documents: people, and companies that are customers (wire 11.2). */
export class CustomerDocuments implements PersonDeletionHook {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Oldest first, without what they hold, in parts that are read one after the other. */
  async parts(personId: string): Promise<Part<ListedPersonDocument>[]> {
    const { reader } = this.#deps.database;
    const which = { whole: false };
    return inParts(await shownIds(reader, personId, which), PART).map((ids) => async () => {
      const rows = await customersDocuments(reader, personId, ids, which);
      const beside = await partsOf(reader, rows);
      return rows.map((row) => viewInList(row, partsFor(row, beside)));
    });
  }

  /** @throws {PlatformError} documents.not_found */
  async get(personId: string, id: string): Promise<PersonDocument> {
    const { reader } = this.#deps.database;
    const row = await this.#require(reader, personId, id);
    if (row.payload_kind === 'json') await this.#noteViewed(row);
    return viewForPerson(row, partsFor(row, await partsOf(reader, [row])));
  }

  /**
   * The person's copy of the file: sealed to its key, or in plaintext for all customers.
   * @throws {PlatformError} documents.not_found, documents.file_not_found
   */
  async file(personId: string, id: string): Promise<CustomersFile> {
    const document = await this.#require(this.#deps.database.reader, personId, id);
    const file = await this.#file(document);
    await this.#noteViewed(document);
    return file;
  }

  /**
   * The copy of a company, of a document in one of its connections.
   * @throws {PlatformError} documents.not_found, documents.file_not_found
   */
  async fileIn(customerId: string, connectionId: string, id: string): Promise<CustomersFile> {
    return this.#file(await this.#requireIn(customerId, connectionId, id));
  }

  /** A document in one of a company's connections. @throws {PlatformError} documents.not_found */
  async getIn(customerId: string, connectionId: string, id: string): Promise<CustomerDocument> {
    const row = await this.#requireIn(customerId, connectionId, id);
    return viewForCustomer(row, partsFor(row, await partsOf(this.#deps.database.reader, [row])));
  }

  /** The seal says when the customer first had the content of a document. */
  async #noteViewed(document: CustomersDocument): Promise<void> {
    if (document.customer_id === null || document.viewed_at !== null) return;
    const { clock, database } = this.#deps;
    await database
      .write((writer) => noteViewed(writer, document, clock.now()))
      // While nothing is written, what is there is read all the same.
      .catch((error: unknown) => {
        if (!(error instanceof PlatformError)) throw error;
      });
  }

  async #file(document: CustomersDocument): Promise<CustomersFile> {
    const row = await fileOf(this.#deps.database.reader, document, ['customer', 'all']);
    const stored = storedFile(row?.value ?? null);
    if (row === undefined || stored === undefined) throw new PlatformError('documents.file_not_found');
    return { row, stored, name: row.original_name ?? agreedTerms(document).name };
  }

  /**
   * Deletes a person's own copy. The company keeps the document.
   * @throws {PlatformError} documents.not_found, documents.for_all, documents.run_managed
   */
  async drop(personId: string, id: string): Promise<void> {
    const { clock, database, isRunManaged, personSignals } = this.#deps;
    const found = await this.#require(database.reader, personId, id);
    if (found.connection_id === null) throw new PlatformError('documents.for_all');
    await database.write(async (writer) => {
      await lock(database.engine, writer, 'services', [found.service_id]);
      if (await isRunManaged(writer, id)) throw new PlatformError('documents.run_managed');
      await dropCopy(writer, await this.#require(writer, personId, id), clock.now());
    });
    // The person's other devices show it no more.
    personSignals.tell(personId, { kind: 'document', id }, found.customer_region);
  }

  /** Part of deleting an account: the person's copies, also of documents whose connection has ended. */
  bonds(personId: string): Promise<readonly string[]> {
    return copiesOf(this.#deps.database.reader, personId);
  }

  async end(personId: string, id: string): Promise<void> {
    const { clock, database } = this.#deps;
    await database.write(async (writer) => {
      const found = await copyOf(writer, personId, id);
      if (found === undefined) throw new PlatformError('documents.not_found');
      await lock(database.engine, writer, 'services', [found.service_id]);
      const document = await copyOf(writer, personId, id);
      if (document !== undefined) await dropCopy(writer, document, clock.now());
    });
  }

  async #requireIn(customerId: string, connectionId: string, id: string): Promise<CustomersDocument> {
    const { reader } = this.#deps.database;
    const document = await this.#require(reader, customerId, id);
    const groupId = await groupOf(reader, { companyId: document.company_id, customerId });
    if (groupId !== connectionId) throw new PlatformError('documents.not_found');
    return document;
  }

  async #require(reader: Reader, customerId: string, id: string): Promise<CustomersDocument> {
    const document = await customersDocument(reader, customerId, id);
    if (document === undefined) throw new PlatformError('documents.not_found');
    return document;
  }
}

/** Deletes the customer's copy, and the document when the company has deleted it. The service's lock is held. */
async function dropCopy(writer: Writer, document: DocumentRow, at: number): Promise<void> {
  if (document.deleted_at !== null) return deleteDocument(writer, document);
  await updateDocument(writer, document, { dropped_at: at });
  await deleteFile(writer, document, 'customer');
}

/** Which documents the lists of a customer show, oldest first. */
async function shownIds(
  reader: Reader,
  customerId: string,
  which: { companyIds?: readonly string[]; whole: boolean },
): Promise<string[]> {
  const all = await listable(reader, customerId, { ...which, most: LIST_MOST });
  return fairPart(all, limits.documentsListBytes)
    .map(({ id }) => id)
    .sort();
}

/** What documents say to connections: which stand in a company's view of them, and which keep one from ending. */
export const connectionDocuments = {
  /** @throws {PlatformError} company_connections.active_contract */
  async refuseEnding(
    writer: Writer,
    connectionIds: readonly string[],
    by: 'customer' | 'service',
  ): Promise<void> {
    if (connectionIds.length > 0 && (await hasActiveContract(writer, connectionIds, by)))
      throw new PlatformError('company_connections.active_contract');
  },

  /** What a company has of the documents of others, by the company that issued them, oldest first. */
  async ofCompany(
    reader: Reader,
    customerId: string,
    companyIds: readonly string[],
  ): Promise<Map<string, CustomerDocument[]>> {
    if (companyIds.length === 0) return new Map();
    const which = { companyIds, whole: true };
    const ids = await shownIds(reader, customerId, which);
    const rows = await customersDocuments(reader, customerId, ids, which);
    const beside = await partsOf(reader, rows);
    const byCompany = Map.groupBy(rows, (row) => row.company_id);
    return new Map(
      [...byCompany].map(([id, ofOne]) => [
        id,
        ofOne.map((row) => viewForCustomer(row, partsFor(row, beside))),
      ]),
    );
  },
};
