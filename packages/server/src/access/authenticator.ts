import { PlatformError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { AccessTokens } from './access-token.ts';
import type { Principal } from './principal.ts';

/** Where the authenticator finds who stands behind a credential; each is answered by the feature that owns the rows. */
export interface Identities {
  client(clientId: string): Promise<{ principal: Principal; epoch: number } | undefined>;
  person(personId: string): Promise<{ principal: Principal; epoch: number } | undefined>;
  portalSession(
    token: string,
    transport: 'token' | 'cookie',
  ): Promise<Extract<Principal, { kind: 'portal' }> | 'expired' | undefined>;
  /** Whether a page proved that it may write with this session. */
  antiForgery(sessionHash: string, token: string): boolean;
}

/** Portal sessions are opaque; everything else is a signed access token. */
export const PORTAL_TOKEN_PREFIX = 'sps_';

const OPERATOR: Principal = Object.freeze({ kind: 'operator' });

/** Turns an Authorization header into a principal. */
export class Authenticator {
  readonly #tokens: AccessTokens;
  readonly #identities: Identities;
  readonly #clock: Clock;
  readonly #isOperator: (token: string) => boolean;

  /** @param deps.isOperator compares in constant time; left out where there are no operator's routes */
  constructor(deps: {
    tokens: AccessTokens;
    identities: Identities;
    clock: Clock;
    isOperator?: (token: string) => boolean;
  }) {
    this.#tokens = deps.tokens;
    this.#identities = deps.identities;
    this.#clock = deps.clock;
    this.#isOperator = deps.isOperator ?? (() => false);
  }

  /** @throws {PlatformError} auth.invalid, auth.expired: with WWW-Authenticate (RFC 6750 section 3) */
  async authenticate(authorization: string | undefined): Promise<Principal> {
    const token =
      authorization === undefined ? undefined : /^Bearer +([!-~]{1,2048})$/i.exec(authorization)?.[1];
    if (token === undefined) throw refusal('auth.invalid', authorization === undefined);
    if (token.startsWith(PORTAL_TOKEN_PREFIX)) {
      return this.#session(token, 'token');
    }
    const claims = this.#tokens.verify(token);
    if (claims === undefined) {
      if (this.#isOperator(token)) return OPERATOR;
      throw refusal('auth.invalid');
    }
    if (claims.exp * 1000 <= this.#clock.now()) throw refusal('auth.expired');
    const found =
      claims.kind === 'client'
        ? await this.#identities.client(claims.sub)
        : await this.#identities.person(claims.sub);
    if (found === undefined || found.epoch !== claims.epoch) throw refusal('auth.invalid');
    return found.principal;
  }

  /**
   * A browser's cookie. It comes along by itself with whatever a page of anyone's sends, so everything but a read must
   * carry what only a page of ours can know.
   * @throws {PlatformError} auth.invalid, auth.expired, auth.anti_forgery
   */
  async authenticateCookie(token: string, reads: boolean, antiForgery: unknown): Promise<Principal> {
    const principal = await this.#session(token, 'cookie');
    if (reads) return principal;
    const proven =
      typeof antiForgery === 'string' && this.#identities.antiForgery(principal.sessionHash, antiForgery);
    if (!proven) throw new PlatformError('auth.anti_forgery');
    return principal;
  }

  async #session(token: string, transport: 'token' | 'cookie') {
    const session = await this.#identities.portalSession(token, transport);
    if (session === undefined) throw refusal('auth.invalid');
    if (session === 'expired') throw refusal('auth.expired');
    return session;
  }
}

function refusal(key: 'auth.invalid' | 'auth.expired', absent = false): PlatformError {
  const error = absent ? '' : `, error="invalid_token"`;
  return new PlatformError(key, { headers: { 'www-authenticate': `Bearer realm="symbolon"${error}` } });
}
