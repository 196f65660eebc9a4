import type { Lookup, PersonConnection, PersonConsent } from '@symbolon/protocol';
import type { Reader } from '../../db/database.ts';
import type { ConsentRow, RequestFieldRow } from '../../db/tables.ts';
import { isoTime } from '../../ports/clock.ts';
import type { ListedService } from '../services/directory.ts';
import { toRequestField } from '../services/service-config.ts';
import { asksPeople } from './decisions.ts';
import {
  type OwnConnectionRow,
  type OwnConnections,
  ownConnections,
  ownPending,
  ownRequestRows,
  ownShareRows,
  ownSlots,
} from './person-store.ts';

/** Connections as their person sees them, in as many queries for one as for all. */
export async function viewConnections(reader: Reader, which: OwnConnections): Promise<PersonConnection[]> {
  const connections = await ownConnections(reader, which);
  if (connections.length === 0) return [];
  // One after the other: a transaction has one connection, and a reader may be one.
  const rows = await ownRequestRows(reader, which);
  const shared = await ownShareRows(reader, which);
  const slots = await ownSlots(reader, which);
  const pending = await ownPending(reader, which);
  const rowsBy = Map.groupBy(rows, (row) => row.service_id);
  const sharedBy = Map.groupBy(shared, (row) => row.service_id);
  const slotsBy = Map.groupBy(slots, (slot) => slot.connection_id);
  const pendingBy = Map.groupBy(pending, (row) => row.connection_id);
  return connections.map((connection) => {
    const requested = rowsBy.get(connection.service_id) ?? [];
    const answered = new Map((slotsBy.get(connection.id) ?? []).map((slot) => [slot.request_field_id, slot]));
    const consent = openConsent(requested, pendingBy.get(connection.id) ?? []);
    return {
      connection_id: connection.id,
      customer_type: connection.customer_type,
      ...cardsOf(connection),
      connected_at: isoTime(connection.connected_at),
      shared: (sharedBy.get(connection.service_id) ?? []).map(({ slug, label, type, value }) => ({
        slug,
        label,
        type,
        value,
      })),
      request_fields: requested.filter(asksPeople).map(toRequestField),
      mappings: requested.flatMap((row) => {
        const slot = answered.get(row.id);
        if (slot === undefined) return [];
        return {
          request_field_id: row.id,
          slug: row.slug,
          kind: slot.live === 1 ? 'live' : 'one_time',
          field_id: slot.field_id,
          updated_at: isoTime(slot.updated_at),
        };
      }),
      pending_consent: consent && { id: consent.id, request_fields: consent.rows.map(toRequestField) },
    };
  });
}

/** What services have asked for since the person connected, oldest connection first. */
export async function viewConsents(reader: Reader, personId: string): Promise<PersonConsent[]> {
  const which = { personId };
  const pending = Map.groupBy(await ownPending(reader, which), (row) => row.connection_id);
  if (pending.size === 0) return [];
  const connections = await ownConnections(reader, which);
  const rows = await ownRequestRows(reader, which);
  const rowsBy = Map.groupBy(rows, (row) => row.service_id);
  return connections.flatMap((connection) => {
    const consent = openConsent(rowsBy.get(connection.service_id) ?? [], pending.get(connection.id) ?? []);
    if (consent === null) return [];
    return {
      id: consent.id,
      connection_id: connection.id,
      ...cardsOf(connection),
      request_fields: consent.rows.map(toRequestField),
      created_at: isoTime(consent.createdAt),
    };
  });
}

/**
 * The open consent of a connection: the rows asked of people that are pending, which share one id. Null when there are none,
 * such as when the rows are asked of companies alone by now.
 */
export function openConsent(
  requested: readonly RequestFieldRow[],
  pending: readonly ConsentRow[],
): { id: string; rows: RequestFieldRow[]; createdAt: number } | null {
  const waiting = new Map(pending.map((row) => [row.request_field_id, row]));
  const rows = requested.filter((row) => asksPeople(row) && waiting.has(row.id));
  const [first] = pending;
  if (first === undefined || rows.length === 0) return null;
  return { id: first.consent_id, rows, createdAt: Math.max(...pending.map((row) => row.created_at)) };
}

type Cards = Pick<Lookup, 'company' | 'service'>;

/** What a person sees of a service and its company. */
export function serviceCards(service: ListedService): Cards {
  return {
    company: {
      company_user_id: service.company_id,
      display_name: service.company_name,
      company_code: service.company_code,
    },
    service: {
      id: service.id,
      name: service.name,
      share_code: service.share_code,
      public_key: service.public_key,
      public_key_sha256: service.public_key_sha256,
    },
  };
}

function cardsOf(row: OwnConnectionRow): Cards {
  return {
    company: {
      company_user_id: row.company_id,
      display_name: row.company_name,
      company_code: row.company_code,
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
