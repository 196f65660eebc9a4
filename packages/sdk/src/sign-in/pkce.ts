import { createHash, randomBytes } from 'node:crypto';

/** 43 characters that cannot be guessed (RFC 7636 4.1). */
export function randomText(): string {
  return randomBytes(32).toString('base64url');
}

/** The S256 challenge of a verifier. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
