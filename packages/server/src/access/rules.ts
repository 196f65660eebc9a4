import type { ErrorKey, RateLimitClass } from '@symbolon/protocol';
import type { FastifyInstance } from 'fastify';
import { PlatformError } from '../errors.ts';
import type { CallerKind, Principal } from './principal.ts';

/** Who may call a route: anyone, or callers of the kinds named. A route that says nothing does not start. */
export type AccessRule = 'open' | readonly CallerKind[];

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: AccessRule;
    /** Which rate limit counts the call; `default` when not said. */
    limit?: RateLimitClass;
    /** The answer is JSON whatever Accept says. */
    alwaysJson?: boolean;
    /** Error keys of their own for some members of the body, by JSON pointer. */
    invalidKeys?: Readonly<Record<string, ErrorKey>>;
  }
}

/** Refuses to start with a route that has no access rule: deny by default. */
export function requireAccessRules(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) {
      throw new Error(`Route ${String(route.method)} ${route.url} declares no access rule.`);
    }
  });
}

/**
 * Whether a principal may call a route. Machine clients also need the path on their whitelist; anything else there is
 * the one refusal of spec 5.3.
 * @throws {PlatformError} auth.client_endpoint_forbidden, auth.forbidden
 */
export function authorise(principal: Principal, rule: AccessRule | undefined, path: string): void {
  if (principal.kind === 'data_client' || principal.kind === 'account_client') {
    const allowed = principal.endpoints.some((pattern) => matchesEndpoint(pattern, path));
    if (!allowed || (rule !== undefined && rule !== 'open' && !rule.includes(principal.kind))) {
      throw new PlatformError('auth.client_endpoint_forbidden');
    }
    return;
  }
  if (rule !== undefined && rule !== 'open' && !rule.includes(principal.kind)) {
    throw new PlatformError('auth.forbidden');
  }
}

/** Glob of a whitelist: a trailing `*` stands for any rest, everything else for itself (spec 5.3). */
export function matchesEndpoint(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
