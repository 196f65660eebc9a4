import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../db/database.ts';
import type { RegionSettings } from '../../../db/region-settings.ts';
import type { Directory } from './directory.ts';
import { ownersAfter } from './name-store.ts';

/** How far the directory has been told, by kind of owner: the last id; null: of all. */
const SETTING = 'directory.introduced';
const MOST = 200;

/**
 * Tells the directory of whoever was at home here before there was one, once. Those who register meanwhile tell it
 * themselves, and telling it twice does nothing.
 */
export class NameIntroductions {
  readonly #database: Database;
  readonly #settings: RegionSettings;
  readonly #directory: Directory;
  readonly #log: FastifyBaseLogger;

  constructor(deps: {
    database: Database;
    settings: RegionSettings;
    directory: Directory;
    log: FastifyBaseLogger;
  }) {
    this.#database = deps.database;
    this.#settings = deps.settings;
    this.#directory = deps.directory;
    this.#log = deps.log;
  }

  /** @throws {PlatformError} region.unavailable: it goes on there the next time */
  async run(stopping: AbortSignal): Promise<void> {
    for (const kind of ['company', 'person'] as const) {
      while (!stopping.aborted) {
        const reached = this.#settings.get<Record<string, string | null>>(SETTING) ?? {};
        const after = reached[kind];
        if (after === null) break;
        const owners = await ownersAfter(this.#database.reader, kind, after ?? '', MOST);
        for (const { owner, names } of owners) {
          const taken = await this.#directory.claim(owner, names);
          if (taken.length === 0) await this.#directory.confirm(owner, names);
          else
            this.#log.error({ owner, taken }, 'names of somebody at home here belong to somebody elsewhere');
        }
        const last = owners.at(-1)?.owner.id ?? null;
        await this.#database.write((writer) =>
          this.#settings.set(writer, SETTING, { ...reached, [kind]: last }),
        );
        await this.#settings.reload();
      }
    }
  }
}
