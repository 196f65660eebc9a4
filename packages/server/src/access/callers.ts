import type { FastifyRequest } from 'fastify';
import { PlatformError } from '../core/errors.ts';
import type { Peer } from './peers.ts';
import type { Principal } from './principal.ts';

/** The company a portal session or an account client acts for. */
export function companyOf(request: FastifyRequest): string {
  const { principal } = request;
  if (principal?.kind !== 'portal' && principal?.kind !== 'account_client')
    throw new PlatformError('auth.forbidden');
  return principal.companyId;
}

/** A call whose route names a service by `:id`. */
export type OfService = FastifyRequest & { readonly params: { readonly id: string } };

/** The service that a route names, of the company a portal session or an account client acts for. Whether it exists is not asked. */
export const namedService = (request: OfService) => ({
  companyId: companyOf(request),
  serviceId: request.params.id,
});

declare module 'fastify' {
  interface FastifyRequest {
    /** The region that sent the call, once its token was found good. */
    peer: Peer | null;
  }
}

/** Whether another region sent the call on, for a caller it had let in. */
export function isForwarded(request: FastifyRequest): boolean {
  return request.peer !== null;
}

/** By this header a region that sends a call on says where it came from. */
export const SOURCE_HEADER = 'x-symbolon-source';

/** The address that the caller called from, whichever region that was. */
export function sourceOf(request: FastifyRequest): string {
  const told = isForwarded(request) ? request.headers[SOURCE_HEADER] : undefined;
  return typeof told === 'string' ? told : request.ip;
}

/** Who acts for a company through a call. */
export interface CompanyActor {
  readonly kind: 'portal' | 'account_client';
  /** The login's or the client's id. */
  readonly id: string;
  /** The login's e-mail address. */
  readonly name?: string;
  /** The address the call came from. */
  readonly source: string;
}

/** Who acts for the company, as its audit log names them. */
export function actorOf(request: FastifyRequest): CompanyActor {
  const { principal } = request;
  const source = sourceOf(request);
  if (principal?.kind === 'portal')
    return { kind: 'portal', id: principal.loginId, name: principal.email, source };
  if (principal?.kind === 'account_client') return { kind: 'account_client', id: principal.clientId, source };
  throw new PlatformError('auth.forbidden');
}

/** The portal session that calls. */
export function loginOf(request: FastifyRequest): Extract<Principal, { kind: 'portal' }> {
  if (request.principal?.kind !== 'portal') throw new PlatformError('auth.forbidden');
  return request.principal;
}

/** The person who calls. */
export function personPrincipalOf(request: FastifyRequest): Extract<Principal, { kind: 'person' }> {
  if (request.principal?.kind !== 'person') throw new PlatformError('auth.forbidden');
  return request.principal;
}

export const personOf = (request: FastifyRequest): string => personPrincipalOf(request).personId;

/** The data client that calls: its token scopes every call to one service (wire 2.1). */
export function dataClientOf(request: FastifyRequest): Extract<Principal, { kind: 'data_client' }> {
  if (request.principal?.kind !== 'data_client') throw new PlatformError('auth.client_endpoint_forbidden');
  return request.principal;
}
