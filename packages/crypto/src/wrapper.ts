import { base64Length } from './base64.ts';
import { CryptoError } from './errors.ts';

/** An encrypted value as it is sent and stored (wire 2.3). All members but the marker are base64. */
export type Wrapper = {
  /** Marks ciphertext; other numbers exist only inside person apps. */
  _enc: 1;
  /** The AES-256 key under RSA-OAEP, 256 bytes. */
  k: string;
  /** The AES-GCM nonce, 12 bytes. */
  iv: string;
  /** The ciphertext followed by the 16-byte tag. */
  d: string;
};

/**
 * Checks the shape of a wrapper given as an object or as JSON text: exactly the four members in any order, the
 * marker the number 1, canonical base64 of the right lengths. Does not check whether a key opens it.
 *
 * @throws CryptoError `wrapper_malformed`
 */
export function parseWrapper(input: unknown): Wrapper {
  const wrapper = readMembers(input);
  const tagged = base64Length(wrapper.d);
  if (
    base64Length(wrapper.k) !== WRAPPED_KEY_BYTES ||
    base64Length(wrapper.iv) !== IV_BYTES ||
    tagged === undefined ||
    tagged < TAG_BYTES
  ) {
    throw new CryptoError('wrapper_malformed');
  }
  return wrapper;
}

/** Whether {@link parseWrapper} accepts the input. */
export function isWrapper(input: unknown): input is Wrapper | string {
  try {
    parseWrapper(input);
    return true;
  } catch {
    return false;
  }
}

/** JSON text with the members in the order `_enc`, `k`, `iv`, `d`. */
export function serializeWrapper(wrapper: Wrapper): string {
  return JSON.stringify({ _enc: wrapper._enc, k: wrapper.k, iv: wrapper.iv, d: wrapper.d });
}

/**
 * The members of a wrapper. Their base64 is not checked yet, for callers that decode it anyway.
 *
 * @throws CryptoError `wrapper_malformed`
 */
export function readMembers(input: unknown): Wrapper {
  const value = typeof input === 'string' ? parseJson(input) : input;
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 4) {
    const { _enc, k, iv, d } = value as Record<string, unknown>;
    if (_enc === 1 && typeof k === 'string' && typeof iv === 'string' && typeof d === 'string') {
      return { _enc, k, iv, d };
    }
  }
  throw new CryptoError('wrapper_malformed');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const WRAPPED_KEY_BYTES = 256;
export const IV_BYTES = 12;
export const TAG_BYTES = 16;
