import { Secret, TOTP } from 'otpauth';

/*
 * Time-based one-time passwords (RFC 6238) with the parameters every authenticator app takes: SHA-1, six digits, thirty
 * seconds.
 */
const PERIOD_S = 30;
const parameters = { issuer: 'Symbolon', algorithm: 'SHA1', digits: 6, period: PERIOD_S } as const;
/** A clock may be wrong by a step in either direction (RFC 6238 5.2). */
const WINDOW = 1;

/** 160 random bits, as RFC 4226 recommends. */
export function newTotpSecret(): Uint8Array {
  return new Secret({ size: 20 }).bytes;
}

/** What an authenticator app is set up with: base32 text to type in, and the address behind a QR code. */
export function totpSetup(secret: Uint8Array, account: string): { secret: string; otpauth_url: string } {
  const totp = totpOf(secret, account);
  return { secret: totp.secret.base32, otpauth_url: totp.toString() };
}

/** The time step a code belongs to; undefined when it is outside the accepted window. */
export function totpStep(secret: Uint8Array, code: string, now: number): number | undefined {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf(secret, '').validate({ token, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta;
}

function totpOf(secret: Uint8Array, label: string): TOTP {
  const { buffer } = Uint8Array.from(secret);
  return new TOTP({ ...parameters, label, secret: new Secret({ buffer }) });
}
