import { isIP } from 'node:net';
import type { PeerRequest } from '../../../access/peers.ts';
import type { Core } from '../../domain.ts';
import { callDigest, claimsOf, LIFE_MS, type MarkedClaims, withMark } from './marked-claims.ts';
import type { KeyPair, PeerKeys } from './peer-keys.ts';

/** The front door puts its token here: Authorization is the caller's. */
export const RELAY_HEADER = 'x-symbolon-relay';
const PREFIX = 'relay_';

interface Claims extends MarkedClaims {
  /** The address that the caller called from. */
  readonly source: string;
}

interface Deps extends Pick<Core, 'clock'> {
  readonly keys: PeerKeys;
  readonly own: string;
  readonly frontDoor: string;
}

/**
 * Tokens with which the front door says where a call came from that it passes on. They give no right to anything: the caller's
 * own credential does. A region that is given one again within a minute counts the same call for the same address.
 */
export class RelayTokens {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The keys for calls to a region: the first, then those that it may still expect while keys are changed. */
  pairsWith(to: string): readonly KeyPair[] {
    return this.#deps.keys.pairsWith(to);
  }

  /** @throws {Error} when there are no keys for calls to there */
  mint(to: string, call: PeerRequest, source: string, keys = this.pairsWith(to)[0]): string {
    const { clock, own } = this.#deps;
    const claims = { from: own, to, at: clock.now(), call: callDigest(call), source };
    return withMark(PREFIX, claims, this.#deps.keys, keys);
  }

  /** The address that a call came from; undefined for a token that is bad, out of date, or made for another call or region. */
  sourceOf(token: string, call: PeerRequest): string | undefined {
    const { clock, keys, own, frontDoor } = this.#deps;
    const claims = claimsOf<Claims>(PREFIX, token, keys, new Set([own]));
    const isGood =
      claims !== undefined &&
      claims.from === frontDoor &&
      Math.abs(clock.now() - claims.at) <= LIFE_MS &&
      claims.call === callDigest(call) &&
      isIP(claims.source) !== 0;
    return isGood ? claims.source : undefined;
  }
}
