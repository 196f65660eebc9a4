import { FieldTypeRegistry } from '@symbolon/field-types';
import type { FieldTypeRow } from '@symbolon/protocol';
import { plaintextOf, type ValueInput } from '@symbolon/sdk/device';

/** The plaintext of a value in the normal form of its type. @throws ValueError */
export function checkedValue(type: string, value: ValueInput, rows: readonly FieldTypeRow[]): string {
  return plaintextOf(type, value, new FieldTypeRegistry(rows));
}
