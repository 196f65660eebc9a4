import type { ResolvedFieldType } from './resolve-rows.ts';
import { accept, type ValidationResult } from './result.ts';
import { isEmpty } from './text.ts';
import { validateComposite } from './validate-composite.ts';
import { validateFile } from './validate-file.ts';
import { validateMultilist } from './validate-multilist.ts';
import { validateText } from './validate-text.ts';

/**
 * A plaintext against a resolved type (wire 2.4): primitive rule, check, every regex root first, then
 * sub-field entries. `callerOptions` serve a choice type that has no options of its own; the two are never merged.
 */
export function validateValue(
  type: ResolvedFieldType,
  value: unknown,
  callerOptions: readonly string[],
): ValidationResult {
  if (isEmpty(value)) return accept('');
  const own = type.options ?? [];
  const rule = { ...type, options: own.length > 0 ? own : callerOptions, fields: type.fields ?? [] };
  switch (type.input) {
    case 'multilist':
      return validateMultilist(rule, value);
    case 'composite':
      return validateComposite(rule, value);
    case 'file':
    case 'pages':
      return validateFile(rule, value);
    default:
      return validateText(rule, value);
  }
}
