import { randomBytes } from 'node:crypto';
import { personAccount } from '@symbolon/testkit/actors/accounts';
import { Caller, type Record } from './caller.ts';

const base64 = (bytes: number) => randomBytes(bytes).toString('base64');

/** Shaped like a sealed value; which edit it belongs to stands where the ciphertext would. */
export function wrapperOf(edit: number): string {
  const text = Buffer.concat([Buffer.from(`edit ${edit} `), randomBytes(24)]);
  return JSON.stringify({ _enc: 1, k: base64(256), iv: base64(12), d: text.toString('base64') });
}

/** The edit whose value a wrapper holds. */
export function editOf(wrapper: string): number {
  const { d } = JSON.parse(wrapper) as { d: string };
  return Number(/^edit (\d+) /.exec(Buffer.from(d, 'base64').toString('latin1'))?.[1]);
}

export interface Shop {
  readonly companyCode: string;
  readonly serviceCode: string;
  readonly rowId: string;
}

/** A person with one field, which services follow and which changes all the time. */
export class Person {
  readonly id: string;
  readonly #caller: Caller;
  readonly #fieldId: string;
  /** How many edits were acknowledged; the value of each is its number. */
  edits = 0;
  #connected = 0;

  private constructor(parts: { id: string; caller: Caller; fieldId: string }) {
    this.id = parts.id;
    this.#caller = parts.caller;
    this.#fieldId = parts.fieldId;
  }

  static async register(record: Record, base: string, publicKey: string): Promise<Person> {
    const caller = new Caller({ record, base });
    const { body } = await caller.call('POST', '/api/person/register', {
      email: `${randomBytes(8).toString('hex')}@example.com`,
      account: personAccount(publicKey),
    });
    caller.token = body.access_token;
    const field = await caller.call('POST', '/api/person/fields', {
      type: 'text',
      slug: 'name',
      label: 'Name',
      value: wrapperOf(0),
    });
    return new Person({ id: body.person.person_user_id, caller, fieldId: field.body.id });
  }

  /** Gives the connection's id. */
  async connect(shop: Shop): Promise<string> {
    const { body } = await this.#caller.call('POST', '/api/person/connections', {
      company_code: shop.companyCode,
      service_code: shop.serviceCode,
      decisions: [
        { request_field_id: shop.rowId, kind: 'live', field_id: this.#fieldId, value: wrapperOf(this.edits) },
      ],
    });
    this.#connected++;
    return body.connection_id;
  }

  /** One edit, with a copy for every service that follows the field. */
  async edit(): Promise<void> {
    const path = `/api/person/fields/${this.#fieldId}`;
    const next = this.edits + 1;
    for (;;) {
      const { body } = await this.#caller.call('GET', `${path}/slots`);
      const copies = body.slots.map((slot: { connection_id: string; request_field_id: string }) => ({
        connection_id: slot.connection_id,
        request_field_id: slot.request_field_id,
        value: wrapperOf(next),
      }));
      // Slots may come and go between the two calls.
      const { status } = await this.#caller.call(
        'PUT',
        path,
        { value: wrapperOf(next), copies },
        [200, 400, 409],
      );
      if (status === 200) break;
    }
    this.edits = next;
  }

  /** All of them, once, wherever their companies are at the moment. */
  async connections(): Promise<void> {
    const { body } = await this.#caller.call('GET', '/api/person/connections');
    const ids = body.connections.map((connection: { connection_id: string }) => connection.connection_id);
    if (new Set(ids).size !== this.#connected || ids.length !== this.#connected) {
      throw new Error(`${ids.length} of ${this.#connected} connections are listed.`);
    }
  }
}
