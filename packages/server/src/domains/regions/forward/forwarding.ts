import type { ErrorKey } from '@symbolon/protocol';
import type { Principal } from '../../../access/principal.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { FederatedList } from '../../../http/federated.ts';
import type { Core } from '../../domain.ts';
import type { CompanyCards } from '../companies/index.ts';
import type { Directory, PeerAnswer, PeerCall, Peers } from '../directory/index.ts';
import type { CatchUp } from './catch-up.ts';

/** A call as another region is to answer it. */
export interface FederatedCall extends Pick<PeerCall, 'method' | 'path' | 'body' | 'headers'> {
  readonly principal: Principal;
}

/** With the refusal of a call that was sent on: the region that would not refuse it. */
export const HOME_HEADER = 'x-symbolon-home';

interface Deps extends Pick<Core, 'regions'> {
  readonly peers: Pick<Peers, 'call'>;
  readonly directory: Pick<Directory, 'find'>;
  readonly cards: Pick<CompanyCards, 'homeByCode'>;
  readonly catchUp: CatchUp;
}

/**
 * Answers calls whose answer is in another region, or in several. The caller was let in and counted here; the other region
 * sees the same principal, does what it would do for a call of its own, and its answer is given as it is.
 */
export class Forwarding {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The home of the company with a code, when that is another region. A card may be on its way, so of a code that is not
   * known here the directory tells.
   * @param forwarded then another region has asked already, and only what is known here counts
   * @throws {PlatformError} region.unavailable
   */
  async elsewhereByCode(typed: string, forwarded: boolean): Promise<string | undefined> {
    const code = typed.trim().toUpperCase();
    if (code === '') return undefined;
    const home = await this.#deps.cards.homeByCode(code);
    if (home !== undefined || forwarded) return home === this.#deps.regions.own ? undefined : home;
    return this.elsewhereByShareCode(code);
  }

  /** The same of anybody with a share code that nobody here has. @throws {PlatformError} region.unavailable */
  async elsewhereByShareCode(code: string): Promise<string | undefined> {
    const found = await this.#deps.directory.find({ kind: 'share_code', name: code });
    return found?.region === this.#deps.regions.own ? undefined : found?.region;
  }

  /**
   * The answer of a home. Whoever has moved on meanwhile is followed once.
   * @throws {PlatformError} region.unavailable
   */
  async atHome(home: string, call: FederatedCall): Promise<PeerAnswer> {
    const answer = await this.#send(home, call);
    if (answer.status !== 421) return answer;
    const next = answer.headers[HOME_HEADER];
    if (next === undefined || !this.#deps.regions.others.includes(next))
      throw new PlatformError('region.unavailable');
    const second = await this.#send(next, call);
    if (second.status === 421) throw new PlatformError('region.unavailable');
    return second;
  }

  /**
   * The answer of the region that knows the id that the call is about; undefined when none does.
   * @param missing how a region says that it does not
   * @throws {PlatformError} region.unavailable when one that may know it does not answer
   */
  async ofWhoeverKnows(missing: ErrorKey, call: FederatedCall): Promise<PeerAnswer | undefined> {
    const undecided: PeerAnswer[] = [];
    let silent = false;
    const asked = this.#deps.regions.others.map(async (region) => {
      const answer = await this.#send(region, call).catch((error: unknown) => {
        silent = true;
        throw error;
      });
      if (isUndecided(answer)) undecided.push(answer);
      else if (errorKeyOf(answer) !== missing) return answer;
      throw new Error('not there');
    });
    try {
      // The first that knows it: nobody else does.
      return await Promise.any(asked);
    } catch (error) {
      if (!(error instanceof AggregateError)) throw error;
    }
    // What is refused for now may be there.
    const [refused] = undecided;
    if (refused === undefined && silent) throw new PlatformError('region.unavailable');
    return refused;
  }

  /**
   * The parts of a list that are in the other regions, joined to the one that is here, in the list's order. What is here is
   * looked at before and after: what comes here from another region meanwhile is in one of the parts.
   * @throws {PlatformError} region.unavailable: nothing is left out in silence
   */
  async joined(
    list: FederatedList,
    own: () => Promise<unknown>,
    call: FederatedCall,
  ): Promise<Record<string, unknown>> {
    const json = { ...call, headers: { ...call.headers, accept: 'application/json' } };
    const parts = await Promise.all([
      own(),
      ...this.#deps.regions.others.map(async (region) => {
        const answer = await this.#send(region, json);
        if (answer.status === 200) return JSON.parse(answer.bytes.toString()) as unknown;
        const { 'retry-after': wait } = answer.headers;
        throw new PlatformError(
          'region.unavailable',
          wait === undefined ? {} : { headers: { 'retry-after': wait } },
        );
      }),
    ]);
    parts.push(await own());
    const order = list.order as (item: unknown) => string;
    const items = new Map<string, unknown>();
    // While a company moves, two regions may have it for a moment.
    for (const part of parts) {
      for (const item of (part as Record<string, unknown[]>)[list.member] ?? []) items.set(order(item), item);
    }
    const sorted = [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
    return { ...(parts[0] as Record<string, unknown>), [list.member]: sorted };
  }

  async #send(region: string, { principal, ...call }: FederatedCall): Promise<PeerAnswer> {
    if (call.method !== 'GET') await this.#deps.catchUp.before(region, principal);
    return this.#deps.peers.call({ region }, { ...call, actingFor: principal });
  }
}

/** What a region answers before it has looked for anything, or when it could not. */
function isUndecided({ status }: PeerAnswer): boolean {
  return status >= 500 || status === 429 || status === 421;
}

function errorKeyOf({ status, bytes }: PeerAnswer): unknown {
  if (status !== 404) return undefined;
  try {
    return (JSON.parse(bytes.toString()) as { error_key?: unknown }).error_key;
  } catch {
    return undefined;
  }
}
