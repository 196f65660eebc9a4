import {
  createDataClient,
  createService,
  registerCompany,
  type TestService,
  tokenForm,
} from '@symbolon/testkit/actors/actors';
import { type Receiver, startReceiver } from '@symbolon/testkit/servers/receiver';
import { Caller, type Record } from './caller.ts';
import { editOf } from './people.ts';

interface Event {
  readonly event: string;
  readonly id: string;
  readonly person_user_id: string;
  readonly value?: string;
}

/** What a company has heard of a person over one channel. */
export interface Heard {
  /** The edits whose values came, in the order of their coming. */
  readonly edits: number[];
  readonly created: number;
}

/** A company with a service, a data client that drains the feed, and a webhook. */
export class Company {
  readonly service: TestService;
  readonly portal: Caller;
  readonly machine: Caller;
  readonly fed: Event[] = [];
  readonly posted: Event[] = [];
  #endpoint!: Receiver;
  /** The highest edit that was read of a connection: it never falls. */
  readonly #read = new Map<string, number>();
  renames = 0;

  private constructor(service: TestService, portal: Caller, machine: Caller) {
    this.service = service;
    this.portal = portal;
    this.machine = machine;
  }

  /** @param bases the region it registers in, and the front door its machine asks for tokens */
  static async register(record: Record, bases: { region: string; frontDoor: string }): Promise<Company> {
    const portal = new Caller({ record, base: bases.region });
    const rows = [{ slug: 'name', label: 'Name', type: 'text' }];
    const service = await createService(portal, await registerCompany(portal), rows);
    const { clientId, clientSecret } = await createDataClient(portal, service);
    const door = new Caller({ record, base: bases.frontDoor });
    const renew = async () => {
      const { body } = await door.call('POST', '/oauth2/token', tokenForm(clientId, clientSecret));
      return { base: body.api_url as string, token: body.access_token as string };
    };
    const machine = new Caller({ record, ...(await renew()), renew });
    const company = new Company(service, portal, machine);
    company.#endpoint = await startReceiver((_request, told, response) => {
      company.posted.push(JSON.parse(told.toString()) as Event);
      response.end();
    });
    const { url } = company.#endpoint;
    await portal.call('POST', `/api/services/${service.id}/webhooks`, {
      ...{ url, format: 'json', auth_type: 'none' },
    });
    return company;
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
    await this.portal.call('PUT', `/api/services/${this.service.id}`, { name });
    this.renames++;
  }

  async serviceName(): Promise<string> {
    return (await this.portal.call('GET', `/api/services/${this.service.id}`)).body.name;
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
