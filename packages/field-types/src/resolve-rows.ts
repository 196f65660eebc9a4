import type { FieldCheck, FieldInput, FieldLane, FieldTypeEntry, FieldTypeRow } from '@symbolon/protocol';
import { FIELD_TYPE_KEY_PATTERN, PLUGIN_TYPE } from '@symbolon/protocol/constants';
import { FieldTypeError } from './errors.ts';
import { compilePattern } from './pattern.ts';

/** A type with everything it inherits. A column is null when no ancestor sets it either. */
export interface ResolvedFieldType {
  readonly type: string;
  readonly input: FieldInput;
  readonly lane: FieldLane;
  readonly check: FieldCheck | null;
  readonly options: readonly string[] | null;
  readonly fields: readonly FieldTypeEntry[] | null;
  /** Every regex the value must match, root first. */
  readonly validations: readonly string[];
  /** The root, …, the parent, the type itself. */
  readonly lineage: readonly string[];
}

/** The rows by type, each sound by itself. */
export function indexRows(rows: readonly FieldTypeRow[]): Map<string, FieldTypeRow> {
  const index = new Map<string, FieldTypeRow>();
  for (const row of rows) {
    if (!KEY.test(row.type))
      throw new FieldTypeError('type_key_invalid', `A type is named like ${KEY.source}.`);
    if (row.type === PLUGIN_TYPE)
      throw new FieldTypeError('type_reserved', `'${PLUGIN_TYPE}' is never a row.`);
    if (index.has(row.type)) throw new FieldTypeError('type_duplicate', `There are two rows '${row.type}'.`);
    checkEntries(row);
    if (row.validation !== null) compilePattern(row.validation);
    index.set(row.type, row);
  }
  return index;
}

/** Every type resolved, whatever the order and the depth of the rows. */
export function resolveRows(
  rows: readonly FieldTypeRow[],
  index: ReadonlyMap<string, FieldTypeRow>,
): Map<string, ResolvedFieldType> {
  const resolved = new Map<string, ResolvedFieldType>();
  for (const row of rows) {
    for (const ancestor of unresolvedLine(row, index, resolved)) {
      const parent = ancestor.parent === null ? undefined : resolved.get(ancestor.parent);
      resolved.set(ancestor.type, resolveRow(ancestor, parent));
    }
  }
  return resolved;
}

/** The row and its ancestors as far as they are not resolved yet, the uppermost first. */
function unresolvedLine(
  row: FieldTypeRow,
  index: ReadonlyMap<string, FieldTypeRow>,
  resolved: ReadonlyMap<string, ResolvedFieldType>,
): FieldTypeRow[] {
  const line = new Set<FieldTypeRow>();
  let current = row;
  while (!resolved.has(current.type)) {
    if (line.has(current)) throw new FieldTypeError('parent_cycle', `'${current.type}' is its own ancestor.`);
    line.add(current);
    if (current.parent === null) break;
    const parent = index.get(current.parent);
    if (parent === undefined) {
      throw new FieldTypeError('parent_unknown', `The parent of '${current.type}' does not exist.`);
    }
    current = parent;
  }
  return [...line].reverse();
}

/** A child inherits every column it leaves null; regexes add up (wire 2.4, resolution rules 1 and 2). */
function resolveRow(row: FieldTypeRow, parent: ResolvedFieldType | undefined): ResolvedFieldType {
  const input = row.input ?? parent?.input;
  const lane = row.lane ?? parent?.lane;
  if (input === undefined || lane === undefined) {
    throw new FieldTypeError('root_incomplete', `'${row.type}' has no input or no lane to inherit.`);
  }
  const inherited = parent?.validations ?? [];
  return Object.freeze({
    type: row.type,
    input,
    lane,
    check: row.check ?? parent?.check ?? null,
    options: row.options ?? parent?.options ?? null,
    fields: row.fields ?? parent?.fields ?? null,
    validations: row.validation === null ? inherited : [...inherited, row.validation],
    lineage: [...(parent?.lineage ?? []), row.type],
  });
}

function checkEntries(row: FieldTypeRow): void {
  const keys = new Set<string>();
  for (const { key, validation } of row.fields ?? []) {
    if (!KEY.test(key)) {
      throw new FieldTypeError(
        'entry_key_invalid',
        `An entry of '${row.type}' is not named like ${KEY.source}.`,
      );
    }
    if (keys.has(key)) throw new FieldTypeError('entry_duplicate', `'${row.type}' has two entries '${key}'.`);
    keys.add(key);
    if (validation !== null) compilePattern(validation);
  }
}

const KEY = new RegExp(FIELD_TYPE_KEY_PATTERN);
