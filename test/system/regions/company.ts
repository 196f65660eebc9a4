import { randomBytes } from 'node:crypto';
import { portalAccount } from '@symbolon/testkit/actors/accounts';
import { type Receiver, startReceiver } from '@symbolon/testkit/servers/receiver';
import { Caller, type Record } from './caller.ts';
import { editOf, type Shop } from './people.ts';

interface Event {
  readonly event: string;
  readonly id: string;
  readonly person_user_id: string;
  readonly value?: string;
}

/** The keys all companies share: making one takes longer than the test. */
export interface Keys {
  readonly publicKey: string;
  readonly privateKey: Uint8Array<ArrayBuffer>;
  readonly serviceKey: object;
}

/** What a company has heard of a person over one channel. */
export interface Heard {
  /** The edits whose values came, in the order of their coming. */
  readonly edits: number[];
  readonly created: number;
}

/** A company with a service, a data client that drains the feed, and a webhook. */
export class Company implements Shop {
  readonly id: string;
  readonly companyCode: string;
  readonly serviceCode: string;
  readonly serviceId: string;
  readonly rowId: string;
  readonly portal: Caller;
  readonly machine: Caller;
  readonly fed: Event[] = [];
  readonly posted: Event[];
  readonly #endpoint: Receiver;
  /** The highest edit that was read of a connection: it never falls. */
  readonly #read = new Map<string, number>();
  renames = 0;

  private constructor(parts: {
    id: string;
    companyCode: string;
    serviceCode: string;
    serviceId: string;
    rowId: string;
    portal: Caller;
    machine: Caller;
    endpoint: Receiver;
    posted: Event[];
  }) {
    this.id = parts.id;
    this.companyCode = parts.companyCode;
    this.serviceCode = parts.serviceCode;
    this.serviceId = parts.serviceId;
    this.rowId = parts.rowId;
    this.portal = parts.portal;
    this.machine = parts.machine;
    this.#endpoint = parts.endpoint;
    this.posted = parts.posted;
  }

  /** @param bases the region it registers in, and the front door its machine asks for tokens */
  static async register(
    record: Record,
    bases: { region: string; frontDoor: string },
    keys: Keys,
  ): Promise<Company> {
    const portal = new Caller({ record, base: bases.region });
    const { body: registered } = await portal.call('POST', '/api/portal/register', {
      email: `${randomBytes(8).toString('hex')}@example.com`,
      account: portalAccount(keys.publicKey),
    });
    portal.token = registered.token;
    const { body: service } = await portal.call('POST', '/api/services', {
      name: 'Shop',
      admin_email: 'admin@example.com',
      public_key: keys.publicKey,
      encrypted_private_key: keys.serviceKey,
    });
    const path = `/api/services/${service.id}`;
    const { body: config } = await portal.call('GET', `${path}/request-fields`);
    const { body: published } = await portal.call('PUT', `${path}/request-fields`, {
      config_token: config.config_token,
      request_fields: [{ slug: 'name', label: 'Name', type: 'text' }],
    });
    const posted: Event[] = [];
    const endpoint = await startReceiver((_request, told, response) => {
      posted.push(JSON.parse(told.toString()) as Event);
      response.end();
    });
    await portal.call('POST', `${path}/webhooks`, {
      url: endpoint.url,
      format: 'json',
      auth_type: 'none',
    });
    const { body: client } = await portal.call('POST', `${path}/client`);
    const door = new Caller({ record, base: bases.frontDoor });
    const renew = async () => {
      const { body } = await door.call(
        'POST',
        '/oauth2/token',
        new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: client.client_id,
          client_secret: client.client_secret,
        }),
      );
      return { base: body.api_url as string, token: body.access_token as string };
    };
    const granted = await renew();
    return new Company({
      id: registered.company.company_user_id,
      companyCode: registered.company.company_code,
      serviceCode: service.share_code,
      serviceId: service.id,
      rowId: published.request_fields[0].id,
      portal,
      machine: new Caller({ record, ...granted, renew }),
      endpoint,
      posted,
    });
  }

  /** Takes what the feed has; gives how many events that were. */
  async drain(): Promise<number> {
    const { body } = await this.machine.call('GET', '/api/company-data/changes?limit=50');
    this.fed.push(...body.changes);
    return body.changes.length;
  }

  /** Reads a connection: what was read once is never older the next time. */
  async read(connectionId: string): Promise<number> {
    const { body } = await this.machine.call('GET', `/api/company-data/connections/${connectionId}`);
    const edit = editOf(body.values.name.value);
    const before = this.#read.get(connectionId) ?? 0;
    if (edit < before)
      throw new Error(`Connection ${connectionId} went from edit ${before} back to ${edit}.`);
    this.#read.set(connectionId, edit);
    return edit;
  }

  async connectionIds(): Promise<string[]> {
    const { body } = await this.machine.call('GET', '/api/company-data/connections?limit=500');
    return body.items.map((item: { connection_id: string }) => item.connection_id);
  }

  /** A write of the portal, over and over. */
  async rename(): Promise<void> {
    const name = `Shop ${this.renames + 1}`;
    await this.portal.call('PUT', `/api/services/${this.serviceId}`, { name });
    this.renames++;
  }

  async serviceName(): Promise<string> {
    return (await this.portal.call('GET', `/api/services/${this.serviceId}`)).body.name;
  }

  heardOnFeed(personId: string): Heard {
    return heardOf(this.fed, personId);
  }

  heardByWebhook(personId: string): Heard {
    return heardOf(this.posted, personId);
  }

  stop(): Promise<void> {
    return this.#endpoint.stop();
  }
}

function heardOf(events: readonly Event[], personId: string): Heard {
  const own = events.filter((event) => event.person_user_id === personId);
  return {
    edits: own.flatMap((event) => (event.event === 'field_updated' ? [editOf(event.value ?? '')] : [])),
    created: own.filter((event) => event.event === 'connection_created').length,
  };
}
