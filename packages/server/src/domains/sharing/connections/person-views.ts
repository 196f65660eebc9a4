import type { Lookup, PersonConnection, PersonConsent, PhotoLink } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Reader } from '../../../db/database.ts';
import { photosShownTo } from '../../profile/index.ts';
import { toRequestField } from '../../services/index.ts';
import { customerLinks, openConsents } from './customer-links.ts';
import type { ServiceCardRow } from './customer-store.ts';

/** Which of a person's connections: all, or some. */
export interface OwnConnections {
  readonly personId: string;
  readonly connectionId?: string | readonly string[];
}

/** Connections as the person sees them. */
export async function viewConnections(
  reader: Reader,
  { personId, ...which }: OwnConnections,
): Promise<PersonConnection[]> {
  const links = await customerLinks(reader, { customerId: personId, ...which });
  if (links.length === 0) return [];
  const photos = await photosShownTo(reader, { customerId: personId, ...which });
  return links.map(({ connection, shared, requested, answers, consent }) => ({
    connection_id: connection.id,
    customer_type: connection.customer_type,
    ...cardsOf(connection, photos.profileOf(connection.company_id)),
    connected_at: isoTime(connection.connected_at),
    shared,
    photos: photos.ofService(connection.service_id),
    request_fields: requested.map(toRequestField),
    mappings: answers.map(({ row, slot }) => ({
      request_field_id: row.id,
      slug: row.slug,
      kind: slot.live === 1 ? 'live' : 'one_time',
      field_id: slot.field_id,
      updated_at: isoTime(slot.updated_at),
    })),
    pending_consent: consent && { id: consent.id, request_fields: consent.rows.map(toRequestField) },
  }));
}

/** What services have asked for since the person connected, oldest connection first. */
export async function viewConsents(reader: Reader, personId: string): Promise<PersonConsent[]> {
  const open = await openConsents(reader, personId);
  if (open.length === 0) return [];
  const photos = await photosShownTo(reader, { customerId: personId });
  return open.map(({ connection, consent }) => ({
    id: consent.id,
    connection_id: connection.id,
    ...cardsOf(connection, photos.profileOf(connection.company_id)),
    request_fields: consent.rows.map(toRequestField),
    created_at: isoTime(consent.createdAt),
  }));
}

type Cards = Pick<Lookup, 'company' | 'service'>;

/** What a person sees of a service and its company. */
export function cardsOf(row: ServiceCardRow, photo: PhotoLink | null): Cards {
  return {
    company: {
      company_user_id: row.company_id,
      display_name: row.company_name,
      company_code: row.company_code,
      photo,
    },
    service: {
      id: row.service_id,
      name: row.service_name,
      share_code: row.service_code,
      public_key: row.public_key,
      public_key_sha256: row.public_key_sha256,
    },
  };
}
