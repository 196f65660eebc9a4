import pg from 'pg';
import { type Patience, patiently } from './patience.ts';
import { connectionOptions } from './postgres-pool.ts';
import { type SignalHandler, Subscribers } from './signals.ts';

const RECONNECT_MS = 1000;
/** How often the connection is tried: a network that has forgotten it says nothing. */
const TRY_MS = 15_000;
const ANSWER_MOST_MS = 5_000;

/**
 * PostgreSQL's LISTEN on its own connection. While that is broken, signals are lost: every subscriber also polls.
 */
export class PostgresSignals {
  readonly #url: string;
  readonly #subscribers = new Subscribers();
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #tries: NodeJS.Timeout | undefined;
  #stopped = false;

  readonly #patience: Patience;

  constructor(url: string, patience: Patience) {
    this.#url = url;
    this.#patience = patience;
  }

  async subscribe(channel: string, handler: SignalHandler): Promise<() => void> {
    const end = this.#subscribers.add(channel, handler);
    if (this.#client === undefined) await patiently(() => this.#connect(), this.#patience);
    else await this.#client.query(`listen ${pg.escapeIdentifier(channel)}`);
    return end;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    clearInterval(this.#tries);
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ ...connectionOptions(this.#url), query_timeout: ANSWER_MOST_MS });
    client.on('notification', ({ channel, payload }) => this.#subscribers.tell(channel, payload ?? ''));
    client.on('error', () => this.#reconnectLater(client));
    client.on('end', () => this.#reconnectLater(client));
    this.#client = client;
    await client.connect();
    for (const channel of this.#subscribers.channels)
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    this.#tries = setInterval(() => {
      client.query('select 1').catch(() => this.#reconnectLater(client));
    }, TRY_MS);
    this.#tries.unref();
  }

  #reconnectLater(broken: pg.Client): void {
    if (this.#stopped || this.#client !== broken) return;
    this.#client = undefined;
    clearInterval(this.#tries);
    // What still comes from a connection that was given up is of no interest.
    broken.end().catch(() => {});
    // It keeps the process alive: a worker has nothing else while the database is away.
    this.#retry = setTimeout(() => {
      this.#connect().catch(() => {
        const failed = this.#client;
        if (failed !== undefined) this.#reconnectLater(failed);
      });
    }, RECONNECT_MS);
  }
}
