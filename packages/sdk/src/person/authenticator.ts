import { derivePasskeyWrapKey, passkeyPrfInput, unwrapPrivateKey } from '@symbolon/crypto';
import type {
  AuthenticationResponseJSON,
  PasskeyCreationOptions,
  PresenceOptions,
  PresenceProof,
  RegistrationResponseJSON,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import { openingKey } from '../http/opening-key.ts';

/** As `BufferSource`, which programs without the types of browsers do not know. */
type Bytes = ArrayBuffer | ArrayBufferView;

/** The input of the PRF extension, and nothing else that the platform does not say itself. */
type Extensions = { prf: { eval: { first: ArrayBuffer } }; credProps?: true };
type Given<T> = Omit<T, 'clientExtensionResults'> & { clientExtensionResults: object };

export type AssertionOptions = {
  challenge: string;
  rpId: string;
  userVerification: 'required';
  allowCredentials?: { id: string; type: 'public-key' }[];
  extensions: Extensions;
};
export type CreationOptions = Omit<PasskeyCreationOptions, 'excludeCredentials' | 'extensions'> & {
  excludeCredentials: { id: string; type: 'public-key' }[];
  extensions: Extensions;
};

/**
 * Where passkeys are. It takes options and gives answers in the JSON forms of Web Authentication, except that inputs and
 * outputs of the PRF extension are bytes, as `startRegistration` and `startAuthentication` of `@simplewebauthn/browser` do.
 */
export type Authenticator = {
  create(options: CreationOptions): Promise<Given<RegistrationResponseJSON>>;
  get(options: AssertionOptions): Promise<Given<AuthenticationResponseJSON>>;
};

/** An answer as it is sent, and what the passkey gave to this device alone. */
type Answered<T> = { credential: T; prfOutput: Uint8Array | undefined; hasPrf: boolean };

/** @param asked.credentialIds which passkeys may answer; any that the relying party knows when left out */
export async function answerOf(
  authenticator: Authenticator,
  asked: { nonce: string; rpId: string; credentialIds?: readonly string[] },
): Promise<Answered<AuthenticationResponseJSON>> {
  const { nonce, rpId, credentialIds } = asked;
  const given = await authenticator.get({
    challenge: nonce,
    rpId,
    userVerification: 'required',
    ...(credentialIds && { allowCredentials: credentialIds.map((id) => ({ id, type: 'public-key' })) }),
    extensions: withPrf(),
  });
  return answered(given);
}

/** A passkey's proof of presence. */
export async function passkeyProof(
  authenticator: Authenticator,
  { nonce, rp_id: rpId, credential_ids: credentialIds }: PresenceOptions,
): Promise<PresenceProof> {
  const { credential } = await answerOf(authenticator, { nonce, rpId, credentialIds });
  return { kind: 'passkey', nonce, credential };
}

export async function createdBy(
  authenticator: Authenticator,
  { excludeCredentials, extensions, ...options }: PasskeyCreationOptions,
): Promise<Answered<RegistrationResponseJSON>> {
  const given = await authenticator.create({
    ...options,
    excludeCredentials: excludeCredentials.map(({ id, type }) => ({ id, type })),
    extensions: { ...extensions, ...withPrf() },
  });
  return answered(given);
}

/** Opens the private key by what a passkey gave. @throws DecryptionError `sdk.password_wrong`, `sdk.key_malformed` */
export async function openByPrf(wrapped: WrappedPrivateKey, prfOutput: Uint8Array) {
  return openingKey(unwrapPrivateKey(wrapped, await derivePasskeyWrapKey(prfOutput)));
}

const withPrf = (): Extensions => ({ prf: { eval: { first: passkeyPrfInput().slice().buffer } } });

/** What opens the private key is taken out: it must not be sent. */
function answered<T>({ clientExtensionResults, ...credential }: Given<T>): Answered<T> {
  const { prf } = clientExtensionResults as {
    prf?: { enabled?: boolean; results?: { first?: Bytes } };
  };
  const first = prf?.results?.first;
  return {
    credential: { ...credential, clientExtensionResults: {} } as T,
    prfOutput: first && bytesOf(first),
    hasPrf: first !== undefined || prf?.enabled === true,
  };
}

function bytesOf(source: Bytes): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}
