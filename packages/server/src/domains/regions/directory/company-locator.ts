import { companyHome } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { Directory } from './directory.ts';

interface Deps extends Pick<Core, 'database' | 'regions'> {
  readonly directory: Directory;
}

/** Finds the home regions of companies. */
export class CompanyLocator {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The region to which a company of this region has moved; undefined when it has not moved. */
  async movedTo(companyId: string): Promise<string | undefined> {
    return (await companyHome(this.#deps.database.reader, companyId)) ?? undefined;
  }

  /**
   * The home of a company when that is another region; undefined also for an unknown company.
   * @throws {PlatformError} region.unavailable when only the front door can know the company and it does not answer
   */
  async elsewhere(companyId: string): Promise<string | undefined> {
    const known = await companyHome(this.#deps.database.reader, companyId);
    if (known !== undefined) return known ?? undefined;
    // The company's replica may not have arrived yet.
    const home = await this.#deps.directory.homeOf({ kind: 'company', id: companyId });
    return home === this.#deps.regions.own ? undefined : home;
  }
}
