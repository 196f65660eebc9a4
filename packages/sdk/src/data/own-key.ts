import { createPublicKey, type KeyObject } from 'node:crypto';

/** The public half of a private key, base64 SPKI: the platform is not asked for it. */
export function publicHalf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}
