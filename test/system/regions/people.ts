import { markedValue, markOf } from '@symbolon/testkit/actors/accounts';
import { createField, registerPerson, type TestPlace } from '@symbolon/testkit/actors/actors';
import { Caller, type Record } from './caller.ts';

const wrapperOf = (edit: number) => markedValue(`edit ${edit}`);

/** The edit whose value a wrapper holds. */
export const editOf = (wrapper: string) => Number(markOf(wrapper, /^edit (\d+) /)[1]);

/** A person with one field, which services follow and which changes all the time. */
export class Person {
  id = '';
  readonly #caller: Caller;
  #fieldId = '';
  /** How many edits were acknowledged; the value of each is its number. */
  edits = 0;
  #connected = 0;

  private constructor(caller: Caller) {
    this.#caller = caller;
  }

  static async register(record: Record, base: string): Promise<Person> {
    const caller = new Caller({ record, base });
    const person = new Person(caller);
    const { id, token } = await registerPerson(caller);
    person.id = id;
    person.#fieldId = await createField(caller, { token }, { type: 'text', slug: 'name', value: '' });
    return person;
  }

  /** Gives the connection's id. */
  async connect({ company, code, rows }: TestPlace): Promise<string> {
    const answer = { kind: 'live', field_id: this.#fieldId, value: wrapperOf(this.edits) };
    const { body } = await this.#caller.call('POST', '/api/person/connections', {
      company_code: company.code,
      service_code: code,
      decisions: [{ request_field_id: rows.name, ...answer }],
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
      const edit = { value: wrapperOf(next), copies };
      const { status } = await this.#caller.call('PUT', path, edit, [200, 400, 409]);
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
