import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import type { Database, Writer } from './database.ts';
import { GroupCommit } from './group-commit.ts';
import type { Tables } from './tables.ts';

/** Opens the embedded database: WAL, an fsync for every commit, one writing and one reading connection. */
export function openSqlite(path: string): Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const writing = new DatabaseSync(path, { timeout: 5000 });
  // synchronous=FULL makes a WAL commit durable: what was answered survives a power cut.
  writing.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -65536',
  );
  const reading = new DatabaseSync(path, { timeout: 5000 });
  reading.exec('pragma query_only = on; pragma cache_size = -65536; pragma mmap_size = 1073741824');

  const writer: Writer = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapt(writing) }) });
  const reader = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapt(reading) }) });
  const commits = new GroupCommit(writer, (command) => writing.exec(command));
  return {
    engine: 'sqlite',
    reader,
    schema: writer,
    write: (work) => commits.run(work),
    async stop() {
      await commits.stop();
      await reader.destroy();
      await writer.destroy();
    },
  };
}

/** At most this many prepared statements are kept for a connection; the oldest goes first. */
const STATEMENTS_MOST = 500;

/** Gives node:sqlite the face Kysely's SQLite dialect knows, with statements cached by their text. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const cache = new Map<string, ReturnType<typeof statement>>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = cache.get(sql);
      if (known !== undefined) return known;
      const made = statement(database.prepare(sql));
      if (cache.size >= STATEMENTS_MOST) {
        for (const oldest of cache.keys()) {
          cache.delete(oldest);
          break;
        }
      }
      cache.set(sql, made);
      return made;
    },
  };
}

function statement(prepared: StatementSync) {
  return {
    reader: prepared.columns().length > 0,
    all: (parameters: readonly unknown[]) => prepared.all(...(parameters as SQLInputValue[])),
    run: (parameters: readonly unknown[]) => prepared.run(...(parameters as SQLInputValue[])),
    iterate: (parameters: readonly unknown[]) => prepared.iterate(...(parameters as SQLInputValue[])),
  };
}
