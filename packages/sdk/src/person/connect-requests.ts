import type {
  BlockedService,
  BlockedServiceList,
  PersonConnection,
  PersonConnectRequest,
  PersonConnectRequestList,
} from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import type { Answers } from './decisions.ts';
import type { PersonPresence, PersonProof } from './presence.ts';

const REQUESTS = '/api/person/connect-requests';
const BLOCKED = '/api/person/blocked-services';

type Parts = {
  api: Api;
  presence: PersonPresence;
  /** Seals answers for the service that asks, and sends them. */
  send: (
    address: string,
    asked: Pick<PersonConnectRequest, 'company' | 'service'>,
    answers: Answers,
    members: object,
  ) => Promise<PersonConnection>;
};

/** Services that ask for a connection (wire 12.3): `connectRequests` of a person client. */
export class PersonConnectRequests {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What waits, oldest first. */
  async pending(): Promise<PersonConnectRequest[]> {
    return (await this.#parts.api.json<PersonConnectRequestList>({ method: 'GET', path: REQUESTS }))
      .connect_requests;
  }

  /**
   * Connects to the service that asks. What it asks for is in `lookup` of the client, by the codes of the request.
   *
   * @param proof for a service that wants two factors
   * @throws NotFoundError `connect_requests.not_found`; and what `connect` of the client throws
   */
  async accept(id: string, answers: Answers = {}, proof?: PersonProof): Promise<PersonConnection> {
    const { api, presence, send } = this.#parts;
    const address = REQUESTS + path`/${id}`;
    const asked = await api.json<PersonConnectRequest>({ method: 'GET', path: address });
    const act = `connect ${asked.company.company_code}/${asked.service.share_code}`;
    const members = proof === undefined ? {} : { proof: await presence.prove(act, proof) };
    return send(`${address}/accept`, asked, answers, members);
  }

  /** @throws NotFoundError `connect_requests.not_found` */
  reject(id: string): Promise<void> {
    return this.#parts.api.done({ method: 'POST', path: REQUESTS + path`/${id}/reject` });
  }

  /** Hides this request and all that the service sends. The service is not notified. */
  block(id: string): Promise<void> {
    return this.#parts.api.done({ method: 'POST', path: REQUESTS + path`/${id}/block` });
  }

  async blocked(): Promise<BlockedService[]> {
    return (await this.#parts.api.json<BlockedServiceList>({ method: 'GET', path: BLOCKED }))
      .blocked_services;
  }

  /** @throws NotFoundError `connect_requests.not_blocked` */
  unblock(serviceId: string): Promise<void> {
    return this.#parts.api.done({ method: 'DELETE', path: BLOCKED + path`/${serviceId}` });
  }
}
