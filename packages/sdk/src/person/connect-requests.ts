import type {
  BlockedService,
  BlockedServiceList,
  PersonConnection,
  PersonConnectRequest,
  PersonConnectRequestList,
} from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import { ShownOwners } from '../known-keys/shown-owners.ts';
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
    options: { members: object; isNew: boolean },
  ) => Promise<PersonConnection>;
};

/** Services that ask for a connection (wire 12.3): `connectRequests` of a person client. */
export class PersonConnectRequests {
  readonly #parts: Parts;
  readonly #shown = new ShownOwners();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What waits, oldest first. */
  async pending(): Promise<PersonConnectRequest[]> {
    const call = { method: 'GET', path: REQUESTS } as const;
    const { connect_requests: requests } = await this.#parts.api.json<PersonConnectRequestList>(call);
    for (const request of requests) this.#shown.show(request.request_id, codesOf(request));
    return requests;
  }

  /**
   * Connects to the service that asks. What it asks for is in `lookup` of the client, by the codes of the request.
   *
   * @param id of a request that {@link pending} of this client has shown: nothing is sealed to another service. By an id that it has not
   *   shown, only a service whose key is known gets something
   * @param proof for a service that wants two factors
   * @throws NotFoundError `connect_requests.not_found`; UnconfirmedKeyError `sdk.owner_changed` when it is of another service than was shown; and what `connect` of the client throws
   */
  async accept(id: string, answers: Answers = {}, proof?: PersonProof): Promise<PersonConnection> {
    const { api, presence, send } = this.#parts;
    const address = REQUESTS + path`/${id}`;
    const asked = await api.json<PersonConnectRequest>({ method: 'GET', path: address });
    const codes = codesOf(asked);
    const isNew = this.#shown.check(id, codes, 'connect_request');
    const members = proof === undefined ? {} : { proof: await presence.prove(`connect ${codes}`, proof) };
    return send(`${address}/accept`, asked, answers, { members, isNew });
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

const codesOf = ({ company, service }: Pick<PersonConnectRequest, 'company' | 'service'>) =>
  `${company.company_code}/${service.share_code}`;
