import { randomBytes } from 'node:crypto';
import type { PersonAccount, PortalAccount } from '@symbolon/protocol';

/*
 * Accounts as devices send them. What the platform cannot look into is random bytes, so that a test need not derive keys;
 * the public keys are real.
 */

export function personAccount(publicKey: string, displayName = 'Ada'): PersonAccount {
  return { display_name: displayName, public_key: publicKey, ...credentials() };
}

export function portalAccount(publicKey: string, name = 'Acme'): PortalAccount {
  return {
    name,
    key: { public_key: publicKey },
    ...credentials(),
    recovery_key: {
      public_key: publicKey,
      sealed: { _enc: 1, k: base64(256), iv: base64(12), d: base64(1640) },
    },
  };
}

/** Password and recovery code of a login; its secrets prove who is present. */
export function credentials() {
  return {
    version: 1,
    salt: base64(16),
    login_secret: base64(32),
    encrypted_private_key: wrappedKey(),
    recovery: { secret: base64(32), encrypted_private_key: wrappedKey() },
  };
}

function wrappedKey() {
  return { iv: base64(12), data: base64(1234) };
}

/** Shaped like a sealed value, and no two are alike; a mark stands where the ciphertext would. */
export function markedValue(mark = ''): string {
  const d = Buffer.concat([Buffer.from(`${mark} `), randomBytes(24)]).toString('base64');
  return JSON.stringify({ _enc: 1, k: base64(256), iv: base64(12), d });
}

/** @throws when the value was not marked so */
export function markOf(value: string, form: RegExp): RegExpExecArray {
  const { d } = JSON.parse(value) as { d: string };
  const found = form.exec(Buffer.from(d, 'base64').toString('latin1'));
  if (found === null) throw new Error(`An unknown value: ${value.slice(0, 80)}`);
  return found;
}

export function base64(length: number): string {
  return randomBytes(length).toString('base64');
}
