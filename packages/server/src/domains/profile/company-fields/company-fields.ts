import { englishLabel, type FieldTypeRegistry } from '@symbolon/field-types';
import {
  type ContactData,
  type CreateContactDataRequest,
  limits,
  type ShareField,
  type UpdateContactDataRequest,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import type { CustomFields } from './custom-fields.ts';
import {
  cardBytes,
  cardValuesOfAll,
  countRows,
  deleteRow,
  insertCardValue,
  rowOf,
  rowsOf,
  slugTaken,
  updateCardValue,
} from './store.ts';
import type { ContactDataRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly customFields: CustomFields;
  readonly registry: FieldTypeRegistry;
  readonly audit: Audit;
}

/**
 * The company's own profile: the values of its business card, in plaintext by design (wire 2.3). The share
 * fields of a service say which of them it shows.
 */
export class CompanyFields {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Oldest first. */
  async list(companyId: string): Promise<ContactData[]> {
    return (await rowsOf(this.#deps.database.reader, 'contact_data', companyId)).map(toContactData);
  }

  /** @throws {PlatformError} contact_data.not_found */
  async get(companyId: string, id: string): Promise<ContactData> {
    return toContactData(await this.#require(this.#deps.database.reader, companyId, id));
  }

  /**
   * Fills a field of the catalogue; its slug and label are the field's by default.
   * @throws {PlatformError} contact_fields.not_found, contact_data.usertype_forbidden, contact_data.files_unsupported,
   *   contact_data.value_invalid, contact_data.slug_taken, contact_data.limit_reached, account.storage_full
   */
  async create(companyId: string, actor: Actor, request: CreateContactDataRequest): Promise<ContactData> {
    return writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      const field = await this.#deps.customFields.find(writer, companyId, request.field_id);
      if (field.usertype === 'person') throw new PlatformError('contact_data.usertype_forbidden');
      if (this.#deps.registry.isBinary(field.type)) {
        throw new PlatformError('contact_data.files_unsupported', {
          text: 'The profile holds no files. Photos have routes of their own.',
        });
      }
      this.#checkValue(field.type, request.value);
      const now = this.#deps.clock.now();
      const row: ContactDataRow = {
        company_id: companyId,
        id: this.#deps.ids.uuid(),
        field_id: field.id,
        type: field.type,
        slug: request.slug ?? field.slug,
        label: request.label ?? englishLabel(field),
        value: request.value,
        created_at: now,
        updated_at: now,
      };
      if ((await countRows(writer, 'contact_data', companyId)) >= limits.contactDataMost) {
        throw new PlatformError('contact_data.limit_reached', {
          text: `A company can have at most ${limits.contactDataMost} profile values. Delete one first.`,
        });
      }
      await refuseTaken(writer, row);
      await insertCardValue(writer, row);
      await checkRoom(writer, companyId);
      await this.#deps.audit.record(writer, {
        companyId,
        actor,
        action: 'contact_data.created',
        target: row.id,
      });
      return toContactData(row);
    });
  }

  /**
   * @throws {PlatformError} contact_data.not_found, contact_data.value_invalid, contact_data.slug_taken,
   *   account.storage_full
   */
  async update(
    companyId: string,
    actor: Actor,
    id: string,
    request: UpdateContactDataRequest,
  ): Promise<ContactData> {
    return writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      const before = await this.#require(writer, companyId, id);
      if (request.value !== undefined) this.#checkValue(before.type, request.value);
      const after = { ...before, ...request, updated_at: this.#deps.clock.now() };
      await refuseTaken(writer, after);
      await updateCardValue(writer, after);
      if (after.value.length > before.value.length) await checkRoom(writer, companyId);
      await this.#deps.audit.record(writer, { companyId, actor, action: 'contact_data.updated', target: id });
      return toContactData(after);
    });
  }

  /** @throws {PlatformError} contact_data.not_found */
  async delete(companyId: string, actor: Actor, id: string): Promise<void> {
    await writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      await this.#require(writer, companyId, id);
      await deleteRow(writer, 'contact_data', companyId, id);
      await this.#deps.audit.record(writer, { companyId, actor, action: 'contact_data.deleted', target: id });
    });
  }

  #checkValue(type: string, value: string): void {
    const result = this.#deps.registry.validate(type, value);
    if (result.valid) return;
    throw new PlatformError('contact_data.value_invalid', {
      details: { issues: [{ path: `/value${result.path}`, message: result.message }] },
    });
  }

  async #require(reader: Reader, companyId: string, id: string): Promise<ContactDataRow> {
    const row = await rowOf(reader, 'contact_data', companyId, id);
    if (row === undefined) throw new PlatformError('contact_data.not_found');
    return row;
  }
}

/** The business cards of companies, by company: for other features. */
export async function businessCards(
  reader: Reader,
  companyIds: readonly string[],
): Promise<ReadonlyMap<string, ShareField[]>> {
  const rows = await cardValuesOfAll(reader, companyIds);
  const cards = new Map<string, ShareField[]>(companyIds.map((id) => [id, []]));
  for (const { company_id, slug, label, type, value } of rows) {
    // Rows from before the default was a text that people can read.
    cards.get(company_id)?.push({ slug, label: englishLabel({ type, label }), type, value });
  }
  return cards;
}

/** Called after the write that needs the room, which is undone with its transaction. */
async function checkRoom(writer: Writer, companyId: string): Promise<void> {
  const most = limits.profileBytesMost;
  if ((await cardBytes(writer, companyId)) > most) {
    throw new PlatformError('account.storage_full', { details: { most } });
  }
}

async function refuseTaken(reader: Reader, row: ContactDataRow): Promise<void> {
  if (await slugTaken(reader, 'contact_data', row)) throw new PlatformError('contact_data.slug_taken');
}

function toContactData(row: ContactDataRow): ContactData {
  return {
    id: row.id,
    field_id: row.field_id,
    type: row.type,
    slug: row.slug,
    label: row.label,
    value: row.value,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
