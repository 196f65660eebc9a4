import type { CustomerDocument, PersonDocument } from '@symbolon/protocol';
import { dayOf } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import type { CustomerDocuments } from '../documents/customer-documents.ts';
import { type CustomersDocument, customersDocument } from '../documents/customer-store.ts';
import { raiseStatusChanges } from '../documents/document-events.ts';
import { insertAct, updateDocument } from '../documents/store.ts';
import type { DocumentActRow } from '../documents/tables.ts';
import { agreedTerms } from '../documents/terms.ts';
import { isRunManaged } from '../run-copies/run-copies.ts';
import { effectiveDate } from './effective-date.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly outbox: Outbox;
  readonly audit: Audit;
  readonly personSignals: PersonSignals;
  readonly customerDocuments: CustomerDocuments;
}

/** How customers cancel what they were issued (wire 11.4). */
export class Cancellations {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} documents.not_found, documents.not_cancellable */
  async byPerson(personId: string, id: string, note: string | null | undefined): Promise<PersonDocument> {
    const { customerDocuments, personSignals } = this.#deps;
    const { customer_region } = await this.#cancel(personId, id, note);
    // The person's other devices show it as it is now.
    personSignals.tell(personId, { kind: 'document', id }, customer_region);
    return customerDocuments.get(personId, id);
  }

  /**
   * By a company that is the customer, of a document in one of its connections.
   * @throws {PlatformError} documents.not_found, documents.not_cancellable
   */
  async byCompany(
    customer: { companyId: string; actor: Actor },
    { connectionId, id }: { connectionId: string; id: string },
    note: string | null | undefined,
  ): Promise<CustomerDocument> {
    const { audit, customerDocuments } = this.#deps;
    const { companyId, actor } = customer;
    await customerDocuments.getIn(companyId, connectionId, id);
    await this.#cancel(companyId, id, note, (writer) =>
      audit.record(writer, { companyId, actor, action: 'document.cancelled', target: id }),
    );
    return customerDocuments.getIn(companyId, connectionId, id);
  }

  /** A repetition changes nothing: the first cancellation stands. */
  async #cancel(
    customerId: string,
    id: string,
    note: string | null | undefined,
    record?: (writer: Writer) => Promise<void>,
  ): Promise<CustomersDocument> {
    const { clock, database, ids } = this.#deps;
    const { service_id } = requireFound(await customersDocument(database.reader, customerId, id));
    return writeLocked(database, 'services', service_id, async (writer) => {
      const document = requireFound(await customersDocument(writer, customerId, id));
      if (isCancelled(document)) return document;
      if (await isRunManaged(writer, id)) throw new PlatformError('documents.run_managed');
      if (!isCancellable(document)) throw new PlatformError('documents.not_cancellable');
      const now = clock.now();
      const today = dayOf(now);
      const ends_on = effectiveDate(document, today);
      const status = document.status === 'active' && ends_on > today ? 'active_but_ending' : 'ended';
      const act: DocumentActRow = {
        company_id: document.company_id,
        service_id: document.service_id,
        document_id: id,
        id: ids.uuid(),
        action: 'cancelled',
        method: null,
        content_sha256: null,
        plain_sha256: null,
        signer_first_name: null,
        signer_last_name: null,
        signer_name_verified: null,
        note: note?.trim() || null,
        effective_date: ends_on,
        created_at: now,
      };
      const change = { status, ends_on, updated_at: now } as const;
      await updateDocument(writer, document, change);
      await insertAct(writer, act);
      await record?.(writer);
      const cancelled = { ...document, ...change };
      await raiseStatusChanges(this.#deps, writer, [{ document: cancelled, act }]);
      return cancelled;
    });
  }
}

function requireFound(document: CustomersDocument | undefined): CustomersDocument {
  if (document === undefined) throw new PlatformError('documents.not_found');
  return document;
}

/** A status that the company sets takes the day away again. */
const isCancelled = ({ ends_on, status }: CustomersDocument) =>
  ends_on !== null && (status === 'active_but_ending' || status === 'ended');

/** No caller cancels for all customers, nor what the company has deleted. */
function isCancellable(document: CustomersDocument): boolean {
  const { connection_id, deleted_at, status } = document;
  const { can_be_cancelled_in_app } = agreedTerms(document).metadata;
  return (
    connection_id !== null &&
    deleted_at === null &&
    can_be_cancelled_in_app === true &&
    (status === 'offering' || status === 'ready_to_sign' || status === 'active')
  );
}
