import type { FastifyRequest } from 'fastify';
import { bearerToken, refusalOfToken } from '../../../access/authenticator.ts';
import { companyOfToken } from '../../../access/client-ids.ts';
import { SESSION_COOKIE } from '../../../access/cookies.ts';
import { normalizeEmail } from '../../../access/email.ts';
import { refuseBase } from '../../../access/routing.ts';
import { PORTAL_TOKEN_PREFIX } from '../../../access/session-token.ts';
import type { Secrets } from '../../../core/secrets.ts';
import type { App } from '../../../http/app.ts';
import type { Core } from '../../domain.ts';
import type { Directory, Name } from './directory.ts';
import { decoyHome } from './global-names.ts';
import { type Peers, regionUnavailable } from './peers.ts';

interface Deps extends Pick<Core, 'clock' | 'cookies' | 'regions' | 'tokens'> {
  readonly directory: Directory;
  readonly peers: Peers;
  readonly secrets: Pick<Secrets, 'decoy'>;
}

/**
 * Refuses every call about data, because the front door has none, and names the base URL of the right region (wire 5.2). A
 * caller without a credential either signs in, with an address in the body or query, or registers, in the first region.
 */
export function rebaseRoutes(app: App, deps: Deps): void {
  for (const url of ['/api/*', '/oauth2/*']) {
    app.route({
      method: ['GET', 'POST', 'PUT', 'DELETE'],
      url,
      // The region knows which parameters the address takes.
      config: { access: 'open', alwaysJson: true, ignoresQuery: true },
      schema: { hide: true },
      handler: async (request): Promise<never> => {
        const home = await homeOfCaller(request, deps);
        refuseBase(deps.regions, home);
        throw regionUnavailable();
      },
    });
  }
}

/** @throws {PlatformError} auth.invalid, auth.expired */
async function homeOfCaller(request: FastifyRequest, deps: Deps): Promise<string | undefined> {
  const { directory, regions } = deps;
  const header = request.headers.authorization;
  const cookie = header === undefined ? deps.cookies.read(request.headers.cookie, SESSION_COOKIE) : undefined;
  if (cookie !== undefined) return homeOfSession(cookie, deps);
  if (header === undefined) {
    const named = nameIn(request);
    if (named === undefined) return regions.names[0];
    return (await directory.find(named))?.region ?? decoyHome(regions, deps.secrets, named);
  }
  const token = bearerToken(header) ?? '';
  if (token.startsWith(PORTAL_TOKEN_PREFIX)) return homeOfSession(token, deps);
  const claims = deps.tokens.verify(token);
  if (claims === undefined) throw refusalOfToken('auth.invalid');
  if (claims.exp * 1000 <= deps.clock.now()) throw refusalOfToken('auth.expired');
  const company = companyOfToken(claims);
  const home =
    claims.kind === 'person'
      ? await directory.homeOf({ kind: 'person', id: claims.sub })
      : company === undefined
        ? claims.region
        : await directory.homeOf({ kind: 'company', id: company });
  if (home === undefined) throw refusalOfToken('auth.invalid');
  return home;
}

/** A portal session's token does not name its region, so every region is asked. */
async function homeOfSession(token: string, { peers, regions }: Deps): Promise<string> {
  const known = await Promise.all(
    regions.names.map(async (region) => {
      const { home } = await peers.ask<{ home: boolean }>(
        { region },
        { method: 'POST', path: '/internal/sessions/known', body: { token } },
      );
      return home ? region : undefined;
    }),
  );
  const home = known.find((region) => region !== undefined);
  if (home === undefined) throw refusalOfToken('auth.invalid');
  return home;
}

/** The address that signs in; undefined for a registration. */
function nameIn(request: FastifyRequest): Name | undefined {
  if (request.url.endsWith('/register')) return undefined;
  const email = (request.body as { email?: unknown } | null | undefined)?.email;
  const query = (request.query as { email?: unknown } | undefined)?.email;
  const given = normalizeEmail(typeof email === 'string' ? email : typeof query === 'string' ? query : '');
  if (given === undefined) return undefined;
  return { kind: request.url.startsWith('/api/person') ? 'person_email' : 'portal_email', name: given };
}
