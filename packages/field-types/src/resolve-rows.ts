import type { FieldCheck, FieldInput, FieldLane, FieldTypeEntry, FieldTypeRow } from '@symbolon/protocol';
import { FieldTypeError } from './errors.ts';

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
