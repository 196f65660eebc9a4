import type { FieldTypeRegistry } from '@symbolon/field-types';
import { limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';

/**
 * The members of an envelope in plaintext, which has a file (wire 2.4).
 * @throws {PlatformError} contact_data.value_invalid, contact_data.file_too_large
 */
export function readEnvelope(
  registry: FieldTypeRegistry,
  type: string,
  envelope: string,
): Record<string, unknown> {
  const result = registry.validate(type, envelope);
  if (!result.valid || registry.lacksFile(type, envelope)) {
    const message = result.valid ? 'has no file' : result.message;
    throw new PlatformError('contact_data.value_invalid', {
      details: { issues: [{ path: result.valid ? '' : result.path, message }] },
    });
  }
  const members = result.normalized as Record<string, unknown>;
  const size = filesIn(members).reduce((sum, uri) => sum + sizeOf(uri), 0);
  if (size > limits.fileBytes) throw new PlatformError('contact_data.file_too_large');
  return members;
}

/** The data URIs of an envelope. The small form of a photo is for the person alone. */
export function filesIn({ full, file, pages }: Record<string, unknown>): string[] {
  const found = Array.isArray(pages) ? pages.map((page: { file?: unknown }) => page.file) : [full ?? file];
  return found.filter((uri) => typeof uri === 'string');
}

/** Bytes of the file in a data URI. */
function sizeOf(uri: string): number {
  const padding = uri.endsWith('==') ? 2 : uri.endsWith('=') ? 1 : 0;
  return ((uri.length - uri.indexOf(',') - 1) / 4) * 3 - padding;
}
