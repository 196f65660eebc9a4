import { limits } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { bearerToken, refusalOfToken } from '../../../access/authenticator.ts';
import { companyOfClientId, companyOfToken } from '../../../access/client-ids.ts';
import { PERSON_COOKIE, SESSION_COOKIE } from '../../../access/cookies.ts';
import { normalizeEmail } from '../../../access/email.ts';
import { regionInToken } from '../../../access/routed-token.ts';
import { PERSON_TOKEN_PREFIX, PORTAL_TOKEN_PREFIX } from '../../../access/session-token.ts';
import type { NameOwner } from '../../../access/unique-names.ts';
import { accountOfHandle } from '../../../access/user-handle.ts';
import { hasNul } from '../../../core/nul.ts';
import type { Secrets } from '../../../core/secrets.ts';
import { sentParameters } from '../../../core/sent-parameters.ts';
import type { Core } from '../../domain.ts';
import type { Directory, Name } from '../directory/directory.ts';
import { decoyHome } from '../directory/global-names.ts';
import type { SessionHomes } from './session-homes.ts';

interface Deps extends Pick<Core, 'clock' | 'cookies' | 'regions' | 'tokens'> {
  readonly directory: Directory;
  readonly secrets: Pick<Secrets, 'decoy'>;
  readonly sessionHomes: SessionHomes;
}

/** What a call says about where it belongs. */
type Credential =
  | { readonly kind: 'person_session' | 'portal_session'; readonly token: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | undefined;

/** What takes no session: calls of apps, and of people who are about to sign in. */
const IS_OPEN =
  /^\/(?:oauth2\/|api\/consent\/requests(?:\?|$)|api\/(?:person|portal)\/(?:register|login|recover|reset|sign-in|invitation)(?:[/?]|$))/;

/** Who is signed in. */
const ASKS_WHO = /^\/api\/(?:person|portal)\/session(?:\?|$)/;

/** Finds the region that answers a call: the home of the caller, or of what an open call is about. */
export class Destinations {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * What the call authenticates with. Where a browser has both cookies, the address says which of them counts. Open calls
   * authenticate with nothing, although browsers send their cookies: also those of another region, or that are good no more.
   */
  credentialOf(request: FastifyRequest): Credential {
    if (IS_OPEN.test(request.url)) return undefined;
    const { authorization, cookie } = request.headers;
    if (authorization !== undefined) {
      const token = bearerToken(authorization);
      if (token === undefined) return isBasic(authorization) ? undefined : { kind: 'bearer', token: '' };
      if (token.startsWith(PORTAL_TOKEN_PREFIX)) return { kind: 'portal_session', token };
      return token.startsWith(PERSON_TOKEN_PREFIX)
        ? { kind: 'person_session', token }
        : { kind: 'bearer', token };
    }
    const { cookies } = this.#deps;
    const person = cookies.read(cookie, PERSON_COOKIE);
    const portal = cookies.read(cookie, SESSION_COOKIE);
    if (portal !== undefined && (person === undefined || !isOfPeople(request))) {
      return isOfPeople(request) ? undefined : { kind: 'portal_session', token: portal };
    }
    if (person === undefined || request.url.startsWith('/api/portal/')) return undefined;
    return { kind: 'person_session', token: person };
  }

  /** @throws {PlatformError} auth.invalid, auth.expired, region.unavailable */
  async ofCaller(credential: NonNullable<Credential>): Promise<string> {
    const { clock, directory, regions, sessionHomes, tokens } = this.#deps;
    const { kind, token } = credential;
    if (kind === 'portal_session') return sessionHomes.of(token);
    if (kind === 'person_session') {
      const region = regionInToken(token, regions);
      if (region === undefined) throw refusalOfToken('invalid');
      return region;
    }
    const claims = tokens.verify(token);
    if (claims === undefined) throw refusalOfToken('invalid');
    if (claims.exp * 1000 <= clock.now()) throw refusalOfToken('expired');
    const company = companyOfToken(claims);
    const home =
      claims.kind === 'person'
        ? await directory.homeOf({ kind: 'person', id: claims.sub })
        : company === undefined
          ? claims.region
          : await directory.homeOf({ kind: 'company', id: company });
    if (home === undefined) throw refusalOfToken('invalid');
    return home;
  }

  /**
   * Where an open call belongs: what it names is a ticket of a region, a client of a company, or an address that signs in. What
   * names nothing, such as a registration, goes to the first region.
   * @param body its members, of JSON or a form
   * @throws {PlatformError} auth.invalid, region.unavailable
   */
  async ofOpenCall(request: FastifyRequest, body: Readonly<Record<string, unknown>>): Promise<string> {
    // A call without a credential has no home, whatever a region says: a page must not wait for one that is away.
    if (ASKS_WHO.test(request.url)) throw refusalOfToken('missing');
    const { directory, regions, secrets } = this.#deps;
    const query = request.query as Readonly<Record<string, unknown>>;
    const first = regions.names[0] ?? '';
    for (const token of [body.ticket, query.ticket, body.token, body.request_token]) {
      const region = typeof token === 'string' ? regionInToken(token, regions) : undefined;
      if (region !== undefined) return region;
    }
    const owner = accountOfHandle(handleIn(body));
    if (owner !== undefined) {
      const named =
        owner.kind === 'person'
          ? { kind: 'person', id: owner.personId }
          : { kind: 'company', id: owner.companyId };
      return (await directory.homeOf(named as NameOwner)) ?? first;
    }
    const token = textOf(body.access_token);
    // RFC 6750 2.2; elsewhere a parameter of this name is ignored.
    if (token !== undefined && /^\/api\/oauth\/userinfo(?:\?|$)/.test(request.url))
      return this.ofCaller({ kind: 'bearer', token });
    const client = textOf(body.client_id) ?? clientIn(body.query) ?? textOf(query.client_id);
    if (client !== undefined) {
      const company = companyOfClientId(client);
      const home =
        company === undefined ? undefined : await directory.homeOf({ kind: 'company', id: company });
      return home ?? first;
    }
    const named = nameIn(request, textOf(body.email) ?? textOf(query.email));
    if (named === undefined) return first;
    return (await directory.find(named))?.region ?? decoyHome(regions, secrets, named);
  }

  /** Asks again where a session is: its company has moved. */
  forget(credential: Credential): void {
    if (credential?.kind === 'portal_session') this.#deps.sessionHomes.forget(credential.token);
  }
}

/** The account that a passkey's answer names. */
function handleIn({ credential }: Readonly<Record<string, unknown>>): string | undefined {
  const { response } = (credential ?? {}) as { response?: { userHandle?: unknown } | null };
  return textOf(response?.userHandle);
}

const isOfPeople = ({ url }: FastifyRequest) => /^\/api\/(?:person|consent)\//.test(url);
const isBasic = (authorization: string) => /^basic /i.test(authorization);
/** The region refuses what has a U+0000; nothing is looked up by it. */
const textOf = (value: unknown) => (typeof value === 'string' && !hasNul(value) ? value : undefined);

/** The client in the query string of the consent page's address. */
function clientIn(query: unknown): string | undefined {
  if (typeof query !== 'string' || query.length > limits.consentQueryMost) return undefined;
  return textOf(sentParameters(query).get('client_id'));
}

/** The address that signs in; undefined for a registration. */
function nameIn({ url }: FastifyRequest, email: string | undefined): Name | undefined {
  if (email === undefined || url.endsWith('/register') || normalizeEmail(email) === undefined)
    return undefined;
  const name = email.trim().toLowerCase();
  return { kind: url.startsWith('/api/person') ? 'person_email' : 'portal_email', name };
}
