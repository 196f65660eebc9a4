import { createDecipheriv } from 'node:crypto';
import { limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { readJson } from '../../../http/json-body.ts';

const [NONCE, TAG] = [12, 16];
/** Keys of a bundle: slugs, their members, constants and tags. */
const MOST_VALUES = 60_000;

/**
 * Opens a part of a one-time bundle (wire 13.14): nonce, ciphertext and tag of AES-256-GCM, in base64.
 * @throws {PlatformError} flows.generate_inputs_mismatch
 */
export function openPart(otk: Buffer, text: string): Buffer {
  const sealed = Buffer.from(text, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', otk, sealed.subarray(0, NONCE), { authTagLength: TAG });
    decipher.setAuthTag(sealed.subarray(-TAG));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]);
  } catch {
    // Without the cause: nothing of a bundle reaches a log.
    throw new PlatformError('flows.generate_inputs_mismatch');
  }
}

/** The values of a bundle: texts by key. @throws {PlatformError} flows.generate_inputs_mismatch */
export function openValues(otk: Buffer, text: string): Map<string, string> {
  const parsed = parse(openPart(otk, text));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw mismatch();
  const entries = Object.entries(parsed);
  if (entries.length > MOST_VALUES) throw mismatch();
  return new Map(
    entries.map(([key, value]) => {
      if (typeof value !== 'string') throw mismatch();
      return [key, value];
    }),
  );
}

/** One object of texts: what is nested deeper, or has more values, is refused while it is read. */
const BOUNDS = { values: MOST_VALUES + 1, structureBytes: limits.flowValuesMost, depth: 2 } as const;

function parse(text: Buffer): unknown {
  try {
    return readJson(text, BOUNDS);
  } catch {
    throw mismatch();
  }
}

const mismatch = () => new PlatformError('flows.generate_inputs_mismatch');
