import type { CustomerType } from '@symbolon/protocol';
import type { Reader } from '../../../db/database.ts';
import type { RequestFieldRow, ShareFieldRow } from '../../services/index.ts';
import {
  askedConnectionIds,
  type OwnConnectionRow,
  type OwnConnections,
  type OwnSlotRow,
  ownConnectionIds,
  ownConnections,
  ownPending,
  ownRequestRows,
  ownShareRows,
  ownSlots,
  type PendingRow,
} from './customer-store.ts';
import { isAskedOf, liveOf } from './decisions.ts';

/**
 * Connections that are viewed at once: few, for each can have a hundred kilobytes of rows and of what the service shows; not
 * fewer, for each view has seven queries: of 501 connections 73 ms of CPU, and 132 ms with eight at once.
 */
export const AT_ONCE = 24;

/** The rows asked of the customer that are pending, which share one id. */
export interface OpenConsent {
  readonly id: string;
  readonly rows: RequestFieldRow[];
  readonly createdAt: number;
}

/** A connection as its customer sees it. */
export interface CustomerLink {
  readonly connection: OwnConnectionRow;
  readonly shared: Pick<ShareFieldRow, 'slug' | 'label' | 'type' | 'value'>[];
  /** Of the rows asked of this kind of customer. */
  readonly requested: RequestFieldRow[];
  /** What is answered, in the order of the rows. */
  readonly answers: { readonly row: RequestFieldRow; readonly slot: OwnSlotRow }[];
  readonly consent: OpenConsent | null;
}

/** Names connections one by one: then PostgreSQL begins with them, whatever it knows about how many a customer has. */
const named = (customerId: string, connectionId: readonly string[]) => ({ customerId, connectionId });

/** What is named one by one is not looked for again: each query asks whether it is the customer's. */
async function idsOf(reader: Reader, wanted: OwnConnections): Promise<readonly string[]> {
  const { connectionId, groupId } = wanted;
  if (typeof connectionId === 'object' && groupId === undefined) return connectionId;
  return (await ownConnectionIds(reader, wanted)).map(({ id }) => id);
}

/** A customer's connections, oldest first. The number of queries does not depend on the number of connections. */
export async function customerLinks(reader: Reader, wanted: OwnConnections): Promise<CustomerLink[]> {
  const ids = await idsOf(reader, wanted);
  if (ids.length === 0) return [];
  const which = named(wanted.customerId, ids);
  const connections = await ownConnections(reader, which);
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
    const customer = connection.customer_type;
    const all = rowsBy.get(connection.service_id) ?? [];
    const answered = new Map((slotsBy.get(connection.id) ?? []).map((slot) => [slot.request_field_id, slot]));
    return {
      connection,
      shared: (sharedBy.get(connection.service_id) ?? []).map(toShared),
      requested: all.filter((row) => isAskedOf(customer, row)),
      answers: all.flatMap((row) => {
        const slot = answered.get(row.id);
        return slot === undefined ? [] : { row, slot: { ...slot, live: liveOf(row, slot) } };
      }),
      consent: openConsent(customer, all, pendingBy.get(connection.id) ?? []),
    };
  });
}

const toShared = ({ slug, label, type, value }: ShareFieldRow) => ({ slug, label, type, value });

/** What services have asked for since the customer connected, oldest connection first. */
export async function openConsents(
  reader: Reader,
  customerId: string,
): Promise<{ connection: OwnConnectionRow; consent: OpenConsent }[]> {
  const ids = await askedConnectionIds(reader, customerId);
  if (ids.length === 0) return [];
  const pending = Map.groupBy(await ownPending(reader, named(customerId, ids)), (row) => row.connection_id);
  if (pending.size === 0) return [];
  const which = named(customerId, [...pending.keys()]);
  const connections = await ownConnections(reader, which);
  const rowsBy = Map.groupBy(await ownRequestRows(reader, which), (row) => row.service_id);
  return connections.flatMap((connection) => {
    const rows = rowsBy.get(connection.service_id) ?? [];
    const consent = openConsent(connection.customer_type, rows, pending.get(connection.id) ?? []);
    return consent === null ? [] : { connection, consent };
  });
}

/** The open consent of a connection; null when no row is pending that is still asked of this kind of customer. */
export function openConsent(
  customer: CustomerType,
  requested: readonly RequestFieldRow[],
  pending: readonly PendingRow[],
): OpenConsent | null {
  const waiting = new Map(pending.map((row) => [row.request_field_id, row]));
  const rows = requested.filter((row) => isAskedOf(customer, row) && waiting.has(row.id));
  const id = pending[0]?.consent_id ?? null;
  if (id === null || rows.length === 0) return null;
  return { id, rows, createdAt: Math.max(...pending.map((row) => row.asked_at)) };
}
