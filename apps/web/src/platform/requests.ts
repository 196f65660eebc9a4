import type {
  BlockedService,
  BlockedServiceList,
  Decision,
  Lookup,
  PersonConnection,
  PersonConnectRequest,
  PersonConnectRequestList,
} from '@symbolon/protocol';
import { call } from './inner/api.ts';
import type { Proof } from './presence.ts';
import { keys, type Query } from './queries.ts';

/** A service that asks for a connection. */
export type ConnectRequest = PersonConnectRequest;
export type Blocked = BlockedService;
export type Wanted = Lookup;

const REQUESTS = '/api/person/connect-requests';
const BLOCKED = '/api/person/blocked-services';
const at = (id: string, act = '') => `${REQUESTS}/${encodeURIComponent(id)}${act}`;

export const openRequests: Query<ConnectRequest[]> = {
  key: keys.requests,
  read: async () => (await call<PersonConnectRequestList>('GET', REQUESTS)).connect_requests,
};

/** A request with what the service asks of people, and the key that answers are sealed to. */
export interface Asking {
  readonly request: ConnectRequest;
  readonly wanted: Wanted;
}

/** The read throws NotFoundError `connect_requests.not_found` when it is not open any more. */
export const askingQuery = (id: string): Query<Asking> => ({
  key: keys.request(id),
  async read() {
    const request: ConnectRequest = await call('GET', at(id));
    const codes = [request.company.company_code, request.service.share_code];
    const wanted: Wanted = await call('GET', `/api/person/lookup/${codes.map(encodeURIComponent).join('/')}`);
    return { request, wanted };
  },
});

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

export const blockedServices: Query<Blocked[]> = {
  key: keys.blocked,
  read: async () => (await call<BlockedServiceList>('GET', BLOCKED)).blocked_services,
};

export const unblock = ({ service }: Blocked): Promise<void> =>
  call('DELETE', `${BLOCKED}/${encodeURIComponent(service.id)}`);
