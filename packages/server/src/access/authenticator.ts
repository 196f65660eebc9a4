import type { ErrorKey } from '@symbolon/protocol';
import type { Clock } from '../core/clock.ts';
import { PlatformError } from '../core/errors.ts';
import type { Regions } from '../core/regions.ts';
import type { Secrets } from '../core/secrets.ts';
import type { AccessClaims, AccessTokens } from './access-token.ts';
import { antiForgeryMatches } from './anti-forgery.ts';
import { companyOfToken } from './client-ids.ts';
import type { FailureLimit } from './failure-limit.ts';
import { PEER_TOKEN_PREFIX, type Peer, type PeerRequest, type PeerVerifier } from './peers.ts';
import type { Principal } from './principal.ts';
import { type HomesElsewhere, refuseBase } from './routing.ts';
import {
  isOwnSessionToken,
  PORTAL_TOKEN_PREFIX,
  personTokenPrefix,
  regionOfPersonToken,
} from './session-token.ts';

/** Where the authenticator finds who stands behind a credential; each is answered by the feature that owns the rows. */
export interface Identities {
  client(clientId: string): Promise<{ principal: Principal; epoch: number } | undefined>;
  /** @param epoch of the token: another region may know a newer one than this */
  person(personId: string, epoch: number): Promise<{ principal: Principal; epoch: number } | undefined>;
  /** @param subject of the token of a sign-in, which ends when the row says so */
  signIn(subject: string): Promise<{ principal: Principal; epoch: number } | undefined>;
  portalSession(
    token: string,
    transport: 'token' | 'cookie',
  ): Promise<Extract<Principal, { kind: 'portal' }> | 'expired' | undefined>;
  /** What the access token said that a ticket was made with; a ticket is good once. */
  eventTicket(ticket: string): Promise<AccessClaims | undefined>;
  /**
   * A person's session by cookie, with the hash of its token.
   * @param isUse whether it counts as used: a session that is not ends
   */
  personSession(
    token: string,
    isUse: boolean,
  ): Promise<{ principal: Principal; sessionHash: string } | 'expired' | undefined>;
}

/** Characters of a session's token that name it where failures are counted. */
const TOKEN_NAME = 16;

interface Deps {
  readonly tokens: AccessTokens;
  readonly identities: Identities;
  readonly peers: PeerVerifier;
  readonly homes: HomesElsewhere;
  readonly regions: Pick<Regions, 'own' | 'apiUrl'>;
  readonly clock: Clock;
  readonly failures: FailureLimit;
  readonly secrets: Pick<Secrets, 'hashes' | 'matches'>;
  /** Compares in constant time. */
  readonly operatorOf: (token: string) => Principal | undefined;
}

/** Where a call comes from. */
interface Caller extends PeerRequest {
  readonly ip: string;
  /** Set for a call of another region. */
  peer: Peer | null;
}

/** Turns an Authorization header into a principal. */
export class Authenticator {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Failures are limited: for one token when it was signed here, so that others at the same address cannot lock it out; for
   * one address when nothing about the caller is known. Sessions are opaque, so a session too is refused while its address
   * is out of tries.
   * @throws {PlatformError} auth.invalid, auth.expired: with WWW-Authenticate (RFC 6750 section 3);
   *   region.rebase_required for a machine or a session of a company that is at home elsewhere (wire 5.2);
   *   rate_limit.exceeded, rate_limit.unavailable
   */
  async authenticate(authorization: string | undefined, caller: Caller): Promise<Principal> {
    const token = bearerToken(authorization);
    if (token === undefined) {
      await this.#deps.failures.failed('token', caller.ip);
      throw refusalOfToken(authorization === undefined ? 'missing' : 'malformed');
    }
    if (token.startsWith(PORTAL_TOKEN_PREFIX)) return this.#session(token, 'token', caller);
    if (token.startsWith(PEER_TOKEN_PREFIX)) {
      const peer = await this.#deps.peers.verify(token, caller);
      if (peer !== undefined) {
        caller.peer = peer;
        return peer.actingFor ?? { kind: 'peer', region: peer.region };
      }
    }
    const claims = this.#deps.tokens.verify(token);
    if (claims !== undefined) return this.bearerOf(claims);
    const operator = this.#deps.operatorOf(token);
    if (operator !== undefined) return operator;
    await this.#deps.failures.failed('token', caller.ip);
    throw refusalOfToken(JWT_FORM.test(token) ? 'invalid' : 'malformed');
  }

  /**
   * Takes a ticket that stands for an access token where a browser can send no header.
   * @returns what the token said, for `bearerOf`
   * @throws {PlatformError} auth.invalid, rate_limit.exceeded, rate_limit.unavailable
   */
  async takeTicket(ticket: string, { ip }: Caller): Promise<AccessClaims> {
    const claims = await this.#deps.identities.eventTicket(ticket);
    if (claims !== undefined) return claims;
    await this.#deps.failures.failed('token', ip);
    throw refusalOfToken('invalid');
  }

  /** The principal of a token with a valid signature. @throws {PlatformError} as `authenticate` */
  async bearerOf(claims: AccessClaims): Promise<Principal> {
    // By the token, not by its subject: a new one is good, whatever is done with the old ones.
    const token = `${claims.sub} ${claims.epoch} ${claims.exp}`;
    this.#deps.failures.refuseSpent('bearer', token);
    if (claims.exp * 1000 <= this.#deps.clock.now()) {
      await this.#deps.failures.failed('bearer', token);
      throw refusalOfToken('expired');
    }
    const found =
      claims.kind === 'person'
        ? await this.#deps.identities.person(claims.sub, claims.epoch)
        : claims.kind === 'sign_in'
          ? await this.#deps.identities.signIn(claims.sub)
          : claims.region === this.#deps.regions.own
            ? await this.#deps.identities.client(claims.sub)
            : undefined;
    if (found === undefined || found.epoch !== claims.epoch) {
      if (found === undefined) await this.#refuseElsewhere(claims);
      await this.#deps.failures.failed('bearer', token);
      throw refusalOfToken('invalid');
    }
    return found.principal;
  }

  /** The client of a company that is now in another region asks for a new token there; a sign-in's token is good there. */
  async #refuseElsewhere(claims: AccessClaims): Promise<void> {
    const company = companyOfToken(claims);
    if (company === undefined) return;
    refuseBase(this.#deps.regions, await this.#deps.homes.ofCompany(company));
  }

  /**
   * A browser's cookie. Browsers send it with requests of any site's pages, so every call but a read must also carry the
   * anti-forgery token, which only our own pages know. A read that carries one belongs to that session too: a page gets no
   * answer to whoever has signed in beside it since.
   * @param page.antiForgery the token that the page sent
   * @param page.isUse false: the session of a person does not become longer by this call
   * @throws {PlatformError} auth.invalid, auth.expired, auth.anti_forgery, region.rebase_required, rate_limit.exceeded,
   *   rate_limit.unavailable
   */
  async authenticateCookie(
    token: string,
    { reads, antiForgery, isUse }: { reads: boolean; antiForgery: unknown; isUse: boolean },
    caller: Caller,
  ): Promise<Principal> {
    const { principal, sessionHash } = await this.#cookieSession(token, isUse, caller);
    if (reads && antiForgery === undefined) return principal;
    const proven =
      typeof antiForgery === 'string' && antiForgeryMatches(this.#deps.secrets, sessionHash, antiForgery);
    if (!proven) throw new PlatformError('auth.anti_forgery');
    return principal;
  }

  async #cookieSession(
    token: string,
    isUse: boolean,
    caller: Caller,
  ): Promise<{ principal: Principal; sessionHash: string }> {
    const region = regionOfPersonToken(token);
    if (region === undefined) {
      const principal = await this.#session(token, 'cookie', caller);
      return { principal, sessionHash: principal.sessionHash };
    }
    const { own } = this.#deps.regions;
    if (region !== own) refuseBase(this.#deps.regions, region);
    return this.#found(token, caller, personTokenPrefix(own), () =>
      this.#deps.identities.personSession(token, isUse),
    );
  }

  #session(token: string, transport: 'token' | 'cookie', caller: Caller) {
    return this.#found(token, caller, PORTAL_TOKEN_PREFIX, async () => {
      const session = await this.#deps.identities.portalSession(token, transport);
      if (session === undefined) refuseBase(this.#deps.regions, await this.#deps.homes.ofSession(token));
      return session;
    });
  }

  /** @throws {PlatformError} auth.invalid, auth.expired, rate_limit.exceeded, rate_limit.unavailable */
  async #found<Session extends object>(
    token: string,
    { ip }: Caller,
    prefix: string,
    find: () => Promise<Session | 'expired' | undefined>,
  ): Promise<Session> {
    // Nothing about the caller of a token that was made up is known but the address. The token's end names one made here.
    const isOwn = isOwnSessionToken(token, this.#deps.secrets, prefix);
    const [kind, caller] = isOwn
      ? (['bearer', token.slice(-TOKEN_NAME)] as const)
      : (['session', ip] as const);
    this.#deps.failures.refuseSpent(kind, caller);
    const session = await find();
    if (session !== undefined && session !== 'expired') return session;
    await this.#deps.failures.failed(kind, caller);
    throw refusalOfToken(session === undefined ? 'invalid' : 'expired');
  }
}

/** No token that is issued is nearly as long. */
const TOKEN_MOST = 8192;

/** The token of an Authorization header (RFC 6750 2.1); undefined when it has none. */
export function bearerToken(authorization = ''): string | undefined {
  const token = /^Bearer +([!-~]+)$/i.exec(authorization)?.[1];
  return token !== undefined && token.length <= TOKEN_MOST ? token : undefined;
}

/** The parts of an access token (RFC 7515 3.1). */
const JWT_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** What is wrong with a token, with what the answer says of it. */
const REFUSED_TOKENS = {
  missing: [
    'auth.invalid',
    'The call has no access token. Send one in the header Authorization, after the word Bearer.',
  ],
  malformed: [
    'auth.invalid',
    'What the header Authorization has is not an access token. Send it after the word Bearer, as it was issued.',
  ],
  invalid: [
    'auth.invalid',
    'The access token is not valid: it has ended, or was issued by another platform. Request a fresh one.',
  ],
  expired: ['auth.expired', 'The access token has expired. Request a fresh one.'],
} as const satisfies Record<string, readonly [ErrorKey, string]>;

/** The refusal of a token, with what RFC 6750 section 3 wants beside it. */
export function refusalOfToken(why: keyof typeof REFUSED_TOKENS): PlatformError {
  const [key, text] = REFUSED_TOKENS[why];
  const error = why === 'missing' ? '' : `, error="invalid_token"`;
  return new PlatformError(key, { headers: { 'www-authenticate': `Bearer realm="symbolon"${error}` }, text });
}
