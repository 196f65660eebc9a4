import type { Company, OAuthApp, Service, Webhook } from '@symbolon/protocol';
import type { ApiClient } from '@symbolon/sdk/account';
import { pathOf, rowsOf } from '../resources/find.ts';
import { sendable } from '../resources/rows.ts';
import type { Members } from '../resources/structured-file.ts';
import { FINDERS } from '../resources/table/finders.ts';
import type { Finder } from '../resources/table/types.ts';

/** Rows that are published whole, as they may be sent, and the token under which they were read. */
export type PresentRows = { token: string; rows: Members[] };
export type RowsMember = 'request_fields' | 'share_fields';

/** Reads what is there. */
export class Present {
  readonly api: ApiClient;

  constructor(api: ApiClient) {
    this.api = api;
  }

  async companyCode(): Promise<string> {
    return (await this.#get<Company>('GET /api/account')).company_code;
  }

  async services(): Promise<Service[]> {
    return (await rowsOf(this.api, FINDERS.service as Finder, {})) as unknown as Service[];
  }

  async rows(service: string, member: RowsMember): Promise<PresentRows> {
    const config = await this.#get<Members>(
      member === 'request_fields'
        ? 'GET /api/services/{service}/request-fields'
        : 'GET /api/services/{service}/share-fields',
      service,
    );
    return { token: String(config.config_token), rows: (config[member] as Members[]).map(sendable) };
  }

  async webhooks(service: string): Promise<Webhook[]> {
    type Body = { webhooks: Webhook[] };
    return (await this.#get<Body>('GET /api/services/{service}/webhooks', service)).webhooks;
  }

  async apps(): Promise<OAuthApp[]> {
    return (await this.#get<{ oauth_apps: OAuthApp[] }>('GET /api/account/oauth-apps')).oauth_apps;
  }

  #get<T>(call: string, service = ''): Promise<T> {
    return this.api.json<T>({ method: 'GET', path: pathOf(call, { service }) });
  }
}
