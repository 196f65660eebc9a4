import { randomUUID } from 'node:crypto';
import { PEER_TOKEN_PREFIX, type Peer, type PeerRequest, type PeerVerifier } from '../../../access/peers.ts';
import type { Principal } from '../../../access/principal.ts';
import type { Core } from '../../domain.ts';
import { callDigest, claimsOf, LIFE_MS, type MarkedClaims, withMark } from './marked-claims.ts';
import type { KeyPair, PeerKeys } from './peer-keys.ts';
import type { SeenCalls } from './seen-calls.ts';

interface Claims extends MarkedClaims {
  /** Once only. */
  readonly id: string;
  /** Digest of the body. */
  readonly body: string;
  readonly actingFor?: Principal;
}

/** What a token is made for. `body` is its digest. */
export interface SignedCall extends PeerRequest {
  readonly body: string;
}

interface Deps extends Pick<Core, 'clock'> {
  readonly keys: PeerKeys;
  readonly seen: SeenCalls;
  readonly own: string;
  /** The names under which other processes call this one. */
  readonly audiences: readonly string[];
}

/**
 * Tokens with which the processes of one platform authenticate to each other. Each is made for one call: for its method, path
 * and body, to one region, for a minute; the region answers it once.
 */
export class PeerTokens implements PeerVerifier {
  readonly #deps: Deps;
  readonly #audiences: ReadonlySet<string>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#audiences = new Set(deps.audiences);
  }

  /** The keys for calls to another: the first, then those that it may still expect while keys are changed. */
  pairsWith(to: string): readonly KeyPair[] {
    return this.#deps.keys.pairsWith(to);
  }

  /** @throws {Error} when there are no keys for calls to there */
  mint(to: string, call: SignedCall, actingFor?: Principal, keys = this.pairsWith(to)[0]): string {
    const claims = {
      id: randomUUID(),
      from: this.#deps.own,
      to,
      at: this.#deps.clock.now(),
      call: callDigest(call),
      body: call.body,
      ...(actingFor === undefined ? {} : { actingFor }),
    };
    return withMark(PEER_TOKEN_PREFIX, claims, this.#deps.keys, keys);
  }

  async verify(token: string, call: PeerRequest): Promise<Peer | undefined> {
    const claims = claimsOf<Claims>(PEER_TOKEN_PREFIX, token, this.#deps.keys, this.#audiences);
    if (claims === undefined) return undefined;
    const now = this.#deps.clock.now();
    if (Math.abs(now - claims.at) > LIFE_MS) return undefined;
    if (claims.call !== callDigest(call)) return undefined;
    const { id, from, at } = claims;
    if (!(await this.#deps.seen.note({ id, from, at, expiresAt: at + 2 * LIFE_MS }))) return undefined;
    return { region: from, actingFor: claims.actingFor, body: claims.body };
  }
}
