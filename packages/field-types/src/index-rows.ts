import type { FieldTypeRow } from '@symbolon/protocol';
import { FIELD_TYPE_KEY_PATTERN, PLUGIN_TYPE } from '@symbolon/protocol/constants';
import { FieldTypeError } from './errors.ts';
import { compilePattern } from './pattern.ts';

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
