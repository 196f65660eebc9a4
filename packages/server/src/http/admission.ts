import type { ErrorKey, RateLimitClass } from '@symbolon/protocol';
import type {
  FastifyRequest,
  onRequestHookHandler,
  preValidationAsyncHookHandler,
  RouteOptions,
} from 'fastify';
import type { Authenticator } from '../access/authenticator.ts';
import { isForwarded } from '../access/callers.ts';
import { ANTI_FORGERY_HEADER, type Cookies, PERSON_COOKIE, SESSION_COOKIE } from '../access/cookies.ts';
import type { FailureLimit } from '../access/failure-limit.ts';
import { accountOf, callerId, type Principal } from '../access/principal.ts';
import type { RateLimits } from '../access/rate-limits.ts';
import { refuseBase } from '../access/routing.ts';
import { type AccessRule, authorise, authoriseFactor, authoriseRole, isRead } from '../access/rules.ts';
import { PlatformError } from '../core/errors.ts';
import { networkOf } from '../core/ip-address.ts';
import type { Regions } from '../core/regions.ts';
import { prefersXml } from './accept.ts';
import type { BodyAdmission } from './body-admission.ts';
import { inTime } from './deadlines.ts';
import type { Federated } from './federated.ts';
import { formOf, isForm } from './forms.ts';
import { asXml } from './long-answers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null on open routes. */
    principal: Principal | null;
    /** On routes that stream: asks again who calls. It throws once the token or the session has ended. */
    identify: (() => Promise<Principal>) | null;
  }
  interface FastifyContextConfig {
    /** How the answer is found in other regions. Without it, people too are answered in their home region alone. */
    federated?: Federated;
    /** Which rate limit counts the call; `default` when not said, `own` when the route counts its calls itself. */
    limit?: RateLimitClass | 'own';
    /**
     * The answer goes on for as long as the caller may have it. Where a browser can send no header, `ticket` in the query
     * says who calls.
     */
    streams?: boolean;
    /** A form may carry the access token where the call has no header for it (RFC 6750 2.2). */
    formToken?: boolean;
    /** Answered also while calls cannot be counted. */
    answersUncounted?: boolean;
    /** Query parameters that the route does not know are ignored (RFC 6749 3.1, 3.2), not refused. */
    ignoresQuery?: boolean;
    /** `error` is an OAuth code in every refusal (RFC 6749 5.2). */
    oauthErrors?: boolean;
    /** The answer is JSON whatever Accept says. */
    alwaysJson?: boolean;
    /** People open it in a browser: to them a refusal is a page. */
    isPage?: boolean;
    /** The error key of a refusal because the database does not answer; `db.unavailable` when not said. */
    unavailableKey?: ErrorKey;
    /** The error keys that this route may answer beside those of `commonErrors` and `invalidKeys`. */
    errors?: readonly ErrorKey[];
    /** Error keys of their own for some members of the body, by JSON pointer. */
    invalidKeys?: Readonly<Record<string, ErrorKey>>;
  }
}

/** Refuses calls before anything is looked up for them. */
export interface Maintenance {
  /** Why a call is refused; undefined when it is let in. @param route its pattern, empty for an unknown address */
  refusal(method: string, route: string): PlatformError | undefined;
}

/** Refuses no call. */
export const noMaintenance: Maintenance = { refusal: () => undefined };

export interface AdmissionDeps {
  readonly authenticator: Authenticator;
  readonly cookies: Cookies;
  readonly rateLimits: RateLimits;
  readonly failures: FailureLimit;
  readonly regions: Pick<Regions, 'apiUrl' | 'names'>;
  readonly maintenance: Maintenance;
  readonly bodies: BodyAdmission;
}

const ISSUES_MOST = 20;

interface Admission {
  /** Before the body is read. */
  readonly onRequest: onRequestHookHandler;
  /** After that, of a route that takes its token in a form. */
  readonly preValidation?: preValidationAsyncHookHandler;
}

/** What happens to a route's requests before they are handled: authenticate, authorise, limit, negotiate. */
export function admission(route: RouteOptions, deps: AdmissionDeps): Admission {
  const { authenticator, cookies, rateLimits, regions, maintenance, bodies } = deps;
  const { url, config = {} } = route;
  const { access, limit = 'default' } = config;
  const isLimited = limit !== 'own' && rateLimits.limits(limit);
  const checkAddress = addressCheck(route);

  const identify = (request: FastifyRequest): Promise<Principal> => {
    const { authorization, cookie } = request.headers;
    const sessions = authorization === undefined ? sessionsIn(cookie, cookies, access) : [];
    if (sessions.length === 0) return authenticator.authenticate(authorization, request);
    const page = {
      reads: isRead(config, request.method),
      antiForgery: request.headers[ANTI_FORGERY_HEADER],
      // A page that stands open keeps its stream; that alone does not keep its session.
      isUse: config.streams !== true,
    };
    return firstOf(sessions, (session) => authenticator.authenticateCookie(session, page, request));
  };

  const identifyStream = async (request: FastifyRequest): Promise<Principal> => {
    const { ticket } = request.query as { ticket?: unknown };
    request.identify = () => identify(request);
    if (typeof ticket === 'string' && request.headers.authorization === undefined) {
      const claims = await authenticator.takeTicket(ticket, request);
      request.identify = () => authenticator.bearerOf(claims);
    }
    return request.identify();
  };

  const enter = async (request: FastifyRequest) => {
    const principal = await (config.streams ? identifyStream(request) : identify(request));
    // The route's own pattern, not the raw address: no encoding of a path can pass for another.
    authorise(principal, access, url);
    authoriseRole(principal, config, request.method);
    authoriseFactor(principal, config);
    request.principal = principal;
    if (principal.kind === 'person' && config.federated === undefined) refuseBase(regions, principal.home);
    if (isLimited && isCounted(request, principal))
      await rateLimits.consume(limit, countedBy(limit, principal));
  };

  const enterByForm = async (request: FastifyRequest) => {
    const token = formOf(request).get('access_token');
    if (request.principal === null) {
      if (token !== null) request.headers.authorization = `Bearer ${token}`;
      await enter(request);
    } else if (token !== null) {
      throw new PlatformError('invalid_request', { text: 'Send the access token in one way only.' });
    }
  };

  const onRequest: onRequestHookHandler = (request, reply, next) => {
    // Many clients send the content type of a body with a request that has none.
    if (request.headers['content-length'] === '0') delete request.headers['content-type'];
    // Before anything is looked up: a region that is being rebuilt may have nothing to look in.
    // HEAD does what GET does (RFC 9110 9.3.2).
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const refusal = maintenance.refusal(method, url);
    if (refusal !== undefined || request.url.includes('%00')) {
      next(refusal ?? new PlatformError('request.not_found'));
      return;
    }
    if (config.alwaysJson !== true) {
      reply.header('vary', request.headers.origin === undefined ? 'Accept' : 'Accept, Origin');
      if (prefersXml(request.headers.accept)) reply.type('application/xml; charset=utf-8').serializer(asXml);
    }
    const admitBody = () => {
      try {
        checkAddress(request);
        if (request.deadline !== null && request.principal !== null)
          request.deadline.party = accountOf(request.principal);
        bodies.admit(request, reply);
      } catch (error) {
        return next(error as PlatformError);
      }
      next();
    };
    const uncounted = (error: PlatformError) =>
      config.answersUncounted && error.key === 'rate_limit.unavailable' ? admitBody() : next(error);
    const isByForm =
      config.formToken === true && request.headers.authorization === undefined && isForm(request);
    if (isByForm) admitBody();
    else if (access !== 'open') inTime(request, () => enter(request)).then(admitBody, next);
    else if (isLimited) rateLimits.consume(limit, networkOf(request.ip)).then(admitBody, uncounted);
    else admitBody();
  };
  return {
    onRequest,
    ...(config.formToken === true
      ? { preValidation: (request) => inTime(request, () => enterByForm(request)) }
      : {}),
  };
}

/**
 * The sessions of a browser that may ask. One that is signed in to the portal and as a person too has two: what the route is for
 * decides, and where it is for both, the anti-forgery token.
 */
function sessionsIn(
  header: string | undefined,
  cookies: Cookies,
  access: AccessRule | undefined,
): readonly string[] {
  if (header === undefined) return [];
  const forPeople = access?.includes('person');
  const forBoth = forPeople && access?.includes('portal');
  const names = forPeople && !forBoth ? [PERSON_COOKIE, SESSION_COOKIE] : [SESSION_COOKIE, PERSON_COOKIE];
  const found = names.map((name) => cookies.read(header, name)).filter((value) => value !== undefined);
  return forBoth ? found : found.slice(0, 1);
}

/** The first of two sessions that is good, and to which the anti-forgery token belongs; else why the first is refused. */
async function firstOf(
  [session, ...others]: readonly string[],
  authenticate: (session: string) => Promise<Principal>,
): Promise<Principal> {
  try {
    return await authenticate(session ?? '');
  } catch (error) {
    for (const other of others) {
      const principal = await authenticate(other).catch(() => undefined);
      if (principal !== undefined) return principal;
    }
    throw error;
  }
}

/** What costs the platform much is counted for a company, whatever number of clients and logins it has. */
function countedBy(limit: RateLimitClass, principal: Principal): string {
  return (limit === 'templates' ? accountOf(principal) : undefined) ?? callerId(principal);
}

/** A forwarded call was counted by the region that forwards it. The operator ends outages, also one of the limit store. */
export function isCounted(request: FastifyRequest, principal: Principal): boolean {
  return principal.kind !== 'operator' && !isForwarded(request);
}

/**
 * Checks of the address that the framework does not make: a part that is empty is the address of nothing, and a query
 * parameter without a meaning is a mistake that its sender should hear of.
 * @returns a function that throws request.not_found or request.invalid
 */
function addressCheck({ url, config = {}, schema }: RouteOptions) {
  const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object };
  const hasParts = url.includes('/:');
  return (request: FastifyRequest): void => {
    if (hasParts && Object.values(request.params as object).includes(''))
      throw new PlatformError('request.not_found');
    if (config.ignoresQuery === true || !request.url.includes('?')) return;
    const unknown = Object.keys(request.query as object).filter((name) => !Object.hasOwn(properties, name));
    if (unknown.length === 0) return;
    const issues = unknown
      .slice(0, ISSUES_MOST)
      .map((name) => ({ path: `/${name}`, message: 'is not a parameter this address takes' }));
    throw new PlatformError('request.invalid', { details: { issues } });
  };
}
