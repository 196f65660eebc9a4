import type { Regions } from '../../../core/regions.ts';
import type { Core } from '../../domain.ts';
import { companyHome } from '../../identity/index.ts';
import type { Directory } from './directory.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly directory: Directory;
  readonly regions: Pick<Regions, 'own'>;
}

/** Where companies are at home, as far as this region can say. */
export class Homes {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Where a company that was let in here has gone meanwhile; undefined while it is here. */
  async departedTo(companyId: string): Promise<string | undefined> {
    return (await companyHome(this.#deps.database.reader, companyId)) ?? undefined;
  }

  /**
   * The home region of a company that is not at home here; undefined for one that is, and for one nobody knows.
   * @throws {PlatformError} region.unavailable when only the front door could say
   */
  async elsewhere(companyId: string): Promise<string | undefined> {
    const known = await companyHome(this.#deps.database.reader, companyId);
    if (known !== undefined) return known ?? undefined;
    // Its card may be on its way.
    const home = await this.#deps.directory.homeOf({ kind: 'company', id: companyId });
    return home === this.#deps.regions.own ? undefined : home;
  }
}
