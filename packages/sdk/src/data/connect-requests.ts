import type { SendConnectRequest, SentConnectRequest } from '@symbolon/protocol';
import type { Api } from '../http/api.ts';

/** Asks people to connect to the service (wire 12.3): `connectRequests` of a data client. */
export class ConnectRequests {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Asks the person with a share code. The outcome is an event with this id: `connection_request_accepted` or
   * `connection_request_rejected`. While the request is open, another call gives it again.
   *
   * @throws NotFoundError `company_connections.not_found`; ConflictError `company_connections.exists`,
   * `company_connections.request_cap`
   */
  async send(shareCode: string, signal?: AbortSignal): Promise<{ id: string }> {
    const json: SendConnectRequest = { share_code: shareCode };
    const call = { method: 'POST', path: '/api/company-data/connect-requests', idempotent: true } as const;
    const { request_id } = await this.#api.json<SentConnectRequest>({ ...call, json, signal });
    return { id: request_id };
  }
}
