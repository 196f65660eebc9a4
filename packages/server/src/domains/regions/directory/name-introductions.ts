import type { Core } from '../../domain.ts';
import type { Directory } from './directory.ts';
import { ownersAfter } from './name-store.ts';

/** How far the directory has been told, by kind of owner: the last id; null: of all. */
const SETTING = 'directory.introduced';
const MOST = 200;

interface Deps extends Pick<Core, 'database' | 'log' | 'settings'> {
  readonly directory: Directory;
}

/**
 * Tells the directory of whoever was at home here before there was one, once. Those who register meanwhile tell it
 * themselves, and telling it twice does nothing.
 */
export class NameIntroductions {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} region.unavailable: it goes on there the next time */
  async run(stopping: AbortSignal): Promise<void> {
    for (const kind of ['company', 'person'] as const) {
      while (!stopping.aborted) {
        const reached = this.#deps.settings.get<Record<string, string | null>>(SETTING) ?? {};
        const after = reached[kind];
        if (after === null) break;
        const owners = await ownersAfter(this.#deps.database.reader, kind, after ?? '', MOST);
        for (const { owner, names } of owners) {
          const taken = await this.#deps.directory.claim(owner, names);
          if (taken.length === 0) await this.#deps.directory.confirm(owner, names);
          else
            this.#deps.log.error(
              { owner, taken },
              'names of somebody at home here belong to somebody elsewhere',
            );
        }
        const last = owners.at(-1)?.owner.id ?? null;
        await this.#deps.database.write((writer) =>
          this.#deps.settings.set(writer, SETTING, { ...reached, [kind]: last }),
        );
        await this.#deps.settings.reload();
      }
    }
  }
}
