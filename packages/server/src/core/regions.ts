import type { Config } from './config.ts';

interface Deps {
  readonly config: Pick<Config, 'region' | 'regions'>;
  readonly ownBase: () => string;
}

/** The regions there are. With one alone nothing is ever elsewhere. */
export class Regions {
  /** The name of this one. */
  readonly own: string;
  readonly #bases: ReadonlyMap<string, string>;
  readonly #deps: Deps;

  /** @param deps.ownBase under which clients reach this process, known once it listens */
  constructor(deps: Deps) {
    this.#deps = deps;
    this.own = deps.config.region;
    this.#bases = deps.config.regions;
  }

  /** All of them, in the operator's order. */
  get names(): readonly string[] {
    return this.#bases.size === 0 ? [this.own] : [...this.#bases.keys()];
  }

  /** All but this one. */
  get others(): readonly string[] {
    return this.names.filter((name) => name !== this.own);
  }

  has(name: string): boolean {
    return this.#bases.has(name) || (this.#bases.size === 0 && name === this.own);
  }

  /** The base for calls to a region, without a trailing slash; undefined for an unknown one. */
  apiUrl(name: string): string | undefined {
    return this.#bases.get(name) ?? (name === this.own ? this.#deps.ownBase() : undefined);
  }
}
