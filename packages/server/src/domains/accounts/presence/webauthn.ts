import { createPublicKey } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@symbolon/protocol';
import { loadedOnce } from '../../../core/loaded-once.ts';
import type { RelyingParty } from './relying-party.ts';
import type { PasskeyColumns } from './tables.ts';

/*
 * Checks of what authenticators answer, by a library (Web Authentication, level 3, 7.1 and 7.2). Its formats of attestation
 * are many, so it is loaded when the first passkey is used.
 */

/** ES256, EdDSA and RS256: what authenticators in use can make. */
export const ALGORITHMS = [-7, -8, -257] as const;

type Options<F extends (options: never) => unknown> = Parameters<F>[0];
type Library = typeof import('@simplewebauthn/server');
const library = loadedOnce(() => import('@simplewebauthn/server'));

/** What is stored of a new passkey. */
export type NewCredential = Pick<
  PasskeyColumns,
  'credential_id' | 'public_key' | 'counter' | 'transports' | 'backup_eligible' | 'backed_up'
>;

/** Undefined for an answer that is not good. The authenticator must have verified its user. */
export async function checkRegistration(
  answer: RegistrationResponseJSON,
  nonce: string,
  party: RelyingParty,
): Promise<NewCredential | undefined> {
  if (isFramed(answer.response.clientDataJSON)) return undefined;
  const { verifyRegistrationResponse } = await library();
  const checked = await verifyRegistrationResponse({
    response: answer as unknown as Options<Library['verifyRegistrationResponse']>['response'],
    expectedChallenge: nonce,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...ALGORITHMS],
  }).catch(notGood);
  if (!checked?.verified) return undefined;
  const { registrationInfo: info } = checked;
  if (!(await isUsable(info.credential.publicKey).catch(() => false))) return undefined;
  return {
    credential_id: info.credential.id,
    public_key: Buffer.from(info.credential.publicKey).toString('base64url'),
    counter: info.credential.counter,
    transports: JSON.stringify(answer.response.transports ?? []),
    backup_eligible: info.credentialDeviceType === 'multiDevice' ? 1 : 0,
    backed_up: info.credentialBackedUp ? 1 : 0,
  };
}

/** Whether a key is neither weak nor slow: the owner of an account chooses it, and every answer is checked with it. */
async function isUsable(publicKey: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  const key = decodeCredentialPublicKey(publicKey);
  if (!cose.isCOSEPublicKeyRSA(key)) return true;
  const text = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).toString('base64url');
  const jwk = { kty: 'RSA', n: text(key.get(cose.COSEKEYS.n)), e: text(key.get(cose.COSEKEYS.e)) };
  const { asymmetricKeyDetails = {} } = createPublicKey({ key: jwk, format: 'jwk' });
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails;
  return modulusLength >= 2048 && modulusLength <= 4096 && publicExponent < 2n ** 32n;
}

/**
 * What changes of a passkey by an answer; undefined for one that is not good: of another nonce, origin or relying party,
 * without user verification, or with a wrong signature. Its counter is compared when it is stored.
 */
export async function checkAssertion(
  answer: AuthenticationResponseJSON,
  nonce: string,
  party: RelyingParty,
  passkey: PasskeyColumns,
): Promise<Pick<PasskeyColumns, 'counter' | 'backed_up'> | undefined> {
  if (isFramed(answer.response.clientDataJSON)) return undefined;
  const { verifyAuthenticationResponse } = await library();
  const checked = await verifyAuthenticationResponse({
    response: answer as unknown as Options<Library['verifyAuthenticationResponse']>['response'],
    expectedChallenge: nonce,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      // The library does not know which passkeys may be copied.
      counter: 0,
    },
  }).catch(notGood);
  if (!checked?.verified) return undefined;
  const { authenticationInfo: info } = checked;
  // A passkey that could be copied stays one that could (level 3, 7.2 step 20).
  if ((info.credentialDeviceType === 'multiDevice') !== (passkey.backup_eligible === 1)) return undefined;
  return { counter: info.newCounter, backed_up: info.credentialBackedUp ? 1 : 0 };
}

/** Whether a page of another site asked, from a frame: our pages are never framed. */
function isFramed(clientDataJSON: string): boolean {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as {
      crossOrigin?: unknown;
    } | null;
    return data?.crossOrigin !== undefined && data.crossOrigin !== false;
  } catch {
    return true;
  }
}

/** The library throws for every answer that is not good, also for one that it cannot read. */
const notGood = () => undefined;
