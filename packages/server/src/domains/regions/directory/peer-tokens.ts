import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { PEER_TOKEN_PREFIX, type Peer, type PeerVerifier } from '../../../access/peers.ts';
import type { Principal } from '../../../access/principal.ts';
import type { Core } from '../../domain.ts';

/** Two minutes allow for clocks that differ, and make a stolen token useless soon. */
const LIFE_MS = 120_000;

interface Claims {
  readonly from: string;
  readonly to: string;
  readonly expires: number;
  readonly actingFor?: Principal;
}

interface Deps extends Pick<Core, 'clock'> {
  readonly key: KeyObject;
  readonly own: string;
  readonly audiences: readonly string[];
}

/** Tokens with which the processes of one platform authenticate to each other: signed with a key that they share, each for one region. */
export class PeerTokens implements PeerVerifier {
  readonly #deps: Deps;
  readonly #audiences: ReadonlySet<string>;

  /** @param deps.audiences the names under which other processes call this one */
  constructor(deps: Deps) {
    this.#deps = deps;
    this.#audiences = new Set(deps.audiences);
  }

  mint(to: string, actingFor?: Principal): string {
    const claims: Claims = {
      from: this.#deps.own,
      to,
      expires: this.#deps.clock.now() + LIFE_MS,
      ...(actingFor === undefined ? {} : { actingFor }),
    };
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return `${PEER_TOKEN_PREFIX}${text}.${this.#signature(text)}`;
  }

  /** Undefined for a token that is invalid, expired or for another process. */
  verify(token: string): Peer | undefined {
    const [text = '', signature = ''] = token.slice(PEER_TOKEN_PREFIX.length).split('.');
    const given = Buffer.from(signature, 'latin1');
    const expected = Buffer.from(this.#signature(text), 'latin1');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString()) as Claims;
    const now = this.#deps.clock.now();
    if (claims.expires < now || claims.expires > now + 2 * LIFE_MS || !this.#audiences.has(claims.to)) {
      return undefined;
    }
    return { region: claims.from, actingFor: claims.actingFor };
  }

  #signature(text: string): string {
    return createHmac('sha256', this.#deps.key).update(text).digest('base64url');
  }
}
