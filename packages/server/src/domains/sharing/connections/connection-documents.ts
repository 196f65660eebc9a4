import type { CustomerDocument } from '@symbolon/protocol';
import type { Reader, Writer } from '../../../db/database.ts';

/** The documents that services issue, as connections meet them. */
export interface ConnectionDocuments {
  /**
   * Called in the transaction that would end connections, which holds their locks. A customer is kept by contracts that it
   * signed or accepted and still has; the service by all that it issued.
   * @throws {PlatformError} company_connections.active_contract
   */
  refuseEnding(writer: Writer, connectionIds: readonly string[], by: 'customer' | 'service'): Promise<void>;
  /** What a company that is a customer has, by the company that issued it; `connection_id` is the link it stands in. */
  ofCompany(
    reader: Reader,
    customerId: string,
    companyIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly CustomerDocument[]>>;
}
