import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from '../../../core/key-ring.ts';

type Keys = Pick<KeyRing, 'current' | 'has' | 'key'>;

/** What a sealed text is for: one made for another purpose does not open. */
export type SealedPurpose = 'call' | 'registry' | 'report';

/** A version of the secret, then the base64url of IV, ciphertext and tag. */
const SEALED = /^([1-9]\d{0,5})\.([A-Za-z0-9_-]+)$/;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a text that the API and the forwarder exchange, under a key that derives from the platform's secret: no other party can
 * read it, make it or change it.
 */
export function sealText(keys: Keys, purpose: SealedPurpose, text: string, version = keys.current): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keys.key('forwarder', version), iv);
  cipher.setAAD(Buffer.from(purpose));
  const data = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${data.toString('base64url')}`;
}

/** The version of the secret that a sealed text names. */
export const versionOf = (sealed: string) => Number(SEALED.exec(sealed)?.[1]);

/** Undefined for a text that was not sealed for this purpose. */
export function openText(keys: Keys, purpose: SealedPurpose, sealed: string): string | undefined {
  const [, version = '', encoded = ''] = SEALED.exec(sealed) ?? [];
  const data = Buffer.from(encoded, 'base64url');
  if (data.length < IV_BYTES + TAG_BYTES || !keys.has(Number(version))) return undefined;
  const key = keys.key('forwarder', Number(version));
  const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, IV_BYTES));
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(data.subarray(-TAG_BYTES));
  try {
    return decipher.update(data.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
