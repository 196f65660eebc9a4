import type { FastifyRequest } from 'fastify';
import { PlatformError } from '../errors.ts';
import type { Principal } from './principal.ts';

/** The company a portal session or an account client acts for. */
export function companyOf(request: FastifyRequest): string {
  const { principal } = request;
  if (principal?.kind !== 'portal' && principal?.kind !== 'account_client')
    throw new PlatformError('auth.forbidden');
  return principal.companyId;
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
