import type { FieldInput, FieldTypeEntry, FieldTypeRow } from '@symbolon/protocol';
import { PLUGIN_TYPE } from '@symbolon/protocol/constants';
import { textChecks } from './checks.ts';
import { envelopeMembers } from './envelope.ts';
import { FieldTypeError } from './errors.ts';
import { type FieldTypeIssue, issue } from './issue.ts';
import { checkOverrides } from './overrides.ts';
import { compilePattern } from './pattern.ts';
import { textPrimitives } from './primitives.ts';
import type { FieldTypeRegistry } from './registry.ts';
import type { ResolvedFieldType } from './resolve-rows.ts';
import { parseRow } from './row-shape.ts';
import { type TextRule, validateText } from './validate-text.ts';

/**
 * The reasons why an operator cannot add this row to the registry; empty when it may be added (wire 2.4).
 * The row has all ten members. Its columns have to make sense together with those it inherits, and may only
 * narrow them: a field of the new type will answer requests for every type above it.
 *
 * When the shape itself is wrong, only that is reported.
 */
export function checkNewRow(row: unknown, registry: FieldTypeRegistry): FieldTypeIssue[] {
  const parsed = parseRow(row);
  if (!parsed.valid) return parsed.issues;
  return [...checkPlace(parsed.row, registry), ...checkColumns(parsed.row, registry)];
}

/** The row as a node of the tree. */
function* checkPlace(row: FieldTypeRow, registry: FieldTypeRegistry): Generator<FieldTypeIssue> {
  if (row.type === PLUGIN_TYPE) yield issue('type_reserved', '/type', `'${PLUGIN_TYPE}' is never a row.`);
  if (registry.has(row.type)) yield issue('type_taken', '/type', 'There is a type of this name.');
  if (row.parent !== null && !registry.has(row.parent)) {
    yield issue('parent_unknown', '/parent', 'There is no such parent.');
  }
  if (row.is_system) yield issue('system_reserved', '/is_system', 'Only the platform ships system types.');
}

/** The row's columns, together with what they inherit. */
function* checkColumns(row: FieldTypeRow, registry: FieldTypeRegistry): Generator<FieldTypeIssue> {
  const parent = row.parent === null ? undefined : registry.resolve(row.parent);
  if (row.parent !== null && parent === undefined) return;
  const input = row.input ?? parent?.input;
  const lane = row.lane ?? parent?.lane;
  if (input === undefined) yield issue('input_missing', '/input', 'A root has an input.');
  if (lane === undefined) yield issue('lane_missing', '/lane', 'A root has a lane.');
  if (input === undefined || lane === undefined) return;
  if (!lanesOf(input).includes(lane)) {
    yield issue('lane_conflict', '/lane', `Input ${input} goes with lane ${lanesOf(input).join(' or ')}.`);
  }
  if (parent !== undefined) yield* checkOverrides(row, parent);
  yield* isStructured(input) ? checkStructured(row, input, parent) : checkPlain(row, input, parent);
}

/** A composite, a file or pages. */
function* checkStructured(
  row: FieldTypeRow,
  input: FieldInput,
  parent: ResolvedFieldType | undefined,
): Generator<FieldTypeIssue> {
  const check = row.check ?? parent?.check ?? null;
  if (check !== null && (check !== 'pdf' || input === 'composite')) {
    yield issue('check_conflict', '/check', `Check ${check} does not go with input ${input}.`);
  }
  if (row.validation !== null) {
    yield issue('validation_conflict', '/validation', `A validation does not go with input ${input}.`);
  }
  if (hasItems(row.options)) yield issue('options_conflict', '/options', 'Only a choice has options.');
  if (input === 'composite' && !hasItems(row.fields ?? parent?.fields)) {
    yield issue('fields_missing', '/fields', 'A composite has at least one entry.');
  }
  yield* checkEntries(row.fields ?? [], input);
}

/** A single string, or a list of them. */
function* checkPlain(
  row: FieldTypeRow,
  input: FieldInput,
  parent: ResolvedFieldType | undefined,
): Generator<FieldTypeIssue> {
  if (hasItems(row.fields)) yield issue('fields_conflict', '/fields', `Input ${input} has no entries.`);
  yield* checkText(
    {
      input,
      check: row.check ?? parent?.check ?? null,
      options: row.options ?? parent?.options ?? [],
      validations: parent?.validations ?? [],
    },
    row.validation,
    '',
  );
}

function* checkEntries(entries: readonly FieldTypeEntry[], input: FieldInput): Generator<FieldTypeIssue> {
  const keys = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const path = `/fields/${index}`;
    if (keys.has(entry.key)) yield issue('entry_duplicate', `${path}/key`, 'Another entry has this key.');
    keys.add(entry.key);
    if (input !== 'composite' && envelopeMembers.has(entry.key)) {
      yield issue('entry_reserved', `${path}/key`, 'This is a name of the envelope itself.');
    }
    if (!textPrimitives.has(entry.input)) {
      yield issue('input_conflict', `${path}/input`, `The input of an entry is ${entryInputs}.`);
      continue;
    }
    if (entry.input === 'list' && !hasItems(entry.options)) {
      yield issue('options_missing', `${path}/options`, 'A choice among the entries has options of its own.');
    }
    const { check, options } = entry;
    yield* checkText(
      { input: entry.input, check, options: options ?? [], validations: [] },
      entry.validation,
      path,
    );
  }
}

/** Check, options and validation of a type or an entry whose value is a string or a list of strings. */
function* checkText(rule: TextRule, validation: string | null, path: string): Generator<FieldTypeIssue> {
  const { input, check, options } = rule;
  const isChoice = input === 'list' || input === 'multilist';
  if (check !== null && (!textChecks.has(check) || (input !== 'line' && input !== 'list'))) {
    yield issue('check_conflict', `${path}/check`, `Check ${check} does not go with input ${input}.`);
    return;
  }
  if (validation !== null && input === 'multilist') {
    yield issue('validation_conflict', `${path}/validation`, `A validation does not go with input ${input}.`);
    return;
  }
  const refused = validation === null ? undefined : checkPattern(validation, `${path}/validation`);
  if (refused !== undefined) {
    yield refused;
    return;
  }
  if (!isChoice && options.length > 0) {
    yield issue('options_conflict', `${path}/options`, 'Only a choice has options.');
  }
  if (input !== 'list') return;
  const validations = validation === null ? rule.validations : [...rule.validations, validation];
  for (const [index, option] of options.entries()) {
    if (validateText({ ...rule, validations }, option).valid) continue;
    yield issue('option_invalid', `${path}/options/${index}`, 'This option fails the check or a validation.');
  }
}

function checkPattern(source: string, path: string): FieldTypeIssue | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    if (error instanceof FieldTypeError) return issue(error.code, path, error.message);
    throw error;
  }
}

function isStructured(input: FieldInput): boolean {
  return input === 'composite' || input === 'file' || input === 'pages';
}

function lanesOf(input: FieldInput): readonly string[] {
  if (input === 'file') return ['photo', 'document'];
  return input === 'pages' ? ['document'] : ['inline'];
}

function hasItems(items: readonly unknown[] | null | undefined): boolean {
  return items !== null && items !== undefined && items.length > 0;
}

const entryInputs = [...textPrimitives.keys()].join(', ');
