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

/** The codes that a company gives to people: its own, and that of a service. */
export interface Codes {
  readonly company: string;
  readonly service: string;
  /** The beginning of the fingerprint of the service's key, where they stand in a link that has it. */
  readonly key?: string | undefined;
}

export const codesOf = ({ company, service }: Pick<ConnectRequest, 'company' | 'service'>): Codes => ({
  company: company.company_code,
  service: service.share_code,
});

function lookup({ company, service }: Codes): Promise<Wanted> {
  return call('GET', `/api/person/lookup/${encodeURIComponent(company)}/${encodeURIComponent(service)}`);
}

/** The service with these codes, and what it asks. The read throws NotFoundError where there is none. */
export const wantedQuery = (codes: Codes): Query<Wanted> => ({
  key: keys.wanted(codes.company, codes.service),
  read: () => lookup(codes),
});

/** Connects with a service. @throws ForbiddenError `connections.two_factor_required` without a proof, where the service wants one */
export function connect(
  { company, service }: Wanted,
  decisions: readonly Decision[],
  proof?: Proof,
): Promise<PersonConnection> {
  return call('POST', '/api/person/connections', {
    company_code: company.company_code,
    service_code: service.share_code,
    decisions,
    ...(proof && { proof }),
  });
}

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
    return { request, wanted: await lookup(codesOf(request)) };
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
export function actOf({ company, service }: Pick<Wanted, 'company' | 'service'>): string {
  return `connect ${company.company_code}/${service.share_code}`;
}

export const reject = ({ request_id: id }: ConnectRequest): Promise<void> => call('POST', at(id, '/reject'));
/** Hides what the service asks, this and all that comes. The service is not notified. */
export const block = ({ request_id: id }: ConnectRequest): Promise<void> => call('POST', at(id, '/block'));

export const blockedServices: Query<Blocked[]> = {
  key: keys.blocked,
  read: async () => (await call<BlockedServiceList>('GET', BLOCKED)).blocked_services,
};

export const unblock = ({ service }: { service: { id: string } }): Promise<void> =>
  call('DELETE', `${BLOCKED}/${encodeURIComponent(service.id)}`);
