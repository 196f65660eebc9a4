import { CryptoError, decodeBase64, deriveLoginKeys, type LoginKeys } from '@symbolon/crypto';
import type { LoginParameters } from '@symbolon/protocol';
import { AuthenticationError, DecryptionError, TransportError } from '../http/errors.ts';
import type { Transport } from '../http/transport.ts';
import { type LoginArea, postHome } from './home-call.ts';

export type DerivedLogin = LoginKeys & { version: number; base: string };

/**
 * Asks for the salt of an address and derives the login keys from the password.
 *
 * @param lastVersion the account's recipe version at the last sign-in, where the device remembers it
 * @throws AuthenticationError `sdk.login_version_lowered`, `sdk.login_version_unknown`: nothing derived from the password
 * was sent
 */
export async function loginKeysFor(
  transport: Transport,
  base: string,
  area: LoginArea,
  access: { email: string; password: string; lastVersion?: number | undefined },
): Promise<DerivedLogin> {
  const { email, password, lastVersion } = access;
  const found = await postHome<LoginParameters>(transport, base, `${area}/login/parameters`, { email });
  const keys = await deriveFrom(found.body, password, lastVersion);
  return { ...keys, version: found.body.version, base: found.base };
}

/** Derives the login keys by the parameters of the platform. */
export async function deriveFrom(
  { version, salt }: LoginParameters,
  password: string,
  lastVersion?: number,
): Promise<LoginKeys> {
  try {
    return await deriveLoginKeys(password, { version, salt: decodeBase64(salt) }, { lastVersion });
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    const { code, message } = error;
    if (code === 'login_version_lowered' || code === 'login_version_unknown') {
      throw new AuthenticationError({ errorKey: `sdk.${code}`, message });
    }
    const malformed = 'The platform gave no usable salt for the password.';
    throw new TransportError({ errorKey: 'sdk.unexpected_answer', message: malformed });
  }
}

/** An account needs its private key, which this client does not have. */
export function keyLocked(): DecryptionError {
  const message = 'This client is signed in without the key of the account. Sign in with the password.';
  return new DecryptionError({ errorKey: 'sdk.key_locked', message });
}
