import type { Reader } from '../../../db/database.ts';
import type { CustomersDocument } from '../documents/index.ts';

/** What the seal needs of the parties of a document. Keys are base64 SPKI. */
export interface Parties {
  readonly serviceKey: string;
  readonly customerKey: string;
  readonly customerName: string;
}

/** Undefined when a party is gone. */
export async function partiesOf(
  reader: Reader,
  { company_id, service_id, customer_id, customer_type }: CustomersDocument,
): Promise<Parties | undefined> {
  const service = await reader
    .selectFrom('services')
    .select('public_key')
    .where('company_id', '=', company_id)
    .where('id', '=', service_id)
    .executeTakeFirst();
  const customer = await (customer_type === 'person'
    ? reader
        .selectFrom('persons')
        .select(['public_key', 'display_name as name'])
        .where('id', '=', customer_id)
    : reader
        .selectFrom('companies')
        .select(['account_public_key as public_key', 'name'])
        .where('id', '=', customer_id)
  ).executeTakeFirst();
  return (
    service &&
    customer && {
      serviceKey: service.public_key,
      customerKey: customer.public_key,
      customerName: customer.name,
    }
  );
}
