import type { Clock } from '../core/clock.ts';
import { PlatformError } from '../core/errors.ts';
import type { Regions } from '../core/regions.ts';
import type { AccessClaims, AccessTokens } from './access-token.ts';
import { companyOfClientId } from './client-ids.ts';
import { PEER_TOKEN_PREFIX, type PeerVerifier } from './peers.ts';
import type { Principal } from './principal.ts';
import { type HomesElsewhere, refuseBase } from './routing.ts';

/** Where the authenticator finds who stands behind a credential; each is answered by the feature that owns the rows. */
export interface Identities {
  client(clientId: string): Promise<{ principal: Principal; epoch: number } | undefined>;
  /** @param epoch of the token: another region may know a newer one than this */
  person(personId: string, epoch: number): Promise<{ principal: Principal; epoch: number } | undefined>;
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

interface Deps {
  readonly tokens: AccessTokens;
  readonly identities: Identities;
  readonly peers: PeerVerifier;
  readonly homes: HomesElsewhere;
  readonly regions: Pick<Regions, 'own' | 'apiUrl'>;
  readonly clock: Clock;
  /** Compares in constant time. */
  readonly isOperator: (token: string) => boolean;
}

/** Turns an Authorization header into a principal. */
export class Authenticator {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws {PlatformError} auth.invalid, auth.expired: with WWW-Authenticate (RFC 6750 section 3);
   *   region.rebase_required for a machine or a session of a company that is at home elsewhere (wire 5.2)
   */
  async authenticate(authorization: string | undefined): Promise<Principal> {
    const token = bearerToken(authorization);
    if (token === undefined) throw refusalOfToken('auth.invalid', authorization === undefined);
    if (token.startsWith(PORTAL_TOKEN_PREFIX)) {
      return this.#session(token, 'token');
    }
    if (token.startsWith(PEER_TOKEN_PREFIX)) {
      const peer = this.#deps.peers.verify(token);
      if (peer === undefined) throw refusalOfToken('auth.invalid');
      return peer.actingFor ?? { kind: 'peer', region: peer.region };
    }
    const claims = this.#deps.tokens.verify(token);
    if (claims === undefined) {
      if (this.#deps.isOperator(token)) return OPERATOR;
      throw refusalOfToken('auth.invalid');
    }
    if (claims.exp * 1000 <= this.#deps.clock.now()) throw refusalOfToken('auth.expired');
    const found =
      claims.kind === 'person'
        ? await this.#deps.identities.person(claims.sub, claims.epoch)
        : claims.region === this.#deps.regions.own
          ? await this.#deps.identities.client(claims.sub)
          : undefined;
    if (found === undefined || found.epoch !== claims.epoch) {
      if (found === undefined) await this.#refuseElsewhere(claims);
      throw refusalOfToken('auth.invalid');
    }
    return found.principal;
  }

  /** The client of a company that is now in another region asks for a new token there. */
  async #refuseElsewhere(claims: AccessClaims): Promise<void> {
    const company = claims.kind === 'client' ? companyOfClientId(claims.sub) : undefined;
    if (company === undefined) return;
    refuseBase(this.#deps.regions, await this.#deps.homes.ofCompany(company));
  }

  /**
   * A browser's cookie. Browsers send it with requests of any site's pages, so every call but a read must also carry the
   * anti-forgery token, which only our own pages know.
   * @throws {PlatformError} auth.invalid, auth.expired, auth.anti_forgery
   */
  async authenticateCookie(token: string, reads: boolean, antiForgery: unknown): Promise<Principal> {
    const principal = await this.#session(token, 'cookie');
    if (reads) return principal;
    const proven =
      typeof antiForgery === 'string' &&
      this.#deps.identities.antiForgery(principal.sessionHash, antiForgery);
    if (!proven) throw new PlatformError('auth.anti_forgery');
    return principal;
  }

  async #session(token: string, transport: 'token' | 'cookie') {
    const session = await this.#deps.identities.portalSession(token, transport);
    if (session === undefined) {
      refuseBase(this.#deps.regions, await this.#deps.homes.ofSession(token));
      throw refusalOfToken('auth.invalid');
    }
    if (session === 'expired') throw refusalOfToken('auth.expired');
    return session;
  }
}

/** The token of an Authorization header (RFC 6750 2.1); undefined when it has none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^Bearer +([!-~]{1,8192})$/i.exec(authorization)?.[1];
}

/** The refusal of a token, with what RFC 6750 section 3 wants beside it. */
export function refusalOfToken(key: 'auth.invalid' | 'auth.expired', absent = false): PlatformError {
  const error = absent ? '' : `, error="invalid_token"`;
  return new PlatformError(key, { headers: { 'www-authenticate': `Bearer realm="symbolon"${error}` } });
}
