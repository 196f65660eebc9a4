import { rowBy } from '../../../db/by-key.ts';
import type { Reader } from '../../../db/database.ts';
import type { ListedDocument } from '../documents/store.ts';

/** What the seal needs of the parties of a document. Keys are base64 SPKI. */
export interface Parties {
  readonly serviceKey: string;
  readonly customerKey: string;
  readonly customerName: string;
}

/** The company that issued a document, and the key of its service. */
export async function companyOf(
  reader: Reader,
  { company_id, service_id }: { company_id: string; service_id: string },
): Promise<{ serviceKey: string; name: string } | undefined> {
  return reader
    .selectFrom('services')
    .innerJoin('companies', 'companies.id', 'services.company_id')
    .select(['services.public_key as serviceKey', 'companies.name'])
    .where('services.company_id', '=', company_id)
    .where('services.id', '=', service_id)
    .executeTakeFirst();
}

/** Undefined when a party is gone. */
export async function partiesOf(
  reader: Reader,
  { company_id, service_id, customer_id, customer_type }: ListedDocument,
): Promise<Parties | undefined> {
  const service = await rowBy(reader, 'services', { company_id, id: service_id }, ['public_key']);
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
