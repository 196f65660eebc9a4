import pg from 'pg';
import { type SignalHandler, Subscribers } from './signals.ts';

const RECONNECT_MS = 1000;
const CONNECT_MOST_MS = 10_000;

/**
 * PostgreSQL's LISTEN on its own connection. While that is broken, signals are lost: every subscriber also polls.
 */
export class PostgresSignals {
  readonly #url: string;
  readonly #subscribers = new Subscribers();
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(url: string) {
    this.#url = url;
  }

  async subscribe(channel: string, handler: SignalHandler): Promise<() => void> {
    const end = this.#subscribers.add(channel, handler);
    if (this.#client === undefined) await this.#connect();
    else await this.#client.query(`listen ${pg.escapeIdentifier(channel)}`);
    return end;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_MOST_MS,
      // Nothing is ever sent on it: only so is it noticed that the other end is gone without a word.
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload }) => this.#subscribers.tell(channel, payload ?? ''));
    client.on('error', () => this.#reconnectLater(client));
    client.on('end', () => this.#reconnectLater(client));
    this.#client = client;
    await client.connect();
    for (const channel of this.#subscribers.channels)
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  }

  #reconnectLater(broken: pg.Client): void {
    if (this.#stopped || this.#client !== broken) return;
    this.#client = undefined;
    this.#retry = setTimeout(() => {
      this.#connect().catch(() => {
        const failed = this.#client;
        if (failed !== undefined) this.#reconnectLater(failed);
      });
    }, RECONNECT_MS);
    this.#retry.unref();
  }
}
