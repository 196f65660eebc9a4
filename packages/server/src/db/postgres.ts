import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { listParameter } from './lists.ts';
import { toPlatformError } from './paused-writes.ts';
import { PostgresSignals } from './postgres-signals.ts';
import { isCompiled } from './prepared.ts';
import type { Tables } from './tables.ts';

/** Deadlock, serialization failure: the transaction did nothing and may run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 5;

/** Opens PostgreSQL: a pool and named prepared statements; nothing of a request stays in a session. */
export function openPostgres(url: string): Database {
  const types = new pg.TypeOverrides();
  // Times and counters are int8 and stay far below 2^53.
  types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));
  const pool = new pg.Pool({ connectionString: url, max: 20, types, connectionTimeoutMillis: 10_000 });
  // An idle connection that breaks (a database restart) is replaced on the next query; it must not end the process.
  pool.on('error', () => {});
  // The pool listens only while a connection is idle; one that breaks in a query's hands tells its query as well.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withNamedStatements(pool) }) });
  const signals = new PostgresSignals(url);
  return {
    engine: 'postgres',
    reader: db,
    schema: db,
    async write(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.transaction().execute(work);
        } catch (error) {
          if (attempt >= ATTEMPTS || !RETRYABLE.has((error as { code?: string }).code ?? ''))
            throw toPlatformError(error);
        }
      }
    },
    async notify(writer, channel, ...payloads) {
      const list = listParameter('postgres', payloads);
      await sql`select pg_notify(${channel}, payload) from unnest(${list}::text[]) as payload`.execute(
        writer,
      );
    },
    subscribe: (channel, handler) => signals.subscribe(channel, handler),
    async stop() {
      await signals.stop();
      await db.destroy();
    },
  };
}

/**
 * Statements that get a name because they came first; those of compiled queries get one in any case. The server keeps a
 * named statement as long as the connection, up to 0.2 MB each, and the texts that are built at run time have no bound.
 */
const NAMED_MOST = 200;

/** Gives statements a name, so that the server parses and plans them once a connection: 150 us instead of 230. */
function withNamedStatements(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  /** Made of the text, because processes may share a connection through a pooler. */
  const nameOf = (text: string): string | undefined => {
    let name = names.get(text);
    if (name === undefined && (names.size < NAMED_MOST || isCompiled(text))) {
      name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
      names.set(text, name);
    }
    return name;
  };
  const wrap = (client: pg.PoolClient): PostgresPoolClient => ({
    query: ((text: unknown, values: unknown[]) => {
      const name = typeof text === 'string' && values?.length > 0 ? nameOf(text) : undefined;
      return name === undefined
        ? client.query(text as string, values)
        : client.query({ name, text: text as string, values });
    }) as unknown as PostgresPoolClient['query'],
    release: () => client.release(),
  });
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      const known = wrapped.get(client);
      if (known !== undefined) return known;
      const made = wrap(client);
      wrapped.set(client, made);
      return made;
    },
    end: () => pool.end(),
  } as PostgresPool;
}
