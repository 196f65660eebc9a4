import { createECDH, createPrivateKey, sign } from 'node:crypto';
import type { VapidKeys } from './vapid.ts';

/** A push service refuses tokens that live for more than a day (RFC 8292 section 2). */
const LIFETIME_S = 12 * 60 * 60;
const CURVE = 'prime256v1';
const KEY_BYTES = 32;

/** A new key pair: an uncompressed point on P-256, and its number. */
export function newVapidKeys(): VapidKeys {
  const pair = createECDH(CURVE);
  const publicKey = pair.generateKeys('base64url');
  // It comes without leading zeros.
  const digits = pair.getPrivateKey('hex').padStart(2 * KEY_BYTES, '0');
  return { publicKey, privateKey: Buffer.from(digits, 'hex').toString('base64url') };
}

/**
 * The header by which a push service knows who sends (RFC 8292 section 3).
 * @param endpoint of the subscription
 * @param subject contact of the operator
 * @param now milliseconds
 */
export function vapidHeader(endpoint: string, subject: string, keys: VapidKeys, now = Date.now()): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + LIFETIME_S, sub: subject };
  const text = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(text), { key: keyOf(keys), dsaEncoding: 'ieee-p1363' });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${keys.publicKey}`;
}

function keyOf({ publicKey, privateKey }: VapidKeys) {
  const point = Buffer.from(publicKey, 'base64url');
  const x = point.toString('base64url', 1, 1 + KEY_BYTES);
  const y = point.toString('base64url', 1 + KEY_BYTES);
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' });
}
