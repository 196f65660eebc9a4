import { createDecipheriv } from 'node:crypto';
import { PlatformError } from '../../../core/errors.ts';

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

function parse(text: Buffer): unknown {
  if (!isFlat(text)) throw mismatch();
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    throw mismatch();
  }
}

const [QUOTE, BACKSLASH, BRACE, BRACKET, COMMA] = [0x22, 0x5c, 0x7b, 0x5b, 0x2c];

/** Whether this can be one object of texts. Millions of lists in lists would hold the thread while they are parsed. */
function isFlat(json: Buffer): boolean {
  let [inText, braces, values] = [false, 0, 1];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) inText = !inText;
    else if (inText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === BRACKET || (byte === BRACE && ++braces > 1)) return false;
    else if (byte === COMMA && ++values > MOST_VALUES) return false;
  }
  return true;
}

const mismatch = () => new PlatformError('flows.generate_inputs_mismatch');
