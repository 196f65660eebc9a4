import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../core/clock.ts';
import type { Timers } from '../core/timers.ts';
import type { Database, Writer } from './database.ts';
import { prepared } from './prepared.ts';

const CHANNEL = 'symbolon_settings';
/** PostgreSQL's signals may be lost: whoever missed one knows it this much later. */
const POLL_MS = 1000;

const all = prepared<[], { name: string; value: string }>((db) =>
  db.selectFrom('region_settings').select(['name', 'value']),
);

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
}

/**
 * What holds for a whole region: a few rows in the database, which every process keeps a copy of. A change is signalled to
 * the others, and looked for once a second besides.
 */
export class RegionSettings {
  readonly #deps: Deps;
  readonly #listeners: (() => Promise<void> | void)[] = [];
  #values: ReadonlyMap<string, string> = new Map();
  /** Loads one after the other: an older answer never comes to stand over a newer one. */
  #loading: Promise<void> = Promise.resolve();
  #unsubscribe = () => {};
  #cancel = () => {};
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Resolves when the settings are known; listeners that were added before have been told. */
  async start(): Promise<void> {
    this.#unsubscribe = await this.#deps.database.subscribe(CHANNEL, () => this.#loadOrLog());
    await this.reload();
    if (this.#deps.database.engine === 'postgres') this.#pollLater();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    this.#unsubscribe();
    await this.#loading.catch(() => {});
  }

  /** Told after every change, also of another process, one listener after the other. */
  onChange(listener: () => Promise<void> | void): void {
    this.#listeners.push(listener);
  }

  get<T>(name: string): T | undefined {
    const value = this.#values.get(name);
    return value === undefined ? undefined : (JSON.parse(value) as T);
  }

  /** Writes a setting, or removes it (undefined), in the caller's transaction; `reload` after its commit. */
  async set(writer: Writer, name: string, value: unknown): Promise<void> {
    if (value === undefined) {
      await writer.deleteFrom('region_settings').where('name', '=', name).execute();
    } else {
      const row = { value: JSON.stringify(value), updated_at: this.#deps.clock.now() };
      await writer
        .insertInto('region_settings')
        .values({ name, ...row })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute();
    }
    await this.#deps.database.notify(writer, CHANNEL, name);
  }

  /** Reads the settings as they are now. */
  reload(): Promise<void> {
    this.#loading = this.#loading.catch(() => {}).then(() => this.#load());
    return this.#loading;
  }

  async #load(): Promise<void> {
    const rows = await all(this.#deps.database.reader);
    const changed =
      rows.length !== this.#values.size || rows.some((row) => this.#values.get(row.name) !== row.value);
    if (!changed) return;
    const before = this.#values;
    this.#values = new Map(rows.map((row) => [row.name, row.value]));
    try {
      for (const listener of this.#listeners) await listener();
    } catch (error) {
      // Whoever could not follow is told again at the next look.
      this.#values = before;
      throw error;
    }
  }

  #loadOrLog(): void {
    if (this.#stopped) return;
    this.reload().catch((error: unknown) =>
      this.#deps.log.error({ err: error }, 'reading the settings of the region failed'),
    );
  }

  #pollLater(): void {
    if (this.#stopped) return;
    this.#cancel = this.#deps.timers.after(POLL_MS, () => {
      this.reload()
        .catch((error: unknown) =>
          this.#deps.log.error({ err: error }, 'reading the settings of the region failed'),
        )
        .finally(() => this.#pollLater());
    });
  }
}
