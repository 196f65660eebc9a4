import type { FastifyBaseLogger } from 'fastify';
import type { Availability } from '../core/availability.ts';
import type { Clock } from '../core/clock.ts';
import type { Timers } from '../core/timers.ts';
import { Worker } from '../core/worker.ts';
import type { Database, Writer } from './database.ts';
import { prepared } from './prepared.ts';

const CHANNEL = 'symbolon_settings';
/** PostgreSQL may lose signals: a process that missed one reads the change this much later. */
const POLL_MS = 1000;

const all = prepared<[], { name: string; value: string }>((db) =>
  db.selectFrom('region_settings').select(['name', 'value']),
);

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
  readonly availability: Pick<Availability, 'explains'>;
}

/**
 * The settings of a region: a few rows in the database, of which every process keeps a copy. A change is signalled to the
 * other processes; on PostgreSQL they also read the settings once a second.
 */
export class RegionSettings {
  readonly #deps: Deps;
  readonly #listeners: (() => Promise<void> | void)[] = [];
  #values: ReadonlyMap<string, string> = new Map();
  /** Loads run one after the other, so that an older answer never replaces a newer one. */
  #loading: Promise<void> = Promise.resolve();
  readonly #poll: Worker;
  #unsubscribe = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    const work = () => this.reload();
    this.#poll = new Worker({ ...deps, name: 'read region settings', pauseMs: POLL_MS, work });
  }

  /** Resolves when the settings are known; listeners that were added before have been called. */
  async start(): Promise<void> {
    this.#unsubscribe = await this.#deps.database.subscribe(CHANNEL, () => this.#loadOrLog());
    await this.reload();
    if (this.#deps.database.engine === 'postgres') this.#poll.start();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#poll.stop();
    await this.#loading.catch(() => {});
  }

  /** Called after every change, also of another process, one listener after the other. */
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

  /**
   * Takes some work for one process of those that share the database, or keeps it.
   * @returns whether the owner has it, until its time is over or `release`
   */
  async claim(name: string, owner: string, forMs: number): Promise<boolean> {
    const now = this.#deps.clock.now();
    const row = { value: JSON.stringify(owner), updated_at: now };
    const taken = await this.#deps.database.write((writer) =>
      writer
        .insertInto('region_settings')
        .values({ name, ...row })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet(row)
            .where((eb) =>
              eb.or([
                eb('region_settings.value', '=', row.value),
                eb('region_settings.updated_at', '<', now - forMs),
              ]),
            ),
        )
        .returning('name')
        .execute(),
    );
    return taken.length > 0;
  }

  /** Gives back what an owner has claimed. */
  async release(name: string, owner: string): Promise<void> {
    await this.#deps.database.write((writer) =>
      writer
        .deleteFrom('region_settings')
        .where('name', '=', name)
        .where('value', '=', JSON.stringify(owner))
        .execute(),
    );
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
      // A listener that failed is called again at the next load.
      this.#values = before;
      throw error;
    }
  }

  #loadOrLog(): void {
    this.reload().catch((error: unknown) => {
      if (this.#deps.availability.explains(error)) return;
      this.#deps.log.error({ err: error }, 'reading region settings failed');
    });
  }
}
