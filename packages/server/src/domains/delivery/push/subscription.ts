import { createHash, ECDH, timingSafeEqual } from 'node:crypto';
import type { AddDeviceRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Secrets } from '../../../core/secrets.ts';
import { checkTargetUrl } from '../../../outgoing/target-url.ts';

/** What a browser gives for a service that wants to send to it (Push API; RFC 8291 section 2). */
export interface Subscription {
  readonly endpoint: string;
  readonly keys: {
    /** The browser's public key: an uncompressed point on P-256, base64url. */
    readonly p256dh: string;
    /** 16 random bytes that the browser made, base64url. */
    readonly auth: string;
  };
}

const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/**
 * Checks what a browser sent. Endpoints obey the rules of webhook addresses (wire 2.8), because anybody can send any.
 * @throws {PlatformError} people.push_subscription_invalid
 */
export function readSubscription(
  { endpoint, keys }: AddDeviceRequest,
  options: { allowLoopback: boolean },
): Subscription {
  const refusal = checkTargetUrl(endpoint, options);
  if (refusal !== undefined) throw invalid(refusal);
  const point = bytesOf(keys.p256dh);
  if (point.length !== POINT_BYTES || point[0] !== 4 || !isOnCurve(point))
    throw invalid('keys.p256dh is no point on P-256 of 65 bytes.');
  const auth = bytesOf(keys.auth);
  if (auth.length !== AUTH_BYTES) throw invalid('keys.auth does not have 16 bytes.');
  return {
    endpoint,
    keys: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
  };
}

export function invalid(text: string): PlatformError {
  return new PlatformError('people.push_subscription_invalid', { text });
}

/** Node reads base64 as well as base64url. */
const bytesOf = (text: string) => Buffer.from(text, 'base64url');

function isOnCurve(point: Buffer): boolean {
  try {
    ECDH.convertKey(point, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

export const hashOf = (endpoint: string) => createHash('sha256').update(endpoint).digest('base64url');

/** Whether two subscriptions are of the same browser: an attacker with the endpoint alone does not know these. */
export function haveSameKeys(one: Subscription, other: Subscription): boolean {
  const [a, b] = [one, other].map(({ keys }) => hashBytes(`${keys.p256dh} ${keys.auth}`));
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

const hashBytes = (text: string) => createHash('sha256').update(text).digest();

const placeOf = (id: string) => ({ table: 'push_subscriptions', column: 'subscription', id }) as const;

export function sealSubscription(
  secrets: Pick<Secrets, 'encrypt'>,
  id: string,
  subscription: Subscription,
): string {
  return secrets.encrypt(Buffer.from(JSON.stringify(subscription)), placeOf(id));
}

export function openSubscription(
  secrets: Pick<Secrets, 'decrypt'>,
  row: { readonly id: string; readonly subscription: string },
): Subscription {
  return JSON.parse(secrets.decrypt(row.subscription, placeOf(row.id)).toString()) as Subscription;
}
