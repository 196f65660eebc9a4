import { CryptoError, parseWrapper, serializeWrapper, type Wrapper } from '@symbolon/crypto';
import { limits } from '@symbolon/protocol';
import { PlatformError } from './errors.ts';

/**
 * The stored form of a sealed value.
 * @param input a wrapper as it was sent: object or JSON text
 * @throws {PlatformError} contact_data.encryption_required for what does not even look like one,
 *   contact_data.wrapper_invalid for one that is malformed, contact_data.value_too_large (wire 2.3)
 */
export function parseSealed(input: unknown): string {
  const wrapper = read(input);
  if (wrapper === undefined) {
    throw new PlatformError(
      claimsToBeSealed(input) ? 'contact_data.wrapper_invalid' : 'contact_data.encryption_required',
    );
  }
  if (wrapper.d.length > limits.wrapperTextMost) throw new PlatformError('contact_data.value_too_large');
  return serializeWrapper(wrapper);
}

function read(input: unknown): Wrapper | undefined {
  try {
    return parseWrapper(input);
  } catch (error) {
    if (error instanceof CryptoError) return undefined;
    throw error;
  }
}

/** Has the marker of ciphertext, whatever else is wrong with it. */
function claimsToBeSealed(input: unknown): boolean {
  let value = input;
  if (typeof input === 'string') {
    try {
      value = JSON.parse(input);
    } catch {
      return false;
    }
  }
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '_enc');
}
