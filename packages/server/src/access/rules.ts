import { type PortalRole, portalOnlyPatterns, portalRoles } from '@symbolon/protocol';
import type { RouteOptions } from 'fastify';
import { PlatformError } from '../core/errors.ts';
import type { CallerKind, Principal } from './principal.ts';

/** Who may call a route: anyone, or callers of the kinds named. A route that says nothing does not start. */
export type AccessRule = 'open' | readonly CallerKind[];

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: AccessRule;
    /** The least role that may call it from the portal; see `neededRole` for when it is not said. */
    role?: PortalRole;
    /** A portal login may call it before it has the second factor that its company requires. */
    withoutSecondFactor?: boolean;
    /** A GET with side effects: the checks of role and anti-forgery token are those of a write. */
    drains?: boolean;
  }
}

/** Refuses to start with a route that has no access rule: deny by default. */
export function requireAccessRule({ method, url, config }: RouteOptions): void {
  if (config?.access === undefined) throw new Error(`Route ${method} ${url} declares no access rule.`);
  if (url.startsWith('/internal/') && String(config.access) !== 'peer') {
    throw new Error(`Route ${method} ${url} is for other regions alone.`);
  }
}

/**
 * Whether a principal may call a route. Machine clients also need the path on their whitelist; anything else there is
 * the one refusal of wire 5.3.
 * @throws {PlatformError} auth.client_endpoint_forbidden, auth.forbidden
 */
export function authorise(principal: Principal, rule: AccessRule | undefined, path: string): void {
  if (principal.kind === 'data_client' || principal.kind === 'account_client') {
    const allowed =
      principal.endpoints.some((pattern) => matchesEndpoint(pattern, path)) &&
      // Whatever a stored whitelist came to hold: these open to a portal login alone (wire 5.5).
      !(
        principal.kind === 'account_client' &&
        portalOnlyPatterns.some((pattern) => matchesEndpoint(pattern, path))
      );
    if (!allowed || (rule !== undefined && rule !== 'open' && !rule.includes(principal.kind))) {
      throw new PlatformError('auth.client_endpoint_forbidden');
    }
    return;
  }
  if (rule !== undefined && rule !== 'open' && !rule.includes(principal.kind)) {
    throw new PlatformError('auth.forbidden');
  }
}

/** Whether a call leaves everything as it is. */
export function isRead(config: { drains?: boolean }, method: string): boolean {
  return (method === 'GET' || method === 'HEAD') && config.drains !== true;
}

/** The least role that may call a route. Every login of the company may read; changes need a developer. */
export function neededRole(config: { role?: PortalRole; drains?: boolean }, method: string): PortalRole {
  return config.role ?? (isRead(config, method) ? 'viewer' : 'developer');
}

/**
 * Checks that a portal login has the role that a route needs, and that an operator's token that only reads does.
 * @throws {PlatformError} auth.role_forbidden
 */
export function authoriseRole(
  principal: Principal,
  config: { role?: PortalRole; drains?: boolean },
  method: string,
): void {
  if (principal.kind === 'portal' && !hasRole(principal.role, neededRole(config, method))) {
    throw new PlatformError('auth.role_forbidden');
  }
  if (principal.kind === 'operator' && !principal.mayAct && !isRead(config, method)) {
    throw new PlatformError('auth.role_forbidden', {
      text: 'This operator token only reads. Acts take the other one.',
    });
  }
}

/**
 * Checks that a portal login has the second factor that its company requires.
 * @throws {PlatformError} auth.second_factor_missing
 */
export function authoriseFactor(principal: Principal, config: { withoutSecondFactor?: boolean }): void {
  if (principal.kind === 'portal' && principal.lacksFactor && config.withoutSecondFactor !== true) {
    throw new PlatformError('auth.second_factor_missing');
  }
}

/** An unknown role has no rights. */
export function hasRole(role: PortalRole, needed: PortalRole): boolean {
  return portalRoles.indexOf(role) >= portalRoles.indexOf(needed);
}

/** Glob of a whitelist: a trailing `*` stands for any rest, everything else for itself (wire 5.3). */
export function matchesEndpoint(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
