import { sumOfBytes } from '../../../db/byte-lengths.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import type { SlotValueRow } from './tables.ts';

/** A slot that follows a field, with what its row asks and where its copies go. */
export interface LiveSlotRow
  extends Pick<
      SlotValueRow,
      'company_id' | 'connection_id' | 'request_field_id' | 'field_version' | 'private' | 'verification'
    >,
    Pick<
      RequestFieldRow,
      'service_id' | 'slug' | 'verified' | 'verified_max_age_days' | 'mandatory_connected' | 'audience'
    > {
  service_public_key: string;
}

/**
 * The slots that follow a field, oldest connection first. The remaining rows of a company that has moved to another region
 * do not count: its slots are in that region now.
 */
export async function liveSlotsOf(reader: Reader, fieldId: string): Promise<LiveSlotRow[]> {
  return reader
    .selectFrom('slot_values')
    .innerJoin('connections', 'connections.id', 'slot_values.connection_id')
    .innerJoin('services', 'services.id', 'connections.service_id')
    .innerJoin('companies', 'companies.id', 'slot_values.company_id')
    .innerJoin('request_fields', (join) =>
      join
        .onRef('request_fields.company_id', '=', 'slot_values.company_id')
        .onRef('request_fields.service_id', '=', 'connections.service_id')
        .onRef('request_fields.id', '=', 'slot_values.request_field_id'),
    )
    .select([
      'slot_values.company_id',
      'slot_values.connection_id',
      'slot_values.request_field_id',
      'slot_values.field_version',
      'slot_values.private',
      'slot_values.verification',
      'request_fields.service_id',
      'request_fields.slug',
      'request_fields.verified',
      'request_fields.verified_max_age_days',
      'request_fields.mandatory_connected',
      'request_fields.audience',
      'services.public_key as service_public_key',
    ])
    .where('slot_values.field_id', '=', fieldId)
    .where('slot_values.live', '=', 1)
    .where('companies.region', 'is', null)
    .orderBy('slot_values.connection_id')
    .orderBy('request_fields.position')
    .execute();
}

type SlotKey = Pick<SlotValueRow, 'company_id' | 'connection_id' | 'request_field_id'>;

/** False when the slot is gone. */
export async function updateSlot(
  writer: Writer,
  slot: SlotKey,
  changes: Partial<Pick<SlotValueRow, 'value' | 'verification' | 'private' | 'updated_at' | 'field_version'>>,
): Promise<boolean> {
  const result = await writer
    .updateTable('slot_values')
    .set(changes)
    .where('company_id', '=', slot.company_id)
    .where('connection_id', '=', slot.connection_id)
    .where('request_field_id', '=', slot.request_field_id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Slots that follow a field are private when the field is; snapshots keep the setting they were taken with. */
export async function setLivePrivate(
  writer: Writer,
  fieldId: string,
  isPrivate: SlotValueRow['private'],
): Promise<void> {
  await writer
    .updateTable('slot_values')
    .set({ private: isPrivate })
    .where('field_id', '=', fieldId)
    .where('live', '=', 1)
    .execute();
}

/** Drops the slots that follow a field and forgets where its snapshots came from. */
export async function detachField(writer: Writer, fieldId: string): Promise<void> {
  await writer.deleteFrom('slot_values').where('field_id', '=', fieldId).where('live', '=', 1).execute();
  await writer.updateTable('slot_values').set({ field_id: null }).where('field_id', '=', fieldId).execute();
}

/** Makes the answers to some rows snapshots: they follow no field any more. */
export async function snapshotSlots(
  writer: Writer,
  companyId: string,
  rows: readonly Pick<RequestFieldRow, 'id'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await writer
    .updateTable('slot_values')
    .set({ live: 0, field_version: null, registration: null })
    .where('company_id', '=', companyId)
    .where(
      'request_field_id',
      'in',
      rows.map((row) => row.id),
    )
    .where('live', '=', 1)
    .execute();
}

/** Stores answers and replaces existing ones. */
export async function putSlots(writer: Writer, rows: readonly SlotValueRow[]): Promise<void> {
  if (rows.length === 0) return;
  await writer
    .insertInto('slot_values')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'connection_id', 'request_field_id']).doUpdateSet((eb) => ({
        field_id: eb.ref('excluded.field_id'),
        live: eb.ref('excluded.live'),
        value: eb.ref('excluded.value'),
        private: eb.ref('excluded.private'),
        verification: eb.ref('excluded.verification'),
        updated_at: eb.ref('excluded.updated_at'),
        field_version: eb.ref('excluded.field_version'),
        registration: eb.ref('excluded.registration'),
      })),
    )
    .execute();
}

type ConnectionKey = { company_id: string; id: string };

/** What the answers of a connection take, in bytes. */
export function answerBytes(reader: Reader, connection: ConnectionKey): Promise<number> {
  return sumOfBytes(
    reader
      .selectFrom('slot_values')
      .where('company_id', '=', connection.company_id)
      .where('connection_id', '=', connection.id),
    'value',
  );
}

/** The request rows that a connection has answered. */
export async function answeredRowsOf(reader: Reader, connection: ConnectionKey): Promise<Set<string>> {
  const rows = await reader
    .selectFrom('slot_values')
    .select('request_field_id')
    .where('company_id', '=', connection.company_id)
    .where('connection_id', '=', connection.id)
    .execute();
  return new Set(rows.map((row) => row.request_field_id));
}

export async function deleteSlots(
  writer: Writer,
  connection: ConnectionKey,
  requestFieldIds: readonly string[],
): Promise<void> {
  if (requestFieldIds.length === 0) return;
  await writer
    .deleteFrom('slot_values')
    .where('company_id', '=', connection.company_id)
    .where('connection_id', '=', connection.id)
    .where('request_field_id', 'in', requestFieldIds)
    .execute();
}
