import { encodeUtf8, equalTexts, randomBytes } from './bytes.ts';
import { encodeHex } from './hex.ts';

export type Attestation = {
  /** 32 lower-case hex characters: 16 random bytes. */
  verified_salt: string;
  /** Lower-case hex SHA-256 over the UTF-8 of the salt's text followed by the plaintext. */
  verified_hash: string;
};

/** Attests a plaintext without storing it: the holder of the plaintext can compute the hash again (wire 2.5). */
export async function createAttestation(plaintext: string): Promise<Attestation> {
  const salt = encodeHex(randomBytes(16));
  return { verified_salt: salt, verified_hash: await saltedHash(salt, plaintext) };
}

/** Whether the hash attests this plaintext. Never throws: a hash of the wrong shape matches nothing. */
export async function matchesAttestation(plaintext: string, salt: string, hash: string): Promise<boolean> {
  return equalTexts(hash, await saltedHash(salt, plaintext));
}

async function saltedHash(salt: string, plaintext: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', encodeUtf8(salt + plaintext));
  return encodeHex(new Uint8Array(digest));
}
