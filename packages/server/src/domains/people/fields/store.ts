import { limits } from '@symbolon/protocol';
import { type SqlBool, sql } from 'kysely';
import { FILE_TEXT, type StoredFile, storedFile } from '../../../core/stored-file.ts';
import { byteLength, fitting, sumOfBytes } from '../../../db/byte-lengths.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { count, isInserted } from '../../../db/rows.ts';
import type { Flag } from '../../../db/tables.ts';
import type { PersonFieldRow } from './tables.ts';
import { uploadBytes } from './upload-store.ts';

export async function fieldsOf(reader: Reader, personId: string): Promise<PersonFieldRow[]> {
  return reader
    .selectFrom('person_fields')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('id')
    .execute();
}

/** The fields after an id, in order: as many as asked for, fewer when they are large. */
export async function pageOfFields(
  reader: Reader,
  personId: string,
  { after, most }: { after: string; most: number },
): Promise<PersonFieldRow[]> {
  const inOrder = reader
    .selectFrom('person_fields')
    .where('person_id', '=', personId)
    .where('id', '>', after)
    .orderBy('id');
  const sizes = await inOrder.select(byteLength('value')).limit(most).execute();
  return inOrder.selectAll().limit(fitting(sizes, limits.pageBytesMost)).execute();
}

/** What a person's values take, in bytes. */
export function fieldBytes(reader: Reader, personId: string): Promise<number> {
  return sumOfBytes(reader.selectFrom('person_fields').where('person_id', '=', personId), 'value');
}

/** What a person's files take, with uploads that wait, in bytes. */
export async function fileBytes(reader: Reader, personId: string): Promise<number> {
  const [files, uploads] = await Promise.all([
    reader
      .selectFrom('person_fields')
      .select('value')
      .where('person_id', '=', personId)
      .where(isFile)
      .execute(),
    uploadBytes(reader, personId),
  ]);
  return files.reduce((sum, { value }) => sum + (storedFile(value)?.bytes ?? 0), uploads);
}

const isFile = sql<SqlBool>`substr(value, 1, ${sql.lit(FILE_TEXT.length)}) = ${sql.lit(FILE_TEXT)}`;

/** The files of some fields, by the id of the field. */
export async function filesOfFields(
  reader: Reader,
  personId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredFile>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom('person_fields')
    .select(['id', 'value'])
    .where('person_id', '=', personId)
    .where('id', 'in', ids)
    .where(isFile)
    .execute();
  return new Map(
    rows.flatMap(({ id, value }) => {
      const file = storedFile(value);
      return file === undefined ? [] : [[id, file] as const];
    }),
  );
}

const fieldRow = prepared<[personId: string, id: string], PersonFieldRow>((db, [personId, id]) =>
  db.selectFrom('person_fields').selectAll().where('person_id', '=', personId).where('id', '=', id),
);

export async function fieldOf(
  reader: Reader,
  personId: string,
  id: string,
): Promise<PersonFieldRow | undefined> {
  const [row] = await fieldRow(reader, personId, id);
  return row;
}

export function countFields(reader: Reader, personId: string): Promise<number> {
  return count(reader.selectFrom('person_fields').where('person_id', '=', personId));
}

/** False when the person has a field with this slug. */
export function insertField(writer: Writer, row: PersonFieldRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('person_fields')
      .values(row)
      .onConflict((conflict) => conflict.columns(['person_id', 'slug']).doNothing()),
  );
}

type FieldColumns = Pick<
  PersonFieldRow,
  'label' | 'private' | 'value' | 'verification' | 'verified_name' | 'updated_at' | 'version'
>;

const setField = prepared<
  [string, number, string | null, string | null, string | null, number, number, string, string],
  unknown
>((db, [label, isPrivate, value, verification, verified_name, updated_at, version, personId, id]) =>
  db
    .updateTable('person_fields')
    .set({ label, private: isPrivate as Flag, value, verification, verified_name, updated_at, version })
    .where('person_id', '=', personId)
    .where('id', '=', id),
);

/** @param before the row as it is stored: the caller holds the person's lock */
export async function updateField(
  writer: Writer,
  before: PersonFieldRow,
  changes: Partial<FieldColumns>,
): Promise<void> {
  const {
    label,
    private: isPrivate,
    value,
    verification,
    verified_name,
    updated_at,
    version,
  } = { ...before, ...changes };
  await setField(
    writer,
    label,
    isPrivate,
    value,
    verification,
    verified_name,
    updated_at,
    version,
    before.person_id,
    before.id,
  );
}

export async function deleteField(writer: Writer, personId: string, id: string): Promise<void> {
  await writer.deleteFrom('person_fields').where('person_id', '=', personId).where('id', '=', id).execute();
}

/** The fields that an answer names, by id. */
export async function fieldsById(
  reader: Reader,
  personId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedField>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom('person_fields')
    .select(['id', 'type', 'private', 'verification', 'version'])
    .where('person_id', '=', personId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** A field without its value. */
export type NamedField = Pick<PersonFieldRow, 'id' | 'type' | 'private' | 'verification' | 'version'>;

/** The names on verified documents of a person, with the attestations of these. */
export async function verifiedNamesOf(
  reader: Reader,
  personId: string,
): Promise<{ verification: string | null; verified_name: string }[]> {
  return reader
    .selectFrom('person_fields')
    .select(['verification', 'verified_name'])
    .where('person_id', '=', personId)
    .where('verified_name', 'is not', null)
    .$narrowType<{ verified_name: string }>()
    .execute();
}
