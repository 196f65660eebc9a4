import type {
  CompanyIdentity,
  CustomerConnection,
  CustomerConsent,
  CustomerDocument,
  CustomerRequestField,
  CustomerServiceCard,
  ServiceLink,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Reader } from '../../../db/database.ts';
import { type RequestFieldRow, reasonOf } from '../../services/index.ts';
import { toCompanyField } from '../company-data/company-data.ts';
import type { ConnectionDocuments } from '../connections/connection-documents.ts';
import { type CustomerLink, customerLinks, openConsents } from '../connections/customer-links.ts';
import type { ServiceCardRow } from '../connections/customer-store.ts';

/** What a company shows of itself to those connected to it. */
export type ProfilesOf = (
  reader: Reader,
  companyIds: readonly string[],
) => Promise<ReadonlyMap<string, CustomerConnection['company_profile']>>;

/** A company's connections, or some of them, oldest first. One connection has the links to all services of one other company. */
export async function viewCompanyConnections(
  reader: Reader,
  companyId: string,
  { profilesOf, connectionDocuments }: { profilesOf: ProfilesOf; connectionDocuments: ConnectionDocuments },
  groupId?: string | readonly string[],
): Promise<CustomerConnection[]> {
  const which = { customerId: companyId, ...(groupId === undefined ? {} : { groupId }) };
  const links = await customerLinks(reader, which);
  const groups = [...Map.groupBy(links, ({ connection }) => connection.group_id ?? connection.id)];
  const companyIds = groups.flatMap(([, [first]]) => first?.connection.company_id ?? []);
  const profiles = await profilesOf(reader, companyIds);
  const documents = await connectionDocuments.ofCompany(reader, companyId, companyIds);
  return groups.flatMap(([id, ofGroup]) => {
    const [first] = ofGroup;
    if (first === undefined) return [];
    const { connection } = first;
    const all = documents.get(connection.company_id) ?? [];
    return {
      id,
      customer_type: 'company' as const,
      company: identityOf(connection),
      company_profile: profiles.get(connection.company_id) ?? [],
      services: ofGroup.map((link) => toLink(link, all)),
      // What was signed or accepted is left when its link has ended.
      documents: all.filter((document) => document.connection_id === null),
    };
  });
}

/** One link; undefined when it is not the company's. */
export async function viewLink(
  reader: Reader,
  companyId: string,
  linkId: string,
  connectionDocuments: ConnectionDocuments,
): Promise<ServiceLink | undefined> {
  const [link] = await customerLinks(reader, { customerId: companyId, connectionId: linkId });
  if (link === undefined) return undefined;
  const issuer = link.connection.company_id;
  const documents = await connectionDocuments.ofCompany(reader, companyId, [issuer]);
  return toLink(link, documents.get(issuer) ?? []);
}

/** What services have asked for since the company connected, oldest connection first. */
export async function viewCompanyConsents(reader: Reader, companyId: string): Promise<CustomerConsent[]> {
  const open = await openConsents(reader, companyId);
  return open.map(({ connection, consent }) => ({
    id: consent.id,
    connection_id: connection.group_id ?? connection.id,
    service_link_id: connection.id,
    company: identityOf(connection),
    service: serviceCard(connection),
    request_fields: consent.rows.map(toCustomerField),
    created_at: isoTime(consent.createdAt),
  }));
}

/** The wire's form of a row that is asked of companies. */
export function toCustomerField(row: RequestFieldRow): CustomerRequestField {
  const { id, slug, label, type, ...rules } = toCompanyField(row);
  return { id, slug, label, type, field_type: type, ...rules, audience: row.audience, ...reasonOf(row) };
}

export function identityOf(row: ServiceCardRow): CompanyIdentity {
  return { user_id: row.company_id, display_name: row.company_name, share_code: row.company_code };
}

export function serviceCard(row: ServiceCardRow): CustomerServiceCard {
  return {
    id: row.service_id,
    name: row.service_name,
    share_code: row.service_code,
    audience: row.audience,
    public_key: row.public_key,
    public_key_sha256: row.public_key_sha256,
  };
}

function toLink(
  { connection, shared, answers, consent }: CustomerLink,
  documents: readonly CustomerDocument[],
): ServiceLink {
  return {
    service_link_id: connection.id,
    service_id: connection.service_id,
    service_name: connection.service_name,
    service_code: connection.service_code,
    shared,
    mappings: answers.map(({ row, slot }) => ({
      request_field_id: row.id,
      slug: row.slug,
      kind: slot.live === 1 ? ('typed' as const) : ('one_time' as const),
      updated_at: isoTime(slot.updated_at),
    })),
    pending_consent: consent && { id: consent.id, request_fields: consent.rows.map(toCustomerField) },
    documents: documents.filter((document) => document.connection_id === connection.id),
  };
}
