import type { Clock } from '../core/clock.ts';
import { PlatformError } from '../core/errors.ts';
import type { Regions } from '../core/regions.ts';
import { companyOfClientId } from '../domains/clients/data-clients/client-ids.ts';
import { PEER_TOKEN_PREFIX, type PeerTokens } from '../domains/regions/directory/peer-tokens.ts';
import type { AccessClaims, AccessTokens } from './access-token.ts';
import type { Principal } from './principal.ts';

/** Where the authenticator finds who stands behind a credential; each is answered by the feature that owns the rows. */
export interface Identities {
  client(clientId: string): Promise<{ principal: Principal; epoch: number } | undefined>;
  /** @param epoch of the token: another region may know a newer one than this */
  person(personId: string, epoch: number): Promise<{ principal: Principal; epoch: number } | undefined>;
  portalSession(
    token: string,
    transport: 'token' | 'cookie',
  ): Promise<Extract<Principal, { kind: 'portal' }> | 'expired' | undefined>;
  /** The home region of a company, when it is known here and not at home; undefined else. */
  elsewhere(companyId: string): Promise<string | undefined>;
  /** The company whose session this was, when it took it along to another region. */
  departed(sessionToken: string): Promise<string | undefined>;
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
  readonly #peers: PeerTokens | undefined;
  readonly #regions: Pick<Regions, 'own' | 'several' | 'apiUrl'>;

  /**
   * @param deps.isOperator compares in constant time; left out where there are no operator's routes
   * @param deps.peers left out where there is one region
   */
  constructor(deps: {
    tokens: AccessTokens;
    identities: Identities;
    clock: Clock;
    isOperator?: (token: string) => boolean;
    peers?: PeerTokens | undefined;
    regions: Pick<Regions, 'own' | 'several' | 'apiUrl'>;
  }) {
    this.#tokens = deps.tokens;
    this.#identities = deps.identities;
    this.#clock = deps.clock;
    this.#isOperator = deps.isOperator ?? (() => false);
    this.#peers = deps.peers;
    this.#regions = deps.regions;
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
      const peer = this.#peers?.verify(token);
      if (peer === undefined) throw refusalOfToken('auth.invalid');
      return peer.actingFor ?? { kind: 'peer', region: peer.region };
    }
    const claims = this.#tokens.verify(token);
    if (claims === undefined) {
      if (this.#isOperator(token)) return OPERATOR;
      throw refusalOfToken('auth.invalid');
    }
    if (claims.exp * 1000 <= this.#clock.now()) throw refusalOfToken('auth.expired');
    const found =
      claims.kind === 'person'
        ? await this.#identities.person(claims.sub, claims.epoch)
        : claims.region === this.#regions.own
          ? await this.#identities.client(claims.sub)
          : undefined;
    if (found === undefined || found.epoch !== claims.epoch) {
      if (found === undefined) await this.#refuseElsewhere(claims);
      throw refusalOfToken('auth.invalid');
    }
    return found.principal;
  }

  /** A token that was minted elsewhere for a company of this region has had its day: its client asks for a new one. */
  async #refuseElsewhere(claims: AccessClaims): Promise<void> {
    const company = claims.kind === 'client' ? companyOfClientId(claims.sub) : undefined;
    if (!this.#regions.several || company === undefined) return;
    refuseBase(this.#regions, await this.#identities.elsewhere(company));
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
    if (session === undefined) {
      const company = this.#regions.several ? await this.#identities.departed(token) : undefined;
      if (company !== undefined) refuseBase(this.#regions, await this.#identities.elsewhere(company));
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

/**
 * @param home undefined when nothing is known of it
 * @throws {PlatformError} region.rebase_required naming the base of that region
 */
export function refuseBase(regions: Pick<Regions, 'apiUrl'>, home: string | undefined): void {
  const base = home === undefined ? undefined : regions.apiUrl(home);
  if (base !== undefined) throw new PlatformError('region.rebase_required', { details: { api_url: base } });
}

/** The refusal of a token, with what RFC 6750 section 3 wants beside it. */
export function refusalOfToken(key: 'auth.invalid' | 'auth.expired', absent = false): PlatformError {
  const error = absent ? '' : `, error="invalid_token"`;
  return new PlatformError(key, { headers: { 'www-authenticate': `Bearer realm="symbolon"${error}` } });
}
