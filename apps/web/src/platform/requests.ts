import type {
  BlockedService,
  BlockedServiceList,
  Decision,
  Lookup,
  PersonConnection,
  PersonConnectRequest,
  PersonConnectRequestList,
} from '@symbolon/protocol';
import { call } from './api.ts';
import type { Proof } from './presence.ts';

/** A service that asks for a connection. */
export type ConnectRequest = PersonConnectRequest;
export type Blocked = BlockedService;
export type Wanted = Lookup;

const REQUESTS = '/api/person/connect-requests';
const BLOCKED = '/api/person/blocked-services';
const at = (id: string, act = '') => `${REQUESTS}/${encodeURIComponent(id)}${act}`;

export async function openRequests(): Promise<ConnectRequest[]> {
  return (await call<PersonConnectRequestList>('GET', REQUESTS)).connect_requests;
}

/** @throws NotFoundError `connect_requests.not_found` when it is not open any more */
export function connectRequest(id: string): Promise<ConnectRequest> {
  return call('GET', at(id));
}

/** What the service asks of people, and the key that answers are sealed to. */
export function wantedBy({ company, service }: ConnectRequest): Promise<Wanted> {
  const codes = [company.company_code, service.share_code].map(encodeURIComponent).join('/');
  return call('GET', `/api/person/lookup/${codes}`);
}

/** Connects. @throws ForbiddenError `connections.two_factor_required` without a proof, where the service wants one */
export function accept(
  { request_id: id }: ConnectRequest,
  decisions: readonly Decision[],
  proof?: Proof,
): Promise<PersonConnection> {
  return call('POST', at(id, '/accept'), { decisions, ...(proof && { proof }) });
}

/** What a proof for accepting is made for. */
export function actOf({ company, service }: ConnectRequest): string {
  return `connect ${company.company_code}/${service.share_code}`;
}

export const reject = ({ request_id: id }: ConnectRequest): Promise<void> => call('POST', at(id, '/reject'));
/** Hides what the service asks, this and all that comes. The service is not told. */
export const block = ({ request_id: id }: ConnectRequest): Promise<void> => call('POST', at(id, '/block'));

export async function blockedServices(): Promise<Blocked[]> {
  return (await call<BlockedServiceList>('GET', BLOCKED)).blocked_services;
}

export const unblock = ({ service }: Blocked): Promise<void> =>
  call('DELETE', `${BLOCKED}/${encodeURIComponent(service.id)}`);
