import { hash, verify } from '@node-rs/argon2';

/** Argon2id with OWASP's second recommended setting: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;
let decoy: Promise<string> | undefined;

/** Hashes a password or login secret for storage. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, options);
}

/**
 * Compares a password with its stored hash. Without a stored hash (no such account) the same work is done, and the
 * answer is no.
 */
export async function passwordMatches(password: string, stored: string | undefined): Promise<boolean> {
  decoy ??= hash('no password is this one', options);
  const matches = await verify(stored ?? (await decoy), password);
  return matches && stored !== undefined;
}
