import type { Core } from '../../domain.ts';
import type { CompanyCards } from './cards.ts';

/** How far each region has been told of the companies that were here before it was added: the last id; null: of all. */
const SETTING = 'regions.introduced';
const MOST = 200;

interface Deps extends Pick<Core, 'database' | 'regions' | 'settings'> {
  readonly cards: CompanyCards;
}

/** Tells a region that was added of the companies at home here, once. Those who register meanwhile are told of anyway. */
export class Introductions {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async run(stopping: AbortSignal): Promise<void> {
    for (const region of this.#deps.regions.others) {
      while (!stopping.aborted) {
        const reached = this.#deps.settings.get<Record<string, string | null>>(SETTING) ?? {};
        const after = reached[region];
        if (after === null) break;
        await this.#deps.database.write(async (writer) => {
          const last = await this.#deps.cards.introduce(writer, region, after ?? '', MOST);
          await this.#deps.settings.set(writer, SETTING, { ...reached, [region]: last ?? null });
        });
        await this.#deps.settings.reload();
      }
    }
  }
}
