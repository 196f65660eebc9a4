import type { SealCertificateList } from '@symbolon/protocol';
import type { PublishedSeals } from '../../agreements/index.ts';
import type { Core } from '../../domain.ts';
import type { Peers } from './peers.ts';

/** Certificates of another region are asked for again after this long. */
const FRESH_MS = 60_000;
/** A region that does not answer in this time counts as away: its certificates are known from before. */
const WAIT_MOST_MS = 2_000;
const NONE: SealCertificateList = { certificates: [], roots: [] };

interface Deps extends Pick<Core, 'clock' | 'log' | 'regions'> {
  readonly peers: Pick<Peers, 'ask'>;
}

/** The certificates of all regions: whoever holds a sealed document need not know the region of its company. */
export class RoutedSeals implements PublishedSeals {
  readonly #deps: Deps;
  readonly #own: PublishedSeals | undefined;
  readonly #known = new Map<string, { readonly list: SealCertificateList; readonly at: number }>();

  /** @param own those of this process's region; a front door without a region has none */
  constructor(deps: Deps, own?: PublishedSeals) {
    this.#deps = deps;
    this.#own = own;
  }

  async published(): Promise<SealCertificateList> {
    const { names, others } = this.#deps.regions;
    const lists = await Promise.all([
      this.#own?.published() ?? NONE,
      ...(this.#own === undefined ? names : others).map((region) => this.#of(region)),
    ]);
    return {
      certificates: distinct(lists.flatMap(({ certificates }) => certificates)),
      roots: distinct(lists.flatMap(({ roots }) => roots)),
    };
  }

  async #of(region: string): Promise<SealCertificateList> {
    const { clock, log, peers } = this.#deps;
    const known = this.#known.get(region);
    if (known !== undefined && clock.now() - known.at < FRESH_MS) return known.list;
    const call = { method: 'GET', path: '/internal/seal-certificates', timeoutMs: WAIT_MOST_MS } as const;
    const list = await peers.ask<SealCertificateList>({ region }, call).catch((error: unknown) => {
      log.debug({ err: error, region }, 'a region does not tell its certificates; those known are given');
      return known?.list ?? NONE;
    });
    this.#known.set(region, { list, at: clock.now() });
    return list;
  }
}

function distinct<T extends { readonly sha256: string }>(certificates: readonly T[]): T[] {
  return [...new Map(certificates.map((each) => [each.sha256, each])).values()];
}
