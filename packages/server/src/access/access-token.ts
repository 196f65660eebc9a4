import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { limits } from '@symbolon/protocol';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../core/clock.ts';

/** What an access token says. `epoch` must equal the one of the client's or person's row: raising that revokes. */
export interface AccessClaims {
  readonly kind: 'client' | 'person';
  readonly sub: string;
  readonly epoch: number;
  /** The region that minted it; one of a client is valid nowhere else (wire 5.2). */
  readonly region: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

/** base64url of {"alg":"HS256","typ":"at+jwt"}: one algorithm, so the header is compared, never interpreted. */
const HEADER = Buffer.from('{"alg":"HS256","typ":"at+jwt"}').toString('base64url');

/** Tokens whose claims are remembered, about 6 MB of them. */
const VERIFIED_MOST = 10_000;

interface Deps {
  readonly key: KeyObject;
  readonly region: string;
  readonly clock: Clock;
}

/** Signed, self-contained access tokens: JWTs under HMAC-SHA-256 (RFC 7519, RFC 9068), verified without a look-up. */
export class AccessTokens {
  readonly #deps: Deps;
  /** Claims of tokens with a good signature: a machine sends the same token for an hour, and checking it takes 5 µs. */
  readonly #verified = new LRUCache<string, AccessClaims>({ max: VERIFIED_MOST });

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A token for `sub` that lives `limits.accessTokenSeconds`. */
  mint(kind: AccessClaims['kind'], sub: string, epoch: number): string {
    const exp = Math.floor(this.#deps.clock.now() / 1000) + limits.accessTokenSeconds;
    const claims: AccessClaims = { kind, sub, epoch, region: this.#deps.region, exp };
    const signed = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    return `${signed}.${this.#signature(signed)}`;
  }

  /** The claims of a token with a good signature, expired or not, of whichever region; undefined for anything else. */
  verify(token: string): AccessClaims | undefined {
    const known = this.#verified.get(token);
    if (known !== undefined) return known;
    const dot = token.lastIndexOf('.');
    if (!token.startsWith(`${HEADER}.`) || dot <= HEADER.length) return undefined;
    // The encodings are compared, so that a signature has one spelling only.
    const signature = Buffer.from(token.slice(dot + 1), 'latin1');
    const expected = Buffer.from(this.#signature(token.slice(0, dot)), 'latin1');
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
    const claims = JSON.parse(
      Buffer.from(token.slice(HEADER.length + 1, dot), 'base64url').toString(),
    ) as AccessClaims;
    this.#verified.set(token, claims);
    return claims;
  }

  #signature(signed: string): string {
    return createHmac('sha256', this.#deps.key).update(signed).digest('base64url');
  }
}
