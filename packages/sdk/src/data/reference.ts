import { FieldTypeRegistry } from '@symbolon/field-types';
import type { CompanyRequestField, FieldTypeRow } from '@symbolon/protocol';
import type { Api } from '../http/api.ts';

/** The service's request rows and the field-type registry, which give plaintexts their types. Both are cached. */
export class Reference {
  readonly #api: Api;
  readonly #types: Shared<ReadonlyMap<string, string>>;
  readonly #registry: Shared<FieldTypeRegistry>;
  /** Slugs of answers whose rows were removed: fetching the rows again does not find them. */
  #absent = new Set<string>();

  constructor(api: Api) {
    this.#api = api;
    const { now } = api.transport.runtime;
    this.#types = new Shared(now, TYPES_MS, async () => {
      this.#absent = new Set();
      const rows = await this.requestFields();
      return new Map(rows.map(({ slug, type }) => [slug, type]));
    });
    this.#registry = new Shared(now, REGISTRY_MS, async () => {
      const call = { method: 'GET', path: '/api/contact-field-types' } as const;
      return new FieldTypeRegistry(await api.json<FieldTypeRow[]>(call));
    });
  }

  /** The current request rows. */
  async requestFields(signal?: AbortSignal): Promise<CompanyRequestField[]> {
    const call = { method: 'GET', path: '/api/company-data/request-fields', signal } as const;
    const { request_fields: rows } = await this.#api.json<{ request_fields: CompanyRequestField[] }>(call);
    return rows;
  }

  /** The field-type registry, at most an hour old. */
  registry(): Promise<FieldTypeRegistry> {
    return this.#registry.get();
  }

  /** Types by slug; fetched again when an answer has a slug that is not among the cached rows. */
  async types(slugs: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const types = await this.#types.get();
    const unknown = Array.from(slugs).filter((slug) => !types.has(slug) && !this.#absent.has(slug));
    if (unknown.length === 0) return types;
    this.#types.drop(types);
    const fresh = await this.#types.get();
    for (const slug of unknown) if (!fresh.has(slug)) this.#absent.add(slug);
    return fresh;
  }
}

/** A cached value that is loaded once for all simultaneous callers. */
class Shared<T> {
  readonly #now: () => number;
  readonly #keepMs: number;
  readonly #load: () => Promise<T>;
  #kept: { value: T; until: number } | undefined;
  #coming: Promise<T> | undefined;

  constructor(now: () => number, keepMs: number, load: () => Promise<T>) {
    this.#now = now;
    this.#keepMs = keepMs;
    this.#load = load;
  }

  get(): Promise<T> {
    if (this.#kept && this.#now() < this.#kept.until) return Promise.resolve(this.#kept.value);
    this.#coming ??= this.#fetch().finally(() => {
      this.#coming = undefined;
    });
    return this.#coming;
  }

  /** Forgets the value, unless a newer one has replaced it. */
  drop(value: T): void {
    if (this.#kept?.value === value) this.#kept = undefined;
  }

  async #fetch(): Promise<T> {
    const value = await this.#load();
    this.#kept = { value, until: this.#now() + this.#keepMs };
    return value;
  }
}

const TYPES_MS = 5 * 60_000;
const REGISTRY_MS = 60 * 60_000;
