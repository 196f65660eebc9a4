import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';

/** Columns in which a text stands for a file (see `StoredFile`). */
const TABLES = ['person_fields', 'slot_values', 'file_uploads'] as const;

const isFile = (row: string) => `substr(${row}.value, 1, 9) = '{"file":{'`;

/**
 * Files as values. Whatever writes or deletes such a value, a trigger notes the change of the references to its blob in the
 * same transaction; a sweep sums the notes up, because many transactions would wait for each other at the blobs.
 */
export function files(engine: Engine) {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (text: string) => sql.raw(text).execute(db);
      await run('create table blob_ref_changes (hash text not null, n bigint not null)');
      await run('create index blob_ref_changes_hash on blob_ref_changes (hash)');
      await db.schema
        .createTable('file_uploads')
        .addColumn('id', 'text', (built) => built.notNull().primaryKey())
        .addColumn('person_id', 'text', (built) => built.notNull())
        .addColumn('value', 'text', (built) => built.notNull())
        .addColumn('bytes', 'bigint', (built) => built.notNull())
        .addColumn('expires_at', 'bigint', (built) => built.notNull())
        .execute();
      await db.schema.createIndex('file_uploads_person').on('file_uploads').column('person_id').execute();
      await db.schema.createIndex('file_uploads_expires').on('file_uploads').column('expires_at').execute();
      // Files that were given once, the oldest first.
      await run(
        `create index slot_values_files on slot_values (updated_at) where live = 0 and ${isFile('slot_values').replace('slot_values.', '')}`,
      );
      if (engine === 'postgres') await run(POSTGRES_FUNCTION);
      for (const table of TABLES) for (const text of fileTriggers(engine, table)) await run(text);
    },
  };
}

/** What notes the references of a table whose column `value` can stand for a file. */
export const fileTriggers = (engine: Engine, table: string): string[] =>
  engine === 'sqlite' ? sqliteTriggers(table) : postgresTriggers(table);

function sqliteTriggers(table: string): string[] {
  const note = (row: string, n: number) =>
    `insert into blob_ref_changes (hash, n)
     select json_extract(${row}.value, '$.file.hash'), ${n} where ${isFile(row)};`;
  const trigger = (event: string, on: string, when: string, work: string) =>
    `create trigger files_${table}_${event} after ${on} on ${table} when ${when} begin ${work} end`;
  return [
    trigger('insert', 'insert', isFile('new'), note('new', 1)),
    trigger('delete', 'delete', isFile('old'), note('old', -1)),
    trigger('update', 'update of value', 'old.value is not new.value', note('old', -1) + note('new', 1)),
  ];
}

const POSTGRES_FUNCTION = `
  create function note_files() returns trigger language plpgsql as $body$
    begin
      if tg_op <> 'INSERT' and ${isFile('old')} then
        insert into blob_ref_changes (hash, n) values (old.value::json #>> '{file,hash}', -1);
      end if;
      if tg_op <> 'DELETE' and ${isFile('new')} then
        insert into blob_ref_changes (hash, n) values (new.value::json #>> '{file,hash}', 1);
      end if;
      return null;
    end
  $body$`;

function postgresTriggers(table: string): string[] {
  const trigger = (event: string, on: string, when: string) =>
    `create trigger files_${table}_${event} after ${on} on ${table}
     for each row when (${when}) execute function note_files()`;
  return [
    trigger('insert', 'insert', isFile('new')),
    trigger('delete', 'delete', isFile('old')),
    trigger('update', 'update of value', 'old.value is distinct from new.value'),
  ];
}
