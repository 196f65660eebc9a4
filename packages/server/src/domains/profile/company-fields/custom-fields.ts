import {
  type ContactField,
  type CreateContactFieldRequest,
  limits,
  type UpdateContactFieldRequest,
  type Usertype,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { type Reader, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import { type Catalogue, isSeenBy } from '../../registry/index.ts';
import {
  countRows,
  deleteRow,
  insertCustomField,
  rowOf,
  rowsOf,
  slugTaken,
  updateCustomField,
  valuesOfField,
} from './store.ts';
import type { ContactFieldRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly catalogue: Catalogue;
  readonly audit: Audit;
}

/** The catalogue of a company: the platform's fields and its own, which no other company sees (wire 2.4, 4.8). */
export class CustomFields {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** All fields, or those that a kind of profile may fill: the platform's first, then the company's, oldest first. */
  async list(companyId: string | undefined, usertype?: Usertype): Promise<ContactField[]> {
    const system = this.#deps.catalogue.fields(usertype);
    if (companyId === undefined) return system;
    const own = (await rowsOf(this.#deps.database.reader, 'contact_fields', companyId)).map(toContactField);
    return [...system, ...own.filter((field) => isSeenBy(field, usertype))];
  }

  /** @throws {PlatformError} contact_fields.not_found */
  async get(companyId: string | undefined, id: string): Promise<ContactField> {
    return this.find(this.#deps.database.reader, companyId, id);
  }

  /** A field of the platform's or the company's. @throws {PlatformError} contact_fields.not_found */
  async find(reader: Reader, companyId: string | undefined, id: string): Promise<ContactField> {
    const system = this.#deps.catalogue.field(id);
    if (system !== undefined) return system;
    const row = companyId === undefined ? undefined : await rowOf(reader, 'contact_fields', companyId, id);
    if (row === undefined) throw new PlatformError('contact_fields.not_found');
    return toContactField(row);
  }

  /**
   * @throws {PlatformError} contact_fields.type_unusable, contact_data.usertype_forbidden, contact_fields.slug_taken,
   *   contact_fields.limit_reached
   */
  async create(companyId: string, actor: Actor, request: CreateContactFieldRequest): Promise<ContactField> {
    // `plugin` is never a row of the registry, so it is refused as any unknown type is (wire 2.4).
    const ofType = this.#deps.catalogue.field(request.type);
    if (ofType === undefined) throw new PlatformError('contact_fields.type_unusable');
    const row: ContactFieldRow = {
      company_id: companyId,
      id: this.#deps.ids.uuid(),
      type: request.type,
      slug: request.slug,
      label: request.label,
      usertype: request.usertype ?? ofType.usertype,
      created_at: this.#deps.clock.now(),
    };
    this.#checkUsertype(row);
    return writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      if ((await countRows(writer, 'contact_fields', companyId)) >= limits.contactFieldsMost) {
        throw new PlatformError('contact_fields.limit_reached');
      }
      await this.#refuseTaken(writer, row);
      await insertCustomField(writer, row);
      await this.#deps.audit.record(writer, {
        companyId,
        actor,
        action: 'contact_field.created',
        target: row.id,
        details: { type: row.type },
      });
      return toContactField(row);
    });
  }

  /**
   * Changes anything but the type.
   * @throws {PlatformError} contact_fields.system, contact_fields.not_found, contact_fields.slug_taken,
   *   contact_data.usertype_forbidden; contact_fields.in_use when the company itself could no longer fill it
   */
  async update(
    companyId: string,
    actor: Actor,
    id: string,
    request: UpdateContactFieldRequest,
  ): Promise<ContactField> {
    return writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      const before = await this.#own(writer, companyId, id);
      const after = { ...before, ...request };
      this.#checkUsertype(after);
      await this.#refuseTaken(writer, after);
      if (after.usertype === 'person' && before.usertype !== 'person') {
        await this.#refuseUsed(writer, companyId, id);
      }
      await updateCustomField(writer, after);
      await this.#deps.audit.record(writer, {
        companyId,
        actor,
        action: 'contact_field.updated',
        target: id,
      });
      return toContactField(after);
    });
  }

  /** @throws {PlatformError} contact_fields.system, contact_fields.not_found, contact_fields.in_use */
  async delete(companyId: string, actor: Actor, id: string): Promise<void> {
    await writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      await this.#own(writer, companyId, id);
      await this.#refuseUsed(writer, companyId, id);
      await deleteRow(writer, 'contact_fields', companyId, id);
      await this.#deps.audit.record(writer, {
        companyId,
        actor,
        action: 'contact_field.deleted',
        target: id,
      });
    });
  }

  /** Refuses a type for people only on a field that companies may fill. */
  #checkUsertype({ type, usertype }: ContactFieldRow): void {
    if (usertype !== 'person' && this.#deps.catalogue.field(type)?.usertype === 'person') {
      throw new PlatformError('contact_data.usertype_forbidden');
    }
  }

  async #own(reader: Reader, companyId: string, id: string): Promise<ContactFieldRow> {
    if (this.#deps.catalogue.field(id) !== undefined) throw new PlatformError('contact_fields.system');
    const row = await rowOf(reader, 'contact_fields', companyId, id);
    if (row === undefined) throw new PlatformError('contact_fields.not_found');
    return row;
  }

  async #refuseTaken(reader: Reader, row: ContactFieldRow): Promise<void> {
    const ofSystem = this.#deps.catalogue.field(row.slug) !== undefined;
    if (ofSystem || (await slugTaken(reader, 'contact_fields', row))) {
      throw new PlatformError('contact_fields.slug_taken');
    }
  }

  async #refuseUsed(reader: Reader, companyId: string, id: string): Promise<void> {
    const used = await valuesOfField(reader, companyId, id);
    if (used.length > 0) throw new PlatformError('contact_fields.in_use', { details: { in_use: used } });
  }
}

function toContactField(row: ContactFieldRow): ContactField {
  return {
    id: row.id,
    slug: row.slug,
    label: row.label,
    type: row.type,
    usertype: row.usertype,
    is_system: false,
  };
}
