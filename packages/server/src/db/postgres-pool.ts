import { createHash } from 'node:crypto';
import type { PostgresPool } from 'kysely';
import pg from 'pg';
import { timeLeft } from '../core/deadline.ts';
import type { Instruments } from '../core/instruments.ts';
import {
  isOtherName,
  isOutdatedPlan,
  leadsNoMore,
  NO_CONNECTION_IN_TIME,
  NO_FREE_CONNECTION,
} from './engine-errors.ts';
import { type Patience, patiently } from './patience.ts';
import { isCompiled } from './prepared.ts';
import { inQuerySpan } from './query-span.ts';

/**
 * The bounds of a transaction, in milliseconds. They are set with its `begin`, in one round trip, and end with it: nothing of a
 * request stays in a session, so that a transaction pooler can stand in front. A process that vanishes or freezes in the
 * middle of a transaction keeps its locks from the others for no longer than this.
 */
const TRANSACTION_BOUNDS = {
  lock_timeout: 2_000,
  statement_timeout: 7_000,
  idle_in_transaction_session_timeout: 5_000,
  // Of the server, which may be in the middle of an answer to a host that has gone.
  tcp_user_timeout: 15_000,
};
/** Of these a transaction has no more than its request has time left. */
const WAITS: ReadonlySet<string> = new Set(['lock_timeout', 'statement_timeout']);
const LONGEST_WAIT_MS = TRANSACTION_BOUNDS.statement_timeout;

/** Whether statements get names: not behind a pooler that does not keep them. */
export interface Naming {
  isOn: boolean;
  /** Hears that a pooler lost names after the start, and that they are off from now on. */
  readonly lost?: () => void;
}

/** Makes the text with which a transaction begins. */
function beginning(slowness: number): () => string {
  const begin = (mostMs: number) =>
    `begin; ${Object.entries(TRANSACTION_BOUNDS)
      .map(
        ([name, ms]) =>
          `set local ${name} = ${WAITS.has(name) ? Math.min(ms * slowness, mostMs) : ms * slowness}`,
      )
      .join('; ')}`;
  const usual = begin(Number.POSITIVE_INFINITY);
  return () => {
    const left = timeLeft(Number.POSITIVE_INFINITY);
    return left >= LONGEST_WAIT_MS * slowness ? usual : begin(left);
  };
}

/** A connection that gives no answer for this long is closed: it may be silent for ever. */
const ANSWER_MOST_MS = 8_000;
/** What the driver says then. */
const NO_ANSWER = 'Query read timeout';
/** How long a query waits for a free connection. */
const CONNECTION_MOST_MS = 5_000;
/** Idle for this long, a connection is asked by the system whether its other end is still there. */
const KEEP_ALIVE_MS = 10_000;

const types = new pg.TypeOverrides();
// Times and counters are int8 and stay far below 2^53.
types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));

/** What every connection to a PostgreSQL has in common. */
export const connectionOptions = (url: string) => ({
  connectionString: url,
  types,
  connectionTimeoutMillis: CONNECTION_MOST_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
});

/**
 * Connections for requests and workers: every wait on them has an end.
 * @param options.slowness what all bounds of waiting are multiplied with
 */
export function boundedPool(
  url: string,
  options: {
    readonly name: 'calls' | 'vital';
    readonly max: number;
    readonly slowness: number;
    readonly patience: Patience;
    readonly instruments: Instruments;
    readonly naming: Naming;
  },
): PostgresPool {
  const { name, max, slowness, patience, instruments, naming } = options;
  const bounds = {
    connectionTimeoutMillis: CONNECTION_MOST_MS * slowness,
    query_timeout: ANSWER_MOST_MS * slowness,
  };
  const pool = openPool({ ...connectionOptions(url), ...bounds, max });
  instruments.gauges((show) => {
    show('symbolon.db.pool.waiting', pool.waitingCount, { pool: name });
    show('symbolon.db.pool.used', pool.totalCount - pool.idleCount, { pool: name });
  });
  return wrapPool(pool, { begin: beginning(slowness), patience, naming });
}

/** Connections for migrations, which may take as long as they need. */
export function unboundedPool(url: string): PostgresPool {
  const pool = openPool({ ...connectionOptions(url), max: 2 });
  return wrapPool(pool, { begin: () => 'begin', patience: { until: 0 }, naming: { isOn: false } });
}

function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(options);
  // An idle connection that breaks (a database restart) is replaced on the next query; it must not end the process.
  pool.on('error', () => {});
  // The pool listens only while a connection is idle; one that breaks in a query's hands tells its query as well.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Gets a connection as long as a request waits for it. */
async function connectWithin(pool: pg.Pool, ms: number): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  // The pool has a bound of its own.
  if (ms >= (pool.options.connectionTimeoutMillis ?? 0)) return connecting;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(NO_CONNECTION_IN_TIME)), ms);
  try {
    return await Promise.race([connecting, late.promise]);
  } catch (error) {
    connecting.then((client) => client.release()).catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const ROLLED_BACK = { command: 'ROLLBACK', rowCount: 0, rows: [] };

interface PoolDeps {
  /** Makes the text with which a transaction begins. */
  readonly begin: () => string;
  readonly patience: Patience;
  readonly naming: Naming;
}

/** A pool of the driver as Kysely takes it, whose connections are those of this platform. */
const wrapPool = (pool: pg.Pool, deps: PoolDeps) => new BoundedPool(pool, deps) as unknown as PostgresPool;

/**
 * Statements that get a name because they came first; those of compiled queries get one in any case. The server keeps a
 * named statement as long as the connection, up to 0.2 MB each, and the texts that are built at run time have no bound.
 */
const NAMED_MOST = 200;

/** The names of statements, which the server parses and plans once a connection: 150 us instead of 230. */
class StatementNames {
  readonly #naming: Naming;
  readonly #names = new Map<string, string>();
  /** Statements that give another result now than when they got their name. */
  readonly #outdated = new Set<string>();

  constructor(naming: Naming) {
    this.#naming = naming;
  }

  /** Made of the text, because processes may share a connection through a pooler. */
  of(text: string): string | undefined {
    if (!this.#naming.isOn || this.#outdated.has(text)) return undefined;
    let name = this.#names.get(text);
    if (name === undefined && (this.#names.size < NAMED_MOST || isCompiled(text))) {
      name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
      this.#names.set(text, name);
    }
    return name;
  }

  retire(text: string): void {
    this.#outdated.add(text);
  }

  /** Another pooler may stand before the database than at the start. */
  turnOff(): void {
    if (!this.#naming.isOn) return;
    this.#naming.isOn = false;
    this.#naming.lost?.();
  }
}

/** Gives no connection that may be silent for ever, and says whether the database is away or all connections are in use. */
class BoundedPool {
  readonly names: StatementNames;
  readonly begin: () => string;
  readonly #pool: pg.Pool;
  readonly #patience: Patience;
  readonly #connections = new WeakMap<pg.PoolClient, Connection>();
  #opened = 0;
  /** Connections up to this number may be silent for ever, as one of them was. */
  #silent = 0;
  /** When the database last answered on any connection. */
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(pool: pg.Pool, { begin, patience, naming }: PoolDeps) {
    this.#pool = pool;
    this.#patience = patience;
    this.begin = begin;
    this.names = new StatementNames(naming);
    pool.on('connect', (client) =>
      this.#connections.set(client, new Connection(client, ++this.#opened, this)),
    );
  }

  get options() {
    return this.#pool.options;
  }

  async connect(): Promise<Connection> {
    for (;;) {
      const client = await this.#free();
      const connection = this.#connections.get(client);
      if (connection !== undefined && connection.number > this.#silent) return connection;
      client.release(true);
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  noteAnswer(): void {
    this.#answeredAt = performance.now();
  }

  /** None of the connections that are open now is used again. */
  distrustOpen(): void {
    this.#silent = this.#opened;
  }

  async #free(): Promise<pg.PoolClient> {
    const { max = 0, connectionTimeoutMillis: mostMs = CONNECTION_MOST_MS } = this.options;
    try {
      return await patiently(() => connectWithin(this.#pool, timeLeft(mostMs)), this.#patience);
    } catch (error) {
      // A database that answers others is not away: they have all connections.
      const isBusy = performance.now() - this.#answeredAt < mostMs && this.#pool.totalCount >= max;
      throw isBusy ? new Error(NO_FREE_CONNECTION, { cause: error }) : error;
    }
  }
}

/** Begins transactions with their bounds, and does not go back if it may still be busy with an earlier query. */
class Connection {
  /** In the order in which connections of the pool were opened, from 1. */
  readonly number: number;
  readonly #client: pg.PoolClient;
  readonly #pool: BoundedPool;
  #isBroken = false;
  #isInTransaction = false;

  constructor(client: pg.PoolClient, number: number, pool: BoundedPool) {
    this.number = number;
    this.#client = client;
    this.#pool = pool;
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  async query(text: string, values?: unknown[]): Promise<unknown> {
    // What the transaction began ends with the connection.
    if (this.#isBroken && text === 'rollback') return ROLLED_BACK;
    if (text === 'begin') this.#isInTransaction = true;
    else if (text === 'commit' || text === 'rollback') this.#isInTransaction = false;
    const query = this.#query(text, values);
    try {
      const result = await inQuerySpan('postgresql', text, () => this.#client.query(query));
      this.#pool.noteAnswer();
      return result;
    } catch (error) {
      if (isOutdatedPlan(error) || isOtherName(error)) {
        if (isOtherName(error)) this.#pool.names.turnOff();
        else this.#pool.names.retire(text);
        // Without a name it cannot be because of that again.
        if (query.name !== undefined && !this.#isInTransaction) return this.query(text, values);
      }
      this.#see(error as Error);
      // Why the transaction failed is what its caller must hear; the connection goes, and what it began with it.
      if (text !== 'rollback') throw error;
      this.#isBroken = true;
      return ROLLED_BACK;
    }
  }

  #query(text: string, values: unknown[] | undefined): pg.QueryConfig {
    const name = values !== undefined && values.length > 0 ? this.#pool.names.of(text) : undefined;
    if (name !== undefined) return { name, text, values: values ?? [] };
    return { text: text === 'begin' ? this.#pool.begin() : text, ...(values !== undefined && { values }) };
  }

  #see(error: Error & { readonly code?: string }): void {
    // Another server may stand behind the address by now.
    const isElsewhere = leadsNoMore(error);
    // An error without a code did not come from PostgreSQL.
    if (error.code === undefined || isElsewhere) this.#isBroken = true;
    if (error.message === NO_ANSWER || isElsewhere) this.#pool.distrustOpen();
  }
}
