import { hash, randomInt } from 'node:crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { PersonConnection, RequestField } from '@symbolon/protocol';
import type { Answer, Field, PersonClient, ValueInput } from '@symbolon/sdk/person';
import { Problem } from '../problem.ts';
import type { Portal } from '../profile/enter-portal.ts';
import { sampleValue } from './sample-value.ts';
import type { SandboxPerson } from './sandbox-person.ts';

/** What an act did, beside raising its event. */
export type Done = {
  slug?: string;
  value?: string /** Other events it raised on the way. */;
  also: string[];
};

/** The sandbox person at one service: connects, answers rows from fields of its own, one field for each row. */
export class Sandbox {
  readonly client: PersonClient;
  readonly portal: Portal;
  /** Of the person: proves that they are present. */
  readonly password: string;
  readonly #fields = new Map<string, Field>();
  #registry: FieldTypeRegistry | undefined;
  #turn = randomInt(1_000_000);

  constructor({ client, password }: SandboxPerson, portal: Portal) {
    this.client = client;
    this.password = password;
    this.portal = portal;
  }

  async prepare(): Promise<this> {
    const [registry, fields] = await Promise.all([this.client.fieldTypes(), this.client.fields()]);
    this.#registry = registry;
    for (const field of fields) this.#fields.set(field.slug, field);
    return this;
  }

  /** The connection to the service, if there is one. */
  async connection(): Promise<PersonConnection | undefined> {
    const connections = await this.client.connections();
    return connections.find(({ service }) => service.id === this.portal.service.id);
  }

  /** Connects, answering what is mandatory and some of the rest. @throws Problem when a mandatory row cannot be answered */
  async connect(): Promise<PersonConnection> {
    const { company, service } = this.portal;
    return this.client.connect(company.company_code, service.share_code, await this.answers());
  }

  /** Answers to connect with. @throws Problem when a mandatory row cannot be answered */
  async answers(): Promise<Record<string, Answer>> {
    const { company, service } = this.portal;
    const { request_fields: rows } = await this.client.lookup(company.company_code, service.share_code);
    const optional = rows.filter((row) => !isMandatory(row) && this.canAnswer(row));
    const chosen = [...rows.filter(isMandatory), ...optional.slice(0, OPTIONAL_MOST)];
    const answers: Record<string, Answer> = {};
    for (const row of chosen) answers[row.slug] = await this.answer(row);
    return answers;
  }

  /** Whether a value can be made up for a row. */
  canAnswer(row: RequestField): boolean {
    return !row.verified && this.#sample(row.type) !== undefined;
  }

  /** An answer to a row: live from a field of its own, or typed in where the row takes a value once. */
  async answer(row: RequestField): Promise<Answer> {
    if (row.verified) {
      throw new Problem(
        `The row ${row.slug} asks for a verified value, which the sandbox person cannot have: a code would be mailed.`,
      );
    }
    const value = this.#sample(row.type);
    if (value === undefined) {
      throw new Problem(`No value can be made up for the row ${row.slug} of the type ${row.type}.`);
    }
    if (row.one_time) return { value };
    const slug = this.fieldSlug(row.slug);
    const present = this.#fields.get(slug);
    if (present?.type === row.type) return { field: slug };
    if (present !== undefined) {
      // The row was published again with another type.
      await this.client.deleteField(present.id);
    }
    const label = row.label.slice(0, 80);
    this.#fields.set(slug, await this.client.createField({ type: row.type, label, slug, value }));
    return { field: slug };
  }

  /** Gives the field behind a row another value, and tells it as text. */
  async edit(row: RequestField): Promise<string> {
    const field = this.#fields.get(this.fieldSlug(row.slug));
    if (field === undefined) throw new Error(`There is no field for ${row.slug}.`);
    for (let tries = 0; ; tries++) {
      const value = this.#sample(field.type);
      if (value === undefined) throw new Problem(`No value can be made up for the type ${field.type}.`);
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      // A type with a single choice has no other.
      if (text === field.text && tries < 10) continue;
      const edited = await this.client.editField(field.id, value);
      this.#fields.set(field.slug, edited);
      return edited.text ?? text;
    }
  }

  /** Fields are for one row of one service, so that an act here is heard nowhere else. */
  fieldSlug(rowSlug: string): string {
    return `sandbox_${hash('sha256', `${this.portal.service.id}/${rowSlug}`, 'hex').slice(0, 24)}`;
  }

  #sample(type: string): ValueInput | undefined {
    return this.#registry && sampleValue(type, this.#registry, this.#turn++);
  }
}

export function isMandatory(row: RequestField): boolean {
  return row.mandatory_provide || row.mandatory_connected;
}

const OPTIONAL_MOST = 12;
