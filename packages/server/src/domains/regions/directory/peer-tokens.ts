import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { HmacSha256 } from '../../../access/hmac.ts';
import type { Principal } from '../../../access/principal.ts';
import type { Clock } from '../../../core/clock.ts';

/** Bearer tokens of this kind are those of other regions and of the front door. */
export const PEER_TOKEN_PREFIX = 'peer_';

/** Long enough for clocks that differ, short enough to be worth nothing later. */
const LIFE_MS = 120_000;

interface Claims {
  readonly from: string;
  readonly to: string;
  readonly expires: number;
  readonly actingFor?: Principal;
}

/** What a good token says: which region calls, and for whom. */
export interface Peer {
  readonly region: string;
  readonly actingFor: Principal | undefined;
}

interface Deps {
  readonly key: KeyObject;
  readonly own: string;
  readonly audiences: readonly string[];
  readonly clock: Clock;
}

/** By these the processes of one platform know each other: signed with a key that only they have, each good for one region. */
export class PeerTokens {
  readonly #hmac: HmacSha256;
  readonly #deps: Deps;
  readonly #audiences: ReadonlySet<string>;

  /** @param deps.audiences the names under which this process is called */
  constructor(deps: Deps) {
    this.#deps = deps;
    this.#hmac = new HmacSha256(deps.key);
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
    return `${PEER_TOKEN_PREFIX}${text}.${this.#hmac.digest(text, 'base64url')}`;
  }

  /** Undefined for a token that is bad, out of date, or for somebody else. */
  verify(token: string): Peer | undefined {
    const [text = '', signature = ''] = token.slice(PEER_TOKEN_PREFIX.length).split('.');
    const given = Buffer.from(signature, 'latin1');
    const expected = Buffer.from(this.#hmac.digest(text, 'base64url'), 'latin1');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString()) as Claims;
    const now = this.#deps.clock.now();
    if (claims.expires < now || claims.expires > now + 2 * LIFE_MS || !this.#audiences.has(claims.to)) {
      return undefined;
    }
    return { region: claims.from, actingFor: claims.actingFor };
  }
}
