import { PlatformError } from '../../../core/errors.ts';
import { parseSealed } from '../../../core/sealed-value.ts';

/** The id of the file that a value names in the place of a wrapper. */
export function namedFile(value: unknown): string | undefined {
  const given = typeof value === 'string' && value.startsWith('{"_enc_file"') ? parsed(value) : value;
  if (typeof given !== 'object' || given === null || !('_enc_file' in given)) return undefined;
  const { _enc_file: file } = given;
  return typeof file === 'string' ? file : '';
}

/** What stands for a file among answers. */
export const fileValue = (id: string): string => JSON.stringify({ _enc_file: id });

/**
 * The stored form of a sealed value.
 * @throws {PlatformError} contact_data.encryption_required, contact_data.wrapper_invalid, contact_data.value_too_large
 */
export const sealedText = (value: unknown): string => parseSealed(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PlatformError('contact_data.wrapper_invalid');
  }
}
