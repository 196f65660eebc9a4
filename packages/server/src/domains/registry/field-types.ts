import { checkNewRow } from '@symbolon/field-types';
import type { AddFieldTypeRequest, FieldTypeRow } from '@symbolon/protocol';
import { PlatformError } from '../../core/errors.ts';
import { rowBy } from '../../db/by-key.ts';
import type { Writer } from '../../db/database.ts';
import type { Core } from '../domain.ts';
import type { LiveRegistry } from './live-registry.ts';
import { addedTypes, deleteType, freezeTypes, insertType, typesInUse } from './store.ts';

/** Counts the changes of the added types: every process reads them again when it changes. */
const VERSION = 'field_types.version';

interface Deps extends Pick<Core, 'clock' | 'database' | 'settings'> {
  readonly registry: LiveRegistry;
}

function taken(): PlatformError {
  const issue = { code: 'type_taken', path: '/type', message: 'There is a type of this name.' };
  return new PlatformError('admin.field_type_invalid', { details: { issues: [issue] } });
}

/** The types that an operator adds to those that ship (wire 2.4). */
export class FieldTypes {
  readonly #deps: Deps;
  #version = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#deps.settings.onChange(() => this.#follow());
  }

  /** Every row, with whether it is in use. */
  async list(): Promise<(FieldTypeRow & { in_use: boolean })[]> {
    const used = await typesInUse(this.#deps.database.reader);
    const { rows } = this.#deps.registry;
    for (const row of rows) if (row.parent !== null) used.add(row.parent);
    return rows.map((row) => ({ ...row, in_use: used.has(row.type) }));
  }

  /**
   * Adds a type in the caller's transaction; call `apply` after its commit.
   * @throws {PlatformError} admin.field_type_invalid with issues
   */
  async add(writer: Writer, request: AddFieldTypeRequest): Promise<FieldTypeRow> {
    await freezeTypes(this.#deps.database, writer);
    await this.#catchUp(writer);
    const row = this.check(request);
    const stored = { type: row.type, row: JSON.stringify(row), created_at: this.#deps.clock.now() };
    if (!(await insertType(writer, stored))) throw taken();
    await this.#moved(writer);
    return row;
  }

  /**
   * The row that would be added now.
   * @throws {PlatformError} admin.field_type_invalid with issues
   */
  check(request: AddFieldTypeRequest): FieldTypeRow {
    const { registry } = this.#deps;
    const row = {
      parent: null,
      input: null,
      lane: null,
      check: null,
      options: null,
      fields: null,
      validation: null,
      ...request,
      is_system: false,
    } as FieldTypeRow;
    const issues = checkNewRow(row, registry);
    if (issues.length > 0) throw new PlatformError('admin.field_type_invalid', { details: { issues } });
    if (registry.rows.some((known) => known.type === row.type)) throw taken();
    return row;
  }

  /**
   * Removes a type that nothing is of, in the caller's transaction; call `apply` after its commit.
   * @throws {PlatformError} admin.field_type_not_found, admin.field_type_system, admin.field_type_in_use
   */
  async remove(writer: Writer, type: string): Promise<void> {
    await freezeTypes(this.#deps.database, writer);
    await this.#catchUp(writer);
    const row = this.#deps.registry.rows.find((known) => known.type === type);
    if (row === undefined) throw new PlatformError('admin.field_type_not_found');
    if (row.is_system) throw new PlatformError('admin.field_type_system');
    const isParent = this.#deps.registry.rows.some((known) => known.parent === type);
    if (isParent || (await typesInUse(writer)).has(type)) throw new PlatformError('admin.field_type_in_use');
    await deleteType(writer, type);
    await this.#moved(writer);
  }

  /** Resolves when this process uses the change; other processes follow within a second. */
  async apply(): Promise<void> {
    await this.#deps.settings.reload();
  }

  /** The rows as the transaction sees them: another process may have changed them a moment ago. */
  async #catchUp(writer: Writer): Promise<void> {
    const rows = await addedTypes(writer);
    this.#deps.registry.replaceAdded(rows.map((row) => JSON.parse(row.row) as FieldTypeRow));
  }

  async #moved(writer: Writer): Promise<void> {
    const row = await rowBy(writer, 'region_settings', { name: VERSION }, ['value']);
    await this.#deps.settings.set(writer, VERSION, Number(row?.value ?? 0) + 1);
  }

  async #follow(): Promise<void> {
    const version = this.#deps.settings.get<number>(VERSION) ?? 0;
    if (version === this.#version) return;
    await this.#catchUp(this.#deps.database.reader as Writer);
    this.#version = version;
  }
}
