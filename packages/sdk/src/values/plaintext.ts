import type { FieldTypeRegistry } from '@symbolon/field-types';
import { ValueError } from '../http/errors.ts';
import { PlainDate } from './plain-date.ts';

/** A value as the caller gives it: text, a date, the picks of a choice, the members of a composite. */
export type ValueInput = string | PlainDate | readonly string[] | Readonly<Record<string, string>>;

/**
 * The plaintext that is sealed for a value, in the normal form of its type.
 *
 * @throws ValueError when the registry refuses it, or when it is empty
 */
export function plaintextOf(type: string, value: ValueInput, registry: FieldTypeRegistry): string {
  const result = registry.validate(type, value instanceof PlainDate ? value.toString() : value);
  if (!result.valid) {
    const { code, path, message } = result;
    throw new ValueError({ errorKey: 'sdk.value_invalid', message, details: { code, path, type } });
  }
  const { normalized } = result;
  if (registry.lacksFile(type, normalized)) {
    throw new ValueError({
      errorKey: 'sdk.value_invalid',
      message: 'The envelope has no file.',
      details: { code: 'member_missing', path: '', type },
    });
  }
  const text = typeof normalized === 'string' ? normalized : JSON.stringify(normalized);
  if (text !== '') return text;
  throw new ValueError({
    errorKey: 'sdk.value_invalid',
    message: 'An empty value cannot be shared.',
    details: { code: 'empty', path: '', type },
  });
}
