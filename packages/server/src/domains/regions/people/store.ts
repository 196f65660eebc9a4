import type { Selectable } from 'kysely';
import { deleteBy, putBy, replacedBut, rowBy } from '../../../db/by-key.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, inListOf, listParameter } from '../../../db/lists.ts';
import { prepared } from '../../../db/prepared.ts';
import type { Tables } from '../../../db/tables.ts';
import type { PersonFieldRow, PersonRow } from '../../people/index.ts';
import type { AnswersOf } from '../../sharing/index.ts';
import type { RemoteRequestRow, RemoteServiceKeyRow, RemoteSlotRow } from './tables.ts';

/** The home region of a person; null for this region. */
export const personHome = prepared<[id: string], Pick<PersonRow, 'region' | 'epoch'>>((db, [id]) =>
  db.selectFrom('persons').select(['region', 'epoch']).where('id', '=', id),
);

const OF_PERSON = [
  'id',
  'display_name',
  'share_code',
  'public_key',
  'public_key_sha256',
  'epoch',
  'created_at',
] as const satisfies readonly (keyof PersonRow)[];

/** What other regions store of a person. */
export type PersonReplica = Pick<PersonRow, (typeof OF_PERSON)[number]>;

const OF_FIELD = [
  'person_id',
  'id',
  'type',
  'label',
  'slug',
  'private',
  'usertype',
  'verification',
  'verified_name',
  'created_at',
  'updated_at',
  'version',
] as const satisfies readonly (keyof PersonFieldRow)[];

/** What other regions store of a field. Its value is sealed for the person, and stays at home. */
export type FieldReplica = Pick<PersonFieldRow, (typeof OF_FIELD)[number]>;

export const fieldReplica = (row: PersonFieldRow): FieldReplica =>
  Object.fromEntries(OF_FIELD.map((column) => [column, row[column]])) as FieldReplica;

/** A person of this region; undefined for any other, and for one who deleted the account. */
export async function homePerson(reader: Reader, id: string): Promise<PersonReplica | undefined> {
  return reader
    .selectFrom('persons')
    .select(OF_PERSON)
    .where('id', '=', id)
    .where('region', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

export type CodeReplica = Selectable<Pick<Tables['share_codes'], 'code' | 'custom'>>;

export async function codesOf(reader: Reader, personId: string): Promise<CodeReplica[]> {
  return reader
    .selectFrom('share_codes')
    .select(['code', 'custom'])
    .where('subject_id', '=', personId)
    .orderBy('code')
    .execute();
}

/** Stores a replica of a person. It never overwrites a person of this region. */
export async function putPerson(writer: Writer, row: PersonRow): Promise<void> {
  await writer
    .insertInto('persons')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(replacedBut([row], ['id', 'created_at', 'region', 'deleted_at']))
        .where('persons.region', 'is not', null),
    )
    .execute();
}

export async function replaceCodes(
  writer: Writer,
  personId: string,
  codes: readonly CodeReplica[],
): Promise<void> {
  await deleteBy(writer, 'share_codes', { subject_id: personId });
  for (const code of codes) {
    // The directory gives a code to one owner only, so a row of another owner is outdated.
    await putBy(writer, 'share_codes', ['code'], { ...code, kind: 'person', subject_id: personId });
  }
}

/** Stores a replica of a field. Another field with its slug was renamed or deleted at home. */
export async function putField(writer: Writer, row: PersonFieldRow): Promise<void> {
  await writer
    .deleteFrom('person_fields')
    .where('person_id', '=', row.person_id)
    .where('slug', '=', row.slug)
    .where('id', '!=', row.id)
    .execute();
  await putBy(writer, 'person_fields', ['person_id', 'id'], row);
}

export async function versionsOf(reader: Reader, personId: string): Promise<Map<string, number>> {
  const rows = await reader
    .selectFrom('person_fields')
    .select(['id', 'version'])
    .where('person_id', '=', personId)
    .execute();
  return new Map(rows.map((row) => [row.id, row.version]));
}

/** A slot in another region, and the home of its company; null for this region and for an unknown company. */
export type KnownRemoteSlot = RemoteSlotRow & { readonly region: string | null };

const knownSlots = (reader: Reader) =>
  reader
    .selectFrom('remote_slots')
    .leftJoin('companies', 'companies.id', 'remote_slots.company_id')
    .leftJoin('remote_service_keys', (join) =>
      join
        .onRef('remote_service_keys.company_id', '=', 'remote_slots.company_id')
        .onRef('remote_service_keys.service_id', '=', 'remote_slots.service_id'),
    )
    .leftJoin('remote_request_rows', (join) =>
      join
        .onRef('remote_request_rows.company_id', '=', 'remote_slots.company_id')
        .onRef('remote_request_rows.request_field_id', '=', 'remote_slots.request_field_id'),
    )
    .selectAll('remote_slots')
    .select((eb) => [
      'companies.region',
      eb.fn
        .coalesce('remote_service_keys.public_key', 'remote_slots.service_public_key')
        .as('service_public_key'),
      eb.fn.coalesce('remote_request_rows.mandatory', 'remote_slots.mandatory').as('mandatory'),
    ]);

/** The slots in other regions that follow a field, oldest connection first. */
export async function remoteSlotsOf(reader: Reader, fieldId: string): Promise<KnownRemoteSlot[]> {
  return knownSlots(reader)
    .where('remote_slots.field_id', '=', fieldId)
    .orderBy('remote_slots.connection_id')
    .orderBy('remote_slots.slug')
    .orderBy('remote_slots.registered_at')
    .execute();
}

/** Slots that were registered in a period, ordered by registration. */
export async function remoteSlotsBetween(
  reader: Reader,
  { since, until, after, most }: { since: number; until: number; after: string; most: number },
): Promise<KnownRemoteSlot[]> {
  return knownSlots(reader)
    .where('remote_slots.registered_at', '>', since)
    .where('remote_slots.registered_at', '<=', until)
    .where('remote_slots.registration', '>', after)
    .orderBy('remote_slots.registration')
    .limit(most)
    .execute();
}

/** Repeating it does nothing. */
export async function insertRemoteSlots(writer: Writer, rows: readonly RemoteSlotRow[]): Promise<void> {
  if (rows.length === 0) return;
  await writer
    .insertInto('remote_slots')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['person_id', 'registration']).doNothing())
    .execute();
}

/** The slots have this version of their field's value. */
export async function setSlotVersions(
  engine: Engine,
  writer: Writer,
  personId: string,
  { registrations, version }: { registrations: readonly string[]; version: number },
): Promise<void> {
  if (registrations.length === 0) return;
  await writer
    .updateTable('remote_slots')
    .set({ field_version: version })
    .where(inListOf(engine, ['person_id', personId], 'registration', listParameter(engine, registrations)))
    .execute();
}

export async function deleteRemoteSlot(
  writer: Writer,
  personId: string,
  registration: string,
): Promise<void> {
  await deleteBy(writer, 'remote_slots', { person_id: personId, registration });
}

export async function deleteRemoteSlotsOfField(writer: Writer, fieldId: string): Promise<void> {
  await deleteBy(writer, 'remote_slots', { field_id: fieldId });
}

export async function deleteRemoteSlotsOfCompany(writer: Writer, companyId: string): Promise<void> {
  for (const table of ['remote_request_rows', 'remote_service_keys', 'remote_slots'] as const)
    await deleteBy(writer, table, { company_id: companyId });
}

/** Notes the new key of a service whose company is in another region. Of one at home here, slots need no copy of its key. */
export async function putServiceKey(writer: Writer, row: RemoteServiceKeyRow): Promise<void> {
  const company = await rowBy(writer, 'companies', { id: row.company_id }, ['region']);
  if (company === undefined || company.region === null) return;
  await putBy(writer, 'remote_service_keys', ['company_id', 'service_id'], row);
}

/** Notes which request rows of a company are mandatory now, as far as slots of people of this region answer them. */
export async function putRequestRows(
  writer: Writer,
  companyId: string,
  rows: readonly Omit<RemoteRequestRow, 'company_id'>[],
): Promise<void> {
  for (const { request_field_id, mandatory } of rows) {
    const row = { company_id: companyId, request_field_id, mandatory };
    await putBy(writer, 'remote_request_rows', ['company_id', 'request_field_id'], row);
  }
  await writer
    .deleteFrom('remote_request_rows')
    .where('company_id', '=', companyId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('remote_slots')
            .select('remote_slots.registration')
            .whereRef('remote_slots.company_id', '=', 'remote_request_rows.company_id')
            .whereRef('remote_slots.request_field_id', '=', 'remote_request_rows.request_field_id'),
        ),
      ),
    )
    .execute();
}

/** A slot, as the home of its person registered it. */
export interface RegisteredSlot {
  readonly person_id: string;
  readonly home: string;
  readonly registration: string;
}

const registered = (reader: Reader) =>
  reader
    .selectFrom('slot_values')
    .innerJoin('connections', 'connections.id', 'slot_values.connection_id')
    .innerJoin('persons', 'persons.id', 'connections.customer_id')
    .where('slot_values.registration', 'is not', null)
    .where('persons.region', 'is not', null)
    .select(['persons.id as person_id', 'persons.region as home', 'slot_values.registration'])
    .$narrowType<RegisteredSlot>();

/** The registered slots of some rows of connections. */
export async function registeredOnRows(
  engine: Engine,
  reader: Reader,
  { companyId, connectionIds, rowIds }: AnswersOf,
): Promise<RegisteredSlot[]> {
  return registered(reader)
    .where(
      inListOf(
        engine,
        ['slot_values.company_id', companyId],
        'slot_values.connection_id',
        listParameter(engine, connectionIds),
      ),
    )
    .where(inList(engine, 'slot_values.request_field_id', listParameter(engine, rowIds)))
    .execute();
}

/** The registered slots of connections. */
export async function registeredOnConnections(
  engine: Engine,
  reader: Reader,
  companyId: string,
  connectionIds: readonly string[],
): Promise<RegisteredSlot[]> {
  return registered(reader)
    .where(
      inListOf(
        engine,
        ['slot_values.company_id', companyId],
        'slot_values.connection_id',
        listParameter(engine, connectionIds),
      ),
    )
    .execute();
}

/** Whether a slot exists under a registration. */
export async function holdsRegistration(
  reader: Reader,
  slot: Pick<RemoteSlotRow, 'company_id' | 'connection_id' | 'request_field_id' | 'registration'>,
): Promise<boolean> {
  const row = await rowBy(
    reader,
    'slot_values',
    {
      company_id: slot.company_id,
      connection_id: slot.connection_id,
      request_field_id: slot.request_field_id,
    },
    ['registration'],
  );
  return row?.registration === slot.registration;
}
