import { createHmac, timingSafeEqual } from 'node:crypto';
import { limits } from '@symbolon/protocol';
import { LRUCache } from 'lru-cache';
import { entriesMost } from '../core/cache-bounds.ts';
import type { Clock } from '../core/clock.ts';
import type { KeyRing } from '../core/key-ring.ts';

/** What an access token says. `epoch` must equal the one of the client's or person's row: raising that revokes. */
export interface AccessClaims {
  /** A `sign_in` is what a person approved for an app; its token opens that alone. */
  readonly kind: 'client' | 'person' | 'sign_in';
  /** Of a sign-in: the app's company and the sign-in, see `signInSubject`. */
  readonly sub: string;
  readonly epoch: number;
  /** The region that minted it; one of a client is valid nowhere else (wire 5.2). */
  readonly region: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

const encoded = (header: string) => Buffer.from(header).toString('base64url');
/** The header of a version of the key: one algorithm, so nothing but the version is read from it. */
const headerOf = (version: number) => encoded(`{"alg":"HS256","typ":"at+jwt","kid":"${version}"}`);
/** Of tokens that were made before there were versions. */
const HEADER_WITHOUT_VERSION = encoded('{"alg":"HS256","typ":"at+jwt"}');
/** A header is not longer. */
const HEADER_MOST = headerOf(999_999).length;
const HEADER = /^\{"alg":"HS256","typ":"at\+jwt","kid":"([1-9]\d{0,5})"\}$/;

/** Tokens whose claims are remembered, about 6 MB of them. */
const VERIFIED_MOST = 10_000;

interface Deps {
  readonly keys: Pick<KeyRing, 'current' | 'has' | 'key'>;
  readonly region: string;
  readonly clock: Clock;
}

/** Signed, self-contained access tokens: JWTs under HMAC-SHA-256 (RFC 7519, RFC 9068), verified without a look-up. */
export class AccessTokens {
  readonly #deps: Deps;
  /** Claims of tokens with a good signature: a machine sends the same token for an hour, and checking it takes 5 µs. */
  readonly #verified = new LRUCache<string, { version: number; claims: AccessClaims }>({
    ...entriesMost(VERIFIED_MOST),
  });

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A token for `sub` that lives `limits.accessTokenSeconds`. */
  mint(kind: AccessClaims['kind'], sub: string, epoch: number): string {
    const exp = Math.floor(this.#deps.clock.now() / 1000) + limits.accessTokenSeconds;
    const claims: AccessClaims = { kind, sub, epoch, region: this.#deps.region, exp };
    const version = this.#deps.keys.current;
    const signed = `${headerOf(version)}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    return `${signed}.${this.#signature(signed, version)}`;
  }

  /** The claims of a token with a good signature, expired or not, of whichever region; undefined for anything else. */
  verify(token: string): AccessClaims | undefined {
    const known = this.#verified.get(token);
    if (known !== undefined) return this.#deps.keys.has(known.version) ? known.claims : undefined;
    const first = token.indexOf('.');
    const dot = token.lastIndexOf('.');
    const version = versionOf(token.slice(0, first));
    if (dot <= first || version === undefined || !this.#deps.keys.has(version)) return undefined;
    // The encodings are compared, so that a signature has one spelling only.
    const signature = Buffer.from(token.slice(dot + 1), 'latin1');
    const expected = Buffer.from(this.#signature(token.slice(0, dot), version), 'latin1');
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
    const claims = JSON.parse(
      Buffer.from(token.slice(first + 1, dot), 'base64url').toString(),
    ) as AccessClaims;
    this.#verified.set(token, { version, claims });
    return claims;
  }

  #signature(signed: string, version: number): string {
    return createHmac('sha256', this.#deps.keys.key('access token', version))
      .update(signed)
      .digest('base64url');
  }
}

/** The version of the key that a header names; undefined for any other header. */
function versionOf(header: string): number | undefined {
  if (header === HEADER_WITHOUT_VERSION) return 1;
  if (header.length > HEADER_MOST) return undefined;
  const [, version] = HEADER.exec(Buffer.from(header, 'base64url').toString()) ?? [];
  // Compared as text, so that a header has one spelling only.
  return version !== undefined && header === headerOf(Number(version)) ? Number(version) : undefined;
}

/** The subject of a token of a sign-in: it says whose region has the row. */
export function signInSubject(companyId: string, id: string): string {
  return `${companyId}.${id}`;
}

/** What `signInSubject` was made of. */
export function readSignInSubject(subject: string): { companyId: string; id: string } {
  const [companyId = '', id = ''] = subject.split('.');
  return { companyId, id };
}
