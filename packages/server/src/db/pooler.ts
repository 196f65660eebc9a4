import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { isOtherName } from './engine-errors.ts';
import { connectionOptions } from './postgres-pool.ts';

/** What stands between this process and its database. */
export interface Pooler {
  /** Each transaction may have another connection of the server; undefined: no pooler, or one that keeps it for the session. */
  readonly lends: boolean;
  /** Whether statements keep their names over that. */
  readonly keepsNames: boolean;
}

const NONE: Pooler = { lends: false, keepsNames: true };
const ANSWER_MOST_MS = 2_000;
/** Each is a chance that both statements of a round come to different connections; one is enough. */
const ROUNDS = 10;
const WHERE = 'select pg_backend_pid() as pid where $1::int = 1';

/**
 * Looks what a connection leads to. A pooler answers with a number of its own in place of that of the server's process; one that lends a
 * connection for a transaction gives the second of two clients the one that the first has just given back.
 */
export async function lookForPooler(url: string): Promise<Pooler> {
  const clients = [0, 1].map(() => {
    const client = new pg.Client({ ...connectionOptions(url), query_timeout: ANSWER_MOST_MS });
    return client.on('error', () => {});
  });
  const [one, other] = clients as [pg.Client, pg.Client];
  try {
    await one.connect();
    const { rows } = await one.query('select pg_backend_pid() as pid');
    if (rows[0].pid === (one as unknown as { processID: number }).processID) return NONE;
    await other.connect();
    for (let round = 0; round < ROUNDS; round++) {
      const keepsNames = await askTwice(one, other);
      if (keepsNames !== undefined) return { lends: true, keepsNames };
    }
    return { lends: false, keepsNames: true };
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

/** @returns whether the second statement finds what the first has named; undefined when both had the same connection of the server */
async function askTwice(one: pg.Client, other: pg.Client): Promise<boolean | undefined> {
  // Other processes look at the same time: a name of theirs is no name of ours.
  const name = `symbolon_${randomUUID()}`;
  const ask = async () => (await one.query({ name, text: WHERE, values: [1] })).rows[0].pid as number;
  try {
    const first = await ask();
    await other.query('begin');
    await other.query('select 1');
    return (await ask()) === first ? undefined : true;
  } catch (error) {
    // A pool of a single connection gives none for the second one.
    const hasNone = (error as Error).message === 'Query read timeout';
    if (hasNone || isOtherName(error)) return false;
    throw error;
  } finally {
    await other.query('rollback').catch(() => {});
  }
}
