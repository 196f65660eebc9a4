import {
  decodeBase64,
  encodeBase64,
  fingerprint,
  fingerprintWords,
  generateKeyPair,
  importPrivateKey,
  openText,
  sealValue,
  type Wrapper,
} from '@symbolon/crypto';
import type { NewRecoveryKey } from '@symbolon/protocol';
import { ConfigurationError, DecryptionError, UnconfirmedKeyError } from '../http/errors.ts';

type Pkcs8 = Uint8Array<ArrayBuffer>;

/**
 * A new recovery key pair, with its private half sealed to the login's public key. It is opened again here with the login's
 * private key before it is sent, so that no company has a recovery key that nothing opens.
 */
export async function newRecoveryKey(login: { publicKey: string; pkcs8: Pkcs8 }): Promise<NewRecoveryKey> {
  const { publicKey, privateKey } = await generateKeyPair();
  const sealed = await sealRecoveryKey(privateKey, login.publicKey);
  privateKey.fill(0);
  const made = { public_key: publicKey, sealed };
  (await openRecoveryKey(made, login.pkcs8)).fill(0);
  return made;
}

/** Seals the private half for one login. */
export function sealRecoveryKey(recoveryKey: Pkcs8, publicKey: string): Promise<Wrapper> {
  return sealValue(encodeBase64(recoveryKey), publicKey);
}

/**
 * Opens a sealed copy of the recovery key with a login's private key, and makes sure that it belongs to the public key.
 *
 * @throws DecryptionError `sdk.recovery_key_damaged`
 */
export async function openRecoveryKey(
  copy: { public_key: string; sealed: Wrapper },
  loginKey: Pkcs8,
): Promise<Pkcs8> {
  try {
    const pkcs8 = decodeBase64(await openText(copy.sealed, await importPrivateKey(loginKey)));
    const probe = globalThis.crypto.randomUUID();
    const opened = await openText(await sealValue(probe, copy.public_key), await importPrivateKey(pkcs8));
    if (opened === probe) return pkcs8;
  } catch {
    // Every cause has the same consequence.
  }
  const message = 'The copy of the recovery key cannot be opened, or belongs to another key.';
  throw new DecryptionError({ errorKey: 'sdk.recovery_key_damaged', message });
}

/**
 * Compares the recovery key of the platform with the confirmed fingerprint. A platform that names a key of its own could
 * otherwise read every passphrase that is sealed to it.
 *
 * @throws UnconfirmedKeyError `sdk.recovery_key_unconfirmed`, `sdk.recovery_key_changed`, with `fingerprint` and `words` in
 * its details
 */
export async function checkRecoveryKey(publicKey: string, confirmed: string | undefined): Promise<void> {
  const found = await fingerprint(publicKey);
  if (found === confirmed) return;
  const details = { fingerprint: found, words: await fingerprintWords(found), confirmed: confirmed ?? null };
  throw new UnconfirmedKeyError(
    confirmed === undefined
      ? {
          errorKey: 'sdk.recovery_key_unconfirmed',
          message:
            "Nothing was sealed: this client does not know the company's recovery key. Compare its words with a person who has confirmed it, then set recoveryKeyFingerprint (SYMBOLON_RECOVERY_KEY_FINGERPRINT).",
          details,
        }
      : {
          errorKey: 'sdk.recovery_key_changed',
          message:
            'Nothing was sealed: the platform names another recovery key than the confirmed one. Ask an owner whether it was replaced, and compare the words before you confirm it.',
          details,
        },
  );
}

/** A fingerprint of the configuration, in lower case. @throws ConfigurationError `sdk.configuration` */
export function checkedFingerprint(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-f]{64}$/i.test(text)) return text?.toLowerCase();
  const message = 'The fingerprint of the recovery key is not 64 hexadecimal digits.';
  throw new ConfigurationError({ errorKey: 'sdk.configuration', message });
}
