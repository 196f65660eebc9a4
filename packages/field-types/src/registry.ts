import type { FieldTypeRow } from '@symbolon/protocol';
import { PLUGIN_TYPE } from '@symbolon/protocol/constants';
import { indexRows } from './index-rows.ts';
import { type ResolvedFieldType, resolveRows } from './resolve-rows.ts';
import type { ValidationResult } from './result.ts';
import { lacksFile } from './validate-file.ts';
import { validatePluginAnswer, validateUnknown } from './validate-open.ts';
import { validateValue } from './validate-value.ts';

/**
 * A copy of the field-type registry: the tree, resolution, and validation of plaintexts (wire 2.4).
 * Immutable; a registry with one more type is a new one.
 */
export class FieldTypeRegistry {
  readonly #list: readonly FieldTypeRow[];
  readonly #rows: ReadonlyMap<string, FieldTypeRow>;
  readonly #resolved: ReadonlyMap<string, ResolvedFieldType>;

  /**
   * @param rows Raw rows in any order, for example the answer of `GET /api/contact-field-types`.
   * @throws {FieldTypeError} When the rows are not a valid registry: a bad, reserved or repeated key, an unknown
   *   parent, a cycle, a root without input or lane, a validation that cannot be used.
   */
  constructor(rows: readonly FieldTypeRow[]) {
    this.#list = Object.freeze([...rows]);
    this.#rows = indexRows(this.#list);
    this.#resolved = resolveRows(this.#list, this.#rows);
  }

  /** The raw rows, in the order given. */
  get rows(): readonly FieldTypeRow[] {
    return this.#list;
  }

  /** Is there a row of this type? */
  has(type: string): boolean {
    return this.#rows.has(type);
  }

  /** The type with everything it inherits, or undefined for a type this copy does not know. */
  resolve(type: string): ResolvedFieldType | undefined {
    return this.#resolved.get(type);
  }

  /** May a field of type `actual` answer a row of type `requested`: the same type, or a descendant of it? */
  accepts(requested: string, actual: string): boolean {
    return requested === actual || (this.resolve(actual)?.lineage.includes(requested) ?? false);
  }

  /** Do values of this type live behind the binary endpoint (lane photo or document)? */
  isBinary(type: string): boolean {
    const lane = this.resolve(type)?.lane;
    return lane === 'photo' || lane === 'document';
  }

  /**
   * May a request row have this type: all but a choice without options of its own, which flows alone offer?
   */
  isRequestable(type: string): boolean {
    const resolved = this.resolve(type);
    if (resolved === undefined) return false;
    const isChoice = resolved.input === 'list' || resolved.input === 'multilist';
    return !isChoice || (resolved.options ?? []).length > 0;
  }

  /** May a sign-in claim have this type: requestable and inline? */
  isClaimable(type: string): boolean {
    return this.isRequestable(type) && this.resolve(type)?.lane === 'inline';
  }

  /** Every type, roots by label, each directly followed by its children (by label too) and theirs. */
  order(): string[] {
    const children = new Map<string | null, FieldTypeRow[]>();
    for (const row of this.rows) {
      const siblings = children.get(row.parent);
      if (siblings) siblings.push(row);
      else children.set(row.parent, [row]);
    }
    const ordered: string[] = [];
    // A stack with the next one last, because a deep tree would overflow the call stack.
    const pending = (children.get(null) ?? []).toSorted(byLabelDescending);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      ordered.push(next.type);
      pending.push(...(children.get(next.type) ?? []).toSorted(byLabelDescending));
    }
    return ordered;
  }

  /**
   * Is this plaintext a value of the type? Empty values always are; a type this copy does not know accepts
   * anything (wire 9); `plugin` accepts the JSON text of an object.
   *
   * @param value A string; for `multilist`, composites and files the JSON value or its text.
   * @param options.options The choices of a type that has no choices of its own, such as those of a flow's element.
   * @returns The value in its normal form (`''` when empty), or a stable code, a JSON Pointer and a message
   *   without any part of the value.
   */
  validate(
    type: string,
    value: unknown,
    options: { readonly options?: readonly string[] } = {},
  ): ValidationResult {
    if (type === PLUGIN_TYPE) return validatePluginAnswer(value);
    const resolved = this.resolve(type);
    return resolved === undefined
      ? validateUnknown(value)
      : validateValue(resolved, value, options.options ?? []);
  }

  /** Whether a value of the type is the metadata of a file without the file; such a value cannot be stored as an answer. */
  lacksFile(type: string, value: unknown): boolean {
    const resolved = this.resolve(type);
    return resolved !== undefined && resolved.lane !== 'inline' && lacksFile(resolved, value);
  }
}

/** By label, then by type, in code units: the order does not depend on the language. */
function byLabelDescending(a: FieldTypeRow, b: FieldTypeRow): number {
  return compare(b.label, a.label) || compare(b.type, a.type);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
