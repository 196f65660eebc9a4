import { AccountEvent, Event } from '@symbolon/protocol';
import type { Ids } from '../../../core/ids.ts';
import type { Writer } from '../../../db/database.ts';
import type { Outbox } from '../../../events/outbox.ts';
import { accountEvent } from '../../sharing/index.ts';
import { type ListedDocument, linkOf } from './store.ts';

type DocumentEvent = 'documentCreated' | 'documentUpdated' | 'documentDeleted' | 'documentStatusChanged';

/** The members of the events about a document's life. */
export const lifeOf = ({ id, name, kind, payload_kind }: ListedDocument) => ({
  document_id: id,
  name,
  kind,
  payload_kind,
});

/**
 * Raises an event about a document of one customer: for the service, and for a company that is the customer and still
 * connected. Documents for all customers raise none. The caller holds the lock of the service; call it last.
 */
export async function raiseAbout(
  { outbox, ids }: { outbox: Outbox; ids: Ids },
  writer: Writer,
  document: ListedDocument,
  event: DocumentEvent,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { customer_id, customer_type, share_code, connection_id } = document;
  if (customer_id === null || customer_type === null || connection_id === null) return;
  const link = customer_type === 'company' ? await linkOf(writer, document, connection_id) : undefined;
  const onAccount =
    link === undefined
      ? []
      : [
          {
            ...accountEvent(AccountEvent[event], link, link.connection, share_code ?? '', payload),
            // Only the latest status counts; what else happens to a document stands for itself.
            about: event === 'documentStatusChanged' ? document.id : ids.uuid(),
          },
        ];
  await outbox.raise(
    writer,
    [
      {
        event: Event[event],
        companyId: document.company_id,
        serviceId: document.service_id,
        customer: { id: customer_id, type: customer_type, shareCode: share_code },
        connectionId: connection_id,
        documentId: document.id,
        payload,
      },
    ],
    onAccount,
  );
}
