import {
  type CryptoKey,
  createServiceKey,
  decryptPem,
  derivePasskeyWrapKey,
  derivePinsKey,
  derivePublicKey,
  deriveRecoveryKeys,
  fingerprint,
  fingerprintWords,
  importPrivateKey,
  openText,
  sealValue,
  unwrapPrivateKey,
  type WrappedPrivateKey,
  type Wrapper,
  wrapPrivateKey,
} from '@symbolon/crypto';
import type { LoginParameters, OpenedRecoveryKey, PersonField } from '@symbolon/protocol';
import {
  checkRecoveryKey,
  deriveFrom,
  newCredentials,
  newLogin,
  newRecoveryKey,
  openLoginKey,
  openRecoveryKey,
  passwordMaterial,
  recoveryMaterial,
  SymbolonError,
  sealRecoveryKey,
} from '@symbolon/sdk/device';
import { openAll } from './open-field.ts';
import { serve } from './worker-side.ts';

/**
 * The keys of a person as this browser keeps them: they open values and cannot be read. The public key is the other half of the
 * private one, whatever the platform says.
 */
export type DeviceKeys = { key: CryptoKey; pinsKey: CryptoKey; publicKey: string };

/** What the private key of a login is opened with. */
type Wrapping = { wrapped: WrappedPrivateKey; wrapKey: CryptoKey };
/** The copy of the recovery key that a login has. */
type HeldCopy = Wrapping & {
  held: OpenedRecoveryKey;
  /** The fingerprint of the recovery key that this browser trusts, where it trusts one. */
  confirmed: string | undefined;
};

/** Runs beside the page, so that nothing freezes while keys are derived. The readable private key never leaves it. */
const acts = {
  /** Makes a login. */
  async newLogin({ password, about }: { password: string; about: readonly string[] }) {
    const { publicKey, credentials, pkcs8, recoveryCode } = await newLogin(password, about);
    return { publicKey, credentials, recoveryCode, keys: await keysOf(pkcs8) };
  },
  /** Makes the login of a company, and its recovery key. */
  async newCompany({ password, about }: { password: string; about: readonly string[] }) {
    const { publicKey, credentials, pkcs8, recoveryCode } = await newLogin(password, about);
    const recoveryKey = await newRecoveryKey({ publicKey, pkcs8 });
    pkcs8.fill(0);
    const sha256 = await fingerprint(recoveryKey.public_key);
    return { publicKey, credentials, recoveryCode, recoveryKey, sha256 };
  },
  /** Makes the key pair of a service, and opens a word with it as the files of the company will. */
  async newServiceKey(_: object) {
    const made = await createServiceKey();
    const key = await importPrivateKey(await decryptPem(made.privateKeyPem, made.passphrase));
    const word = crypto.randomUUID();
    if ((await openText(await sealValue(word, made.publicKey), key)) !== word)
      throw new Error('The new key opens nothing.');
    return { ...made, sha256: await fingerprint(made.publicKey) };
  },
  async seal({ text, publicKey }: { text: string; publicKey: string }) {
    return sealValue(text, publicKey);
  },
  async openFields({ fields, key }: { fields: readonly PersonField[]; key: CryptoKey }) {
    return openAll(fields, key);
  },
  /** A key in words that people can compare. */
  async words({ sha256 }: { sha256: string }) {
    return fingerprintWords(sha256);
  },
  /** The same of the key itself, whatever the platform says of its fingerprint. */
  async wordsOf({ publicKey }: { publicKey: string }) {
    return fingerprintWords(await fingerprint(publicKey));
  },
  async loginSecret(input: { parameters: LoginParameters; password: string; lastVersion?: number }) {
    return deriveFrom(input.parameters, input.password, input.lastVersion);
  },
  async open({ wrapped, wrapKey }: { wrapped: WrappedPrivateKey; wrapKey: CryptoKey }) {
    return keysOf(await unwrapPrivateKey(wrapped, wrapKey));
  },
  /** @param input.output of the PRF extension of a passkey */
  async openByPasskey({ wrapped, output }: { wrapped: WrappedPrivateKey; output: Uint8Array }) {
    return keysOf(await unwrapPrivateKey(wrapped, await derivePasskeyWrapKey(output)));
  },
  async wrapForPasskey(input: { wrapped: WrappedPrivateKey; wrapKey: CryptoKey; output: Uint8Array }) {
    const pkcs8 = await unwrapPrivateKey(input.wrapped, input.wrapKey);
    const wrapped = await wrapPrivateKey(pkcs8, await derivePasskeyWrapKey(input.output));
    pkcs8.fill(0);
    return wrapped;
  },
  async recoverySecret({ code }: { code: string }) {
    return deriveRecoveryKeys(code);
  },
  /** A new password and a new recovery code for a key that an old one opens. */
  async newCredentials(input: {
    wrapped: WrappedPrivateKey;
    wrapKey: CryptoKey;
    password: string;
    about: readonly string[];
  }) {
    const pkcs8 = await unwrapPrivateKey(input.wrapped, input.wrapKey);
    const { credentials, recoveryCode } = await newCredentials(input.password, pkcs8, input.about);
    return { credentials, recoveryCode, keys: await keysOf(pkcs8) };
  },
  async newPassword(input: {
    wrapped: WrappedPrivateKey;
    wrapKey: CryptoKey;
    password: string;
    about: readonly string[];
  }) {
    const pkcs8 = await unwrapPrivateKey(input.wrapped, input.wrapKey);
    return (await passwordMaterial(input.password, pkcs8, input.about)).material;
  },
  async newPasswordByPasskey(input: {
    wrapped: WrappedPrivateKey;
    output: Uint8Array;
    password: string;
    about: readonly string[];
  }) {
    const pkcs8 = await unwrapPrivateKey(input.wrapped, await derivePasskeyWrapKey(input.output));
    return (await passwordMaterial(input.password, pkcs8, input.about)).material;
  },
  async newRecoveryCode({ wrapped, wrapKey }: { wrapped: WrappedPrivateKey; wrapKey: CryptoKey }) {
    return recoveryMaterial(await unwrapPrivateKey(wrapped, wrapKey));
  },
  /** The key of a login in words, made of its private half. */
  async ownWords({ wrapped, wrapKey }: Wrapping) {
    const pkcs8 = await openLoginKey(wrapped, wrapKey);
    const publicKey = await derivePublicKey(pkcs8);
    pkcs8.fill(0);
    return fingerprintWords(await fingerprint(publicKey));
  },
  /** Opens what is sealed to the recovery key. */
  async openRecoveryCopy({ sealed, ...copy }: HeldCopy & { sealed: Wrapper }) {
    const key = await withRecoveryKey(copy, importPrivateKey);
    try {
      return await openText(sealed, key);
    } catch {
      const message = 'The recovery key does not open this copy.';
      throw new SymbolonError({ errorKey: 'page.recovery_copy_unreadable', message });
    }
  },
  /** Seals the recovery key for another login. */
  async shareRecoveryKey({ publicKey, ...copy }: HeldCopy & { publicKey: string }) {
    return withRecoveryKey(copy, (pkcs8) => sealRecoveryKey(pkcs8, publicKey));
  },
};

/** Opens the recovery key for one act. */
async function withRecoveryKey<T>(
  { wrapped, wrapKey, held, confirmed }: HeldCopy,
  act: (pkcs8: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  if (confirmed !== undefined) await checkRecoveryKey(held.public_key, confirmed);
  const loginKey = await openLoginKey(wrapped, wrapKey);
  const pkcs8 = await openRecoveryKey(held, loginKey).finally(() => loginKey.fill(0));
  return act(pkcs8).finally(() => pkcs8.fill(0));
}

/** Makes the readable key into keys that cannot be exported, and wipes it. */
async function keysOf(pkcs8: Uint8Array<ArrayBuffer>): Promise<DeviceKeys> {
  const [key, pinsKey, publicKey] = await Promise.all([
    importPrivateKey(pkcs8),
    derivePinsKey(pkcs8),
    derivePublicKey(pkcs8),
  ]);
  pkcs8.fill(0);
  return { key, pinsKey, publicKey };
}

export type DeviceActs = typeof acts;

serve(acts);
