import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { FILE_TEXT } from '../../../core/stored-file.ts';
import { replacedBut } from '../../../db/by-key.ts';
import { sumOfBytes } from '../../../db/byte-lengths.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, inListOf, listParameter } from '../../../db/lists.ts';
import { prepared } from '../../../db/prepared.ts';
import { onRows, type RecordColumns } from '../../../db/recordset.ts';
import type { Tables } from '../../../db/tables.ts';
import { unindexed } from '../../../db/unindexed.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import type { ConnectionRow, SlotValueRow } from './tables.ts';

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
export const liveSlotsOf = prepared<[fieldId: string], LiveSlotRow>((db, [fieldId]) =>
  db
    .selectFrom('slot_values')
    .innerJoin('connections', 'connections.id', 'slot_values.connection_id')
    .innerJoin('services', (join) => join.on('services.id', '=', unindexed('connections.service_id')))
    .innerJoin('companies', (join) => join.on('companies.id', '=', unindexed('slot_values.company_id')))
    .innerJoin('request_fields', (join) =>
      join
        .on('request_fields.company_id', '=', unindexed('slot_values.company_id'))
        .on('request_fields.service_id', '=', unindexed('connections.service_id'))
        .on('request_fields.id', '=', unindexed('slot_values.request_field_id')),
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
    // Until a worker has stored it, an answer to a row that turned one-time only looks live.
    .where('request_fields.one_time', '=', 0)
    .where('companies.region', 'is', null)
    .orderBy('slot_values.connection_id')
    .orderBy('request_fields.position'),
);

type SlotKey = Pick<SlotValueRow, 'company_id' | 'connection_id' | 'request_field_id'>;

/** What changes of a slot. Members that are left out stay as they are. */
export type SlotChanges = Partial<
  Pick<SlotValueRow, 'verification' | 'private' | 'updated_at' | 'field_version'> & { value: string }
>;

interface ChangedSlot extends SlotKey {
  readonly value: string | null;
  /** Null is a verification too: none. */
  readonly sets_verification: number;
  readonly verification: string | null;
  readonly private: number | null;
  readonly updated_at: number | null;
  readonly field_version: number | null;
}

const CHANGED_COLUMNS: RecordColumns<ChangedSlot> = {
  company_id: 'text',
  connection_id: 'text',
  request_field_id: 'text',
  value: 'text',
  sets_verification: 'bigint',
  verification: 'text',
  private: 'bigint',
  updated_at: 'bigint',
  field_version: 'bigint',
};

const changeSlots = onRows(
  'changed',
  CHANGED_COLUMNS,
  (changed) => sql<Pick<SlotKey, 'connection_id' | 'request_field_id'>>`
    update slot_values set
      value = coalesce(changed.value, slot_values.value),
      verification = case when changed.sets_verification = 1 then changed.verification else slot_values.verification end,
      private = coalesce(changed.private, slot_values.private),
      updated_at = coalesce(changed.updated_at, slot_values.updated_at),
      field_version = coalesce(changed.field_version, slot_values.field_version)
    from ${changed}
    where slot_values.company_id = changed.company_id
      and slot_values.connection_id = changed.connection_id
      and slot_values.request_field_id = changed.request_field_id
    returning slot_values.connection_id, slot_values.request_field_id
`,
);

/** Changes slots, many with one statement; gives those that are still there, in the order of the list. */
export async function updateSlots<Slot extends SlotKey>(
  engine: Engine,
  writer: Writer,
  changed: readonly { readonly slot: Slot; readonly changes: SlotChanges }[],
): Promise<Slot[]> {
  if (changed.length === 0) return [];
  const rows = changed.map(({ slot, changes }) => ({
    company_id: slot.company_id,
    connection_id: slot.connection_id,
    request_field_id: slot.request_field_id,
    value: changes.value ?? null,
    sets_verification: changes.verification === undefined ? 0 : 1,
    verification: changes.verification ?? null,
    private: changes.private ?? null,
    updated_at: changes.updated_at ?? null,
    field_version: changes.field_version ?? null,
  }));
  const there = await changeSlots(engine, writer, rows);
  const keys = new Set(there.map(slotKey));
  return changed.flatMap(({ slot }) => (keys.has(slotKey(slot)) ? [slot] : []));
}

/** What tells the slots of a person apart. */
export const slotKey = (slot: Pick<SlotKey, 'connection_id' | 'request_field_id'>): string =>
  `${slot.connection_id} ${slot.request_field_id}`;

/** The request row of a slot, in a subquery. */
const rowOfSlot = (eb: ExpressionBuilder<Tables, 'slot_values'>) =>
  eb
    .selectFrom('connections')
    .innerJoin('request_fields', (join) =>
      join
        .onRef('request_fields.company_id', '=', 'connections.company_id')
        .onRef('request_fields.service_id', '=', 'connections.service_id'),
    )
    .select('request_fields.id')
    .whereRef('connections.id', '=', 'slot_values.connection_id')
    .whereRef('request_fields.id', '=', 'slot_values.request_field_id');

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
    .where((eb) => eb.exists(rowOfSlot(eb).where('request_fields.one_time', '=', 0)))
    .execute();
}

/** Drops the slots that follow a field and forgets where its snapshots came from. */
export async function detachField(writer: Writer, fieldId: string): Promise<void> {
  await writer
    .deleteFrom('slot_values')
    .where('field_id', '=', fieldId)
    .where('live', '=', 1)
    .where((eb) => eb.not(eb.exists(rowOfSlot(eb).where('request_fields.one_time', '=', 1))))
    .execute();
  // Those that are left and live have a row that turned one-time: they are snapshots already.
  await writer
    .updateTable('slot_values')
    .set({ field_id: null, live: 0, field_version: null, registration: null })
    .where('field_id', '=', fieldId)
    .execute();
}

/** The answers of some connections of one company to some rows. */
export interface AnswersOf {
  readonly companyId: string;
  readonly connectionIds: readonly string[];
  readonly rowIds: readonly string[];
}

/** Makes the live answers snapshots: they follow no field any more. The time of files that are given once begins. */
export async function snapshotAnswers(
  engine: Engine,
  writer: Writer,
  { companyId, connectionIds, rowIds }: AnswersOf,
  now: number,
): Promise<void> {
  if (connectionIds.length === 0 || rowIds.length === 0) return;
  await writer
    .updateTable('slot_values')
    .set((eb) => ({
      live: 0,
      field_version: null,
      registration: null,
      updated_at: eb.case().when(isFile).then(now).else(eb.ref('updated_at')).end(),
    }))
    .where(inListOf(engine, ['company_id', companyId], 'connection_id', listParameter(engine, connectionIds)))
    .where(inList(engine, 'request_field_id', listParameter(engine, rowIds)))
    .where('live', '=', 1)
    .execute();
}

/** Deletes the answers, and the decisions on what was asked. */
export async function deleteAnswers(
  engine: Engine,
  writer: Writer,
  { companyId, connectionIds, rowIds }: AnswersOf,
): Promise<void> {
  if (connectionIds.length === 0 || rowIds.length === 0) return;
  for (const table of ['slot_values', 'consent_rows'] as const) {
    await writer
      .deleteFrom(table)
      .where(
        inListOf(engine, ['company_id', companyId], 'connection_id', listParameter(engine, connectionIds)),
      )
      .where(inList(engine, 'request_field_id', listParameter(engine, rowIds)))
      .execute();
  }
}

const isFile = sql<SqlBool>`substr(value, 1, ${sql.lit(FILE_TEXT.length)}) = ${sql.lit(FILE_TEXT)}`;

/** A file that was given once, and whose time is over. */
export interface ExpiredFile extends ConnectionRow {
  readonly request_field_id: string;
  readonly slug: string;
  readonly value: string | null;
}

/** Some of the files that were given once before a moment, the oldest first, without those of companies that are moving away. */
export async function filesGivenBefore(reader: Reader, before: number, most: number): Promise<ExpiredFile[]> {
  return reader
    .selectFrom('slot_values')
    .innerJoin('connections', 'connections.id', 'slot_values.connection_id')
    .innerJoin('request_fields', (join) =>
      join
        .onRef('request_fields.company_id', '=', 'connections.company_id')
        .onRef('request_fields.service_id', '=', 'connections.service_id')
        .onRef('request_fields.id', '=', 'slot_values.request_field_id'),
    )
    .innerJoin('companies', 'companies.id', 'slot_values.company_id')
    .selectAll('connections')
    .select(['slot_values.request_field_id', 'request_fields.slug', 'slot_values.value'])
    .where('slot_values.live', '=', sql.lit(0))
    .where(sql<SqlBool>`substr(slot_values.value, 1, ${sql.lit(FILE_TEXT.length)}) = ${sql.lit(FILE_TEXT)}`)
    .where('slot_values.updated_at', '<=', before)
    .where('companies.region', 'is', null)
    .orderBy('slot_values.updated_at')
    .limit(most)
    .execute();
}

/** Puts something else in the place of a slot's value, if it is still the one that is known. */
export async function replaceValue(
  writer: Writer,
  slot: {
    readonly company_id: string;
    readonly id: string;
    readonly request_field_id: string;
    readonly value: string | null;
  },
  value: string,
): Promise<boolean> {
  const { numUpdatedRows } = await writer
    .updateTable('slot_values')
    .set({ value })
    .where('company_id', '=', slot.company_id)
    .where('connection_id', '=', slot.id)
    .where('request_field_id', '=', slot.request_field_id)
    .where('value', '=', slot.value)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const SLOT_KEY = ['company_id', 'connection_id', 'request_field_id'] as const;

/** Stores answers and replaces existing ones. */
export async function putSlots(writer: Writer, rows: readonly SlotValueRow[]): Promise<void> {
  if (rows.length === 0) return;
  await writer
    .insertInto('slot_values')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(SLOT_KEY).doUpdateSet(replacedBut(rows, SLOT_KEY)))
    .execute();
}

type ConnectionKey = { company_id: string; id: string };

/** What the answers of a connection take, in bytes; answers to rows that were removed do not count. */
export function answerBytes(
  reader: Reader,
  connection: ConnectionKey & { service_id: string },
): Promise<number> {
  return sumOfBytes(
    reader
      .selectFrom('slot_values')
      .where('company_id', '=', connection.company_id)
      .where('connection_id', '=', connection.id)
      .where('request_field_id', 'in', (eb) =>
        eb
          .selectFrom('request_fields')
          .select('request_fields.id')
          .where('request_fields.company_id', '=', connection.company_id)
          .where('request_fields.service_id', '=', connection.service_id),
      ),
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
