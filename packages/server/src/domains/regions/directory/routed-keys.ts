import type { JWK } from 'jose';
import type { PublicKeys } from '../../clients/index.ts';
import type { Core } from '../../domain.ts';
import type { Peers } from './peers.ts';

/** Keys of another region are asked for again after this long. */
const FRESH_MS = 5_000;
/** A region that does not answer in this time counts as away: its keys are known from before. */
const WAIT_MOST_MS = 2_000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'log' | 'regions' | 'settings'> {
  readonly peers: Pick<Peers, 'ask'>;
}

interface Known {
  readonly keys: readonly JWK[];
  readonly at: number;
}

/**
 * The keys of all regions: every region's id_tokens name the front door as their issuer. Those of a region that is away are
 * the ones it had when it last answered, also after a restart.
 */
export class RoutedKeys implements PublicKeys {
  readonly #deps: Deps;
  readonly #own: PublicKeys | undefined;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<readonly JWK[]>>();

  /** @param own those of this process's region; a front door without a region has none */
  constructor(deps: Deps, own?: PublicKeys) {
    this.#deps = deps;
    this.#own = own;
  }

  async published(): Promise<readonly JWK[]> {
    const { names, others } = this.#deps.regions;
    const [own, ...rest] = await Promise.all([
      this.#own?.published() ?? [],
      ...(this.#own === undefined ? names : others).map((region) => this.#of(region)),
    ]);
    return [own, ...rest].flat();
  }

  async #of(region: string): Promise<readonly JWK[]> {
    const known = this.#known.get(region);
    if (known !== undefined && this.#deps.clock.now() - known.at < FRESH_MS) return known.keys;
    let asking = this.#asking.get(region);
    if (asking === undefined) {
      asking = this.#ask(region).finally(() => this.#asking.delete(region));
      this.#asking.set(region, asking);
    }
    return asking;
  }

  async #ask(region: string): Promise<readonly JWK[]> {
    const at = this.#deps.clock.now();
    const before = this.#known.get(region)?.keys;
    try {
      const { keys } = await this.#deps.peers.ask<{ keys: readonly JWK[] }>(
        { region },
        { method: 'GET', path: '/internal/signing-keys', timeoutMs: WAIT_MOST_MS },
      );
      this.#known.set(region, { keys, at });
      if (JSON.stringify(before) !== JSON.stringify(keys)) await this.#keep(region, keys);
      return keys;
    } catch (error) {
      this.#deps.log.debug({ err: error, region }, 'a region does not tell its keys; those known are given');
      const keys = before ?? (await this.#kept(region));
      this.#known.set(region, { keys, at });
      return keys;
    }
  }

  /** What cannot be saved now is saved when the keys change, or after the next start. */
  async #keep(region: string, keys: readonly JWK[]): Promise<void> {
    const { database, settings } = this.#deps;
    await database.write((writer) => settings.set(writer, settingOf(region), keys)).catch(() => {});
  }

  async #kept(region: string): Promise<readonly JWK[]> {
    const { settings } = this.#deps;
    await settings.reload().catch(() => {});
    return settings.get<readonly JWK[]>(settingOf(region)) ?? [];
  }
}

const settingOf = (region: string) => `sign_in_keys.${region}`;
