import type { AccountEventName } from '@symbolon/protocol';
import type { AccountEvent } from '../../../events/outbox.ts';
import type { ServiceRow } from '../../services/index.ts';
import type { ConnectionRow } from './tables.ts';

/** A service by the codes that customers know it by. */
export type CodedService = Pick<ServiceRow, 'id' | 'share_code'> & { readonly company_code: string };

/** An event for the company that is the customer of a connection (wire 6.7). */
export function accountEvent(
  event: AccountEventName,
  service: CodedService,
  connection: Pick<ConnectionRow, 'id' | 'group_id' | 'customer_id'>,
  customerCode: string,
  more: Readonly<Record<string, unknown>> = {},
): AccountEvent {
  return {
    event,
    company: { id: connection.customer_id, shareCode: customerCode },
    serviceId: service.id,
    connectionId: connection.id,
    payload: {
      company_share_code: service.company_code,
      service_share_code: service.share_code,
      connection_id: connection.group_id,
      service_link_id: connection.id,
      ...more,
    },
  };
}
