import { PlatformError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { AccessTokens } from './access-token.ts';
import type { Principal } from './principal.ts';

/** Where the authenticator finds who stands behind a credential; each is answered by the feature that owns the rows. */
export interface Identities {
  client(clientId: string): Promise<{ principal: Principal; epoch: number } | undefined>;
  person(personId: string): Promise<{ principal: Principal; epoch: number } | undefined>;
  portalSession(token: string): Promise<Principal | 'expired' | undefined>;
}

/** Portal sessions are opaque; everything else is a signed access token. */
export const PORTAL_TOKEN_PREFIX = 'sps_';

/** Turns an Authorization header into a principal. */
export class Authenticator {
  readonly #tokens: AccessTokens;
  readonly #identities: Identities;
  readonly #clock: Clock;

  constructor(deps: { tokens: AccessTokens; identities: Identities; clock: Clock }) {
    this.#tokens = deps.tokens;
    this.#identities = deps.identities;
    this.#clock = deps.clock;
  }

  /** @throws {PlatformError} auth.invalid, auth.expired: with WWW-Authenticate (RFC 6750 section 3) */
  async authenticate(authorization: string | undefined): Promise<Principal> {
    const token =
      authorization === undefined ? undefined : /^Bearer +([!-~]{1,2048})$/i.exec(authorization)?.[1];
    if (token === undefined) throw refusal('auth.invalid', authorization === undefined);
    if (token.startsWith(PORTAL_TOKEN_PREFIX)) {
      const session = await this.#identities.portalSession(token);
      if (session === undefined) throw refusal('auth.invalid');
      if (session === 'expired') throw refusal('auth.expired');
      return session;
    }
    const claims = this.#tokens.verify(token);
    if (claims === undefined) throw refusal('auth.invalid');
    if (claims.exp * 1000 <= this.#clock.now()) throw refusal('auth.expired');
    const found =
      claims.kind === 'client'
        ? await this.#identities.client(claims.sub)
        : await this.#identities.person(claims.sub);
    if (found === undefined || found.epoch !== claims.epoch) throw refusal('auth.invalid');
    return found.principal;
  }
}

function refusal(key: 'auth.invalid' | 'auth.expired', absent = false): PlatformError {
  const error = absent ? '' : `, error="invalid_token"`;
  return new PlatformError(key, { headers: { 'www-authenticate': `Bearer realm="symbolon"${error}` } });
}
