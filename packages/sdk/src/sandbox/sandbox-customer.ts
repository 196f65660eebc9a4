import { encodeHex } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { PersonConnection, RequestField, Service } from '@symbolon/protocol';
import { SymbolonError } from '../http/errors.ts';
import type { Answer } from '../person/decisions.ts';
import type { Field } from '../person/field.ts';
import type { PersonClient } from '../person/person-client.ts';
import type { ValueInput } from '../values/plaintext.ts';
import { sampleValue } from './sample-value.ts';

/** The service that a person for tests is a customer of, by its id and codes. */
export type SandboxService = Pick<Service, 'id' | 'company_code' | 'share_code'>;

/**
 * A person for tests as the customer of one service, for development: connects, and answers rows with made-up values from
 * fields of its own, one field for each row, so that an act here is heard nowhere else. Call {@link prepare} first.
 */
export class SandboxCustomer {
  readonly client: PersonClient;
  readonly #service: SandboxService;
  readonly #fields = new Map<string, Field>();
  #registry: FieldTypeRegistry | undefined;
  #turn = Math.floor(Math.random() * 1_000_000);

  /** @param client of the person that acts; it must be able to seal */
  constructor(client: PersonClient, service: SandboxService) {
    this.client = client;
    this.#service = service;
  }

  /** Reads the types of fields, and the fields that the person has. */
  async prepare(): Promise<this> {
    const [registry, fields] = await Promise.all([this.client.fieldTypes(), this.client.fields()]);
    this.#registry = registry;
    for (const field of fields) this.#fields.set(field.slug, field);
    return this;
  }

  /** The connection to the service, if there is one. */
  async connection(): Promise<PersonConnection | undefined> {
    const connections = await this.client.connections();
    return connections.find(({ service }) => service.id === this.#service.id);
  }

  /**
   * Connects, answering what is mandatory and some of the rest.
   *
   * @throws SymbolonError `sdk.no_sample` when a mandatory row cannot be answered
   */
  async connect(): Promise<PersonConnection> {
    const { company_code: company, share_code: code } = this.#service;
    return this.client.connect(company, code, await this.answers());
  }

  /** Answers to connect with. @throws SymbolonError `sdk.no_sample` when a mandatory row cannot be answered */
  async answers(): Promise<Record<string, Answer>> {
    const { company_code: company, share_code: code } = this.#service;
    const { request_fields: rows } = await this.client.lookup(company, code);
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

  /**
   * An answer to a row: live from a field of its own, or typed in where the row takes a value once.
   *
   * @throws SymbolonError `sdk.no_sample`, whose `details` have the `slug` and `label` of the row
   */
  async answer(row: RequestField): Promise<Answer> {
    if (row.verified) {
      throw noSample(
        row,
        `The row ${row.slug} asks for a verified value, which the sandbox person cannot have: a code would be mailed.`,
      );
    }
    const value = this.#sample(row.type);
    if (value === undefined) {
      throw noSample(row, `No value can be made up for the row ${row.slug} of the type ${row.type}.`);
    }
    if (row.one_time) return { value };
    const slug = await this.#fieldSlug(row.slug);
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

  /**
   * Gives the field behind a row that is answered live another value.
   *
   * @returns the value as text
   * @throws SymbolonError `sdk.no_sample`
   */
  async edit(row: RequestField): Promise<string> {
    const field = this.#fields.get(await this.#fieldSlug(row.slug));
    if (field === undefined) throw new Error(`There is no field for ${row.slug}.`);
    for (let tries = 0; ; tries++) {
      const value = this.#sample(field.type);
      if (value === undefined) throw noSample(row, `No value can be made up for the type ${field.type}.`);
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      // A type with a single choice has no other.
      if (text === field.text && tries < 10) continue;
      const edited = await this.client.editField(field.id, value);
      this.#fields.set(field.slug, edited);
      return edited.text ?? text;
    }
  }

  async #fieldSlug(rowSlug: string): Promise<string> {
    const text = new TextEncoder().encode(`${this.#service.id}/${rowSlug}`);
    const digest = await globalThis.crypto.subtle.digest('SHA-256', text);
    return `sandbox_${encodeHex(new Uint8Array(digest)).slice(0, 24)}`;
  }

  #sample(type: string): ValueInput | undefined {
    return this.#registry && sampleValue(type, this.#registry, this.#turn++);
  }
}

/** Whether a connection cannot be without an answer to a row. */
export function isMandatory(row: RequestField): boolean {
  return row.mandatory_provide || row.mandatory_connected;
}

/** Rows that are answered live. */
export function liveRows(connection: PersonConnection): RequestField[] {
  const live = new Set(connection.mappings.flatMap(({ kind, slug }) => (kind === 'live' ? [slug] : [])));
  return connection.request_fields.filter(({ slug }) => live.has(slug));
}

function noSample({ slug, label }: RequestField, message: string): SymbolonError {
  return new SymbolonError({ errorKey: 'sdk.no_sample', message, details: { slug, label } });
}

const OPTIONAL_MOST = 12;
