import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { AuthenticationResponseJSON } from '@symbolon/protocol';
import type { RelyingParty } from './relying-party.ts';
import type { PasskeyColumns } from './tables.ts';

/*
 * Checks what a passkey answers (Web Authentication, level 3, 7.2). The library that checks new passkeys does this by jobs for
 * the thread pool, which take 400 us of processor time; this takes 170 (docs/decisions/0037). The library still reads the
 * formats, and a test compares the verdicts of both.
 */

type Helpers = typeof import('@simplewebauthn/server/helpers');

let loading: Promise<Helpers> | undefined;

/** The library's readers of CBOR and of authenticator data, loaded when the first passkey is used. */
function helpers(): Promise<Helpers> {
  loading ??= import('@simplewebauthn/server/helpers').catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/**
 * What changes of a passkey by an answer; undefined for one that is not good: of another nonce, origin or relying party,
 * without user verification, with a counter that has not risen, or with a wrong signature.
 */
export async function checkAssertion(
  answer: AuthenticationResponseJSON,
  nonce: string,
  party: RelyingParty,
  passkey: Pick<PasskeyColumns, 'public_key' | 'counter' | 'backup_eligible'>,
): Promise<Pick<PasskeyColumns, 'counter' | 'backed_up'> | undefined> {
  const formats = await helpers();
  try {
    return check(formats, answer, nonce, party, passkey);
  } catch {
    // What cannot be read is not good.
    return undefined;
  }
}

/** @throws Error for what cannot be read */
function check(
  { parseAuthenticatorData, decodeCredentialPublicKey }: Helpers,
  { id, rawId, type, response }: AuthenticationResponseJSON,
  nonce: string,
  party: RelyingParty,
  passkey: Pick<PasskeyColumns, 'public_key' | 'counter' | 'backup_eligible'>,
): Pick<PasskeyColumns, 'counter' | 'backed_up'> | undefined {
  const clientData = bytesOf(response.clientDataJSON);
  if (id !== rawId || type !== 'public-key' || !isAskedFor(clientData, nonce, party)) return undefined;
  const authenticatorData = bytesOf(response.authenticatorData);
  const { rpIdHash, flags, counter } = parseAuthenticatorData(authenticatorData);
  if (!sha256(party.id).equals(rpIdHash) || !flags.up || !flags.uv) return undefined;
  // A passkey that could be copied stays one that could (step 20); one that could not was not copied (step 18).
  if (flags.be !== (passkey.backup_eligible === 1) || (flags.bs && !flags.be)) return undefined;
  // An authenticator that does not count says 0 each time.
  if (counter <= passkey.counter && (counter > 0 || passkey.counter > 0)) return undefined;
  const { key, digest } = readKey(decodeCredentialPublicKey(bytesOf(passkey.public_key)));
  const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
  if (!verify(digest, signed, key, bytesOf(response.signature))) return undefined;
  return { counter, backed_up: flags.bs ? 1 : 0 };
}

/** Whether our own page asked for the answer, with this nonce and from no frame: our pages are never framed. */
function isAskedFor(clientData: Buffer, nonce: string, party: RelyingParty): boolean {
  const { type, challenge, origin, crossOrigin, topOrigin } = JSON.parse(clientData.toString()) as Record<
    string,
    unknown
  >;
  return (
    type === 'webauthn.get' &&
    challenge === nonce &&
    party.origins.some((own) => own === origin) &&
    (crossOrigin === undefined || crossOrigin === false) &&
    topOrigin === undefined
  );
}

/** Labels and values of COSE keys (RFC 9053 2 and 7). */
const COSE = { kty: 1, alg: 3, crv: -1, x: -2, y: -3, n: -1, e: -2, p256: 1, ed25519: 6 } as const;

/** @throws Error for a key of another kind than `ALGORITHMS` has */
function readKey(cose: object): { key: KeyObject; digest: 'sha256' | null } {
  const values = cose as ReadonlyMap<number, unknown>;
  const text = (label: number) => Buffer.from(values.get(label) as Uint8Array).toString('base64url');
  const [kty, alg, crv] = [COSE.kty, COSE.alg, COSE.crv].map((label) => values.get(label));
  switch (`${kty} ${alg}`) {
    case '2 -7': {
      if (crv !== COSE.p256) break;
      const key = { kty: 'EC', crv: 'P-256', x: text(COSE.x), y: text(COSE.y) };
      return { key: createPublicKey({ key, format: 'jwk' }), digest: 'sha256' };
    }
    case '1 -8': {
      if (crv !== COSE.ed25519) break;
      const key = { kty: 'OKP', crv: 'Ed25519', x: text(COSE.x) };
      return { key: createPublicKey({ key, format: 'jwk' }), digest: null };
    }
    case '3 -257': {
      const key = { kty: 'RSA', n: text(COSE.n), e: text(COSE.e) };
      return { key: createPublicKey({ key, format: 'jwk' }), digest: 'sha256' };
    }
  }
  throw new Error('A passkey has a key that is not supported.');
}

const bytesOf = (text: string) => Buffer.from(text, 'base64url');
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
