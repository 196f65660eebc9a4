import type { Engine } from '../../database.ts';

/** Tables whose column `value` can stand for a file (see `StoredFile`). */
const TABLES = [
  'person_fields',
  'slot_values',
  'file_uploads',
  'document_files',
  'flow_assets',
  'flow_run_copies',
  'flow_run_uploads',
  'run_documents',
  'flow_run_inputs',
];

/** Whether a value stands for a file. */
export const isFile = (value: string): string => `substr(${value}, 1, 9) = '{"file":{'`;

/** The hash of the blob, where it stands in every such value. */
export const blobOf = 'substr(value, 62, 64)';

/**
 * Whatever writes or deletes a value that stands for a file, a trigger notes the change of the references to its blob in the
 * same transaction.
 */
export function fileTriggers(engine: Engine): string[] {
  if (engine === 'sqlite') return TABLES.flatMap(sqliteTriggers);
  return [POSTGRES_FUNCTION, ...TABLES.flatMap(postgresTriggers)];
}

function sqliteTriggers(table: string): string[] {
  const note = (row: string, n: number) =>
    `insert into blob_ref_changes (hash, n)
     select json_extract(${row}.value, '$.file.hash'), ${n} where ${isFile(`${row}.value`)};`;
  const trigger = (event: string, on: string, when: string, work: string) =>
    `create trigger files_${table}_${event} after ${on} on ${table} when ${when} begin ${work} end`;
  return [
    trigger('insert', 'insert', isFile('new.value'), note('new', 1)),
    trigger('delete', 'delete', isFile('old.value'), note('old', -1)),
    trigger('update', 'update of value', 'old.value is not new.value', note('old', -1) + note('new', 1)),
  ];
}

const POSTGRES_FUNCTION = `
  create function note_files() returns trigger language plpgsql as $body$
    begin
      if tg_op <> 'INSERT' and ${isFile('old.value')} then
        insert into blob_ref_changes (hash, n) values (old.value::json #>> '{file,hash}', -1);
      end if;
      if tg_op <> 'DELETE' and ${isFile('new.value')} then
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
    trigger('insert', 'insert', isFile('new.value')),
    trigger('delete', 'delete', isFile('old.value')),
    trigger('update', 'update of value', 'old.value is distinct from new.value'),
  ];
}
