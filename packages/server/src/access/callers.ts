import type { FastifyRequest } from 'fastify';
import { PlatformError } from '../errors.ts';
import type { Actor } from '../features/audit/audit.ts';
import type { Principal } from './principal.ts';

/** The company a portal session or an account client acts for. */
export function companyOf(request: FastifyRequest): string {
  const { principal } = request;
  if (principal?.kind !== 'portal' && principal?.kind !== 'account_client')
    throw new PlatformError('auth.forbidden');
  return principal.companyId;
}

/** Who acts for the company, as its audit log names them. */
export function actorOf(request: FastifyRequest): Actor {
  const { principal } = request;
  const source = request.ip;
  if (principal?.kind === 'portal')
    return { kind: 'portal', id: principal.loginId, name: principal.email, source };
  if (principal?.kind === 'account_client') return { kind: 'account_client', id: principal.clientId, source };
  throw new PlatformError('auth.forbidden');
}

/** Whoever is signed in to the portal. */
export function loginOf(request: FastifyRequest): Extract<Principal, { kind: 'portal' }> {
  if (request.principal?.kind !== 'portal') throw new PlatformError('auth.forbidden');
  return request.principal;
}

/** The person who calls. */
export function personOf(request: FastifyRequest): string {
  if (request.principal?.kind !== 'person') throw new PlatformError('auth.forbidden');
  return request.principal.personId;
}

/** The data client that calls: its token scopes every call to one service (spec 2.1). */
export function dataClientOf(request: FastifyRequest): Extract<Principal, { kind: 'data_client' }> {
  if (request.principal?.kind !== 'data_client') throw new PlatformError('auth.client_endpoint_forbidden');
  return request.principal;
}
