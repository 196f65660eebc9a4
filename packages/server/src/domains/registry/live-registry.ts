import { FieldTypeRegistry, systemFieldTypes, systemRegistry } from '@symbolon/field-types';
import type { FieldTypeRow } from '@symbolon/protocol';

/** The registry as it is now: the types that ship, and those an operator has added. Every holder sees each change. */
export class LiveRegistry extends FieldTypeRegistry {
  #now: FieldTypeRegistry = systemRegistry;

  constructor() {
    super([]);
  }

  override get rows(): readonly FieldTypeRow[] {
    return this.#now.rows;
  }

  override has(type: string): boolean {
    return this.#now.has(type);
  }

  override resolve(type: string) {
    return this.#now.resolve(type);
  }

  /** @throws {FieldTypeError} when the rows make no registry; the present one then stays */
  replaceAdded(rows: readonly FieldTypeRow[]): void {
    this.#now = new FieldTypeRegistry([...systemFieldTypes, ...rows]);
  }
}
