import type { Core } from '../domain.ts';

const PAGE = 200;

interface Deps<Part extends string> extends Pick<Core, 'database' | 'settings'> {
  /** The setting that stores the last id of each part; null for a part that is complete. */
  readonly setting: string;
  readonly parts: readonly Part[];
  /** Sends the page that follows an id. @returns its last id; undefined after the last page */
  readonly sendPage: (part: Part, after: string, limit: number) => Promise<string | undefined>;
}

/** Tells a region or directory that was added later what was there before it, once. A page may be sent twice after a crash. */
export class Backfill<Part extends string> {
  readonly #deps: Deps<Part>;

  constructor(deps: Deps<Part>) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} region.unavailable: the next run continues there */
  async run(stopping: AbortSignal): Promise<void> {
    const { database, parts, sendPage, setting, settings } = this.#deps;
    for (const part of parts) {
      while (!stopping.aborted) {
        const reached = settings.get<Record<string, string | null>>(setting) ?? {};
        const after = reached[part];
        if (after === null) break;
        const last = (await sendPage(part, after ?? '', PAGE)) ?? null;
        await database.write((writer) => settings.set(writer, setting, { ...reached, [part]: last }));
        await settings.reload();
      }
    }
  }
}
