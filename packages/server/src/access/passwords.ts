import { hash, verify } from '@node-rs/argon2';
import { Turns } from '../core/turns.ts';

/** Argon2id with OWASP's second recommended setting: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;
let decoy: Promise<string> | undefined;

/** A process has four threads for this, and files and look-ups need them too. The last of the queue waits a few seconds. */
export const hashing = new Turns({ atOnce: 2, waitingMost: 100 });

/**
 * Registering takes a hash and often a new key pair: one at a time in a process, so that many who register do not keep
 * those waiting who sign in. Whatever a registration computes belongs into one turn.
 */
export const registering = new Turns({ atOnce: 1, waitingMost: 20 });

/** Hashes a password or login secret for storage. @throws {PlatformError} platform.busy */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(password, options));
}

/**
 * Compares a password with its stored hash. Without a stored hash (no such account) the same work is done, and the
 * answer is no.
 * @throws {PlatformError} platform.busy
 */
export async function passwordMatches(password: string, stored: string | undefined): Promise<boolean> {
  decoy ??= hash('no password is this one', options);
  const against = stored ?? (await decoy);
  const matches = await hashing.run(() => verify(against, password));
  return matches && stored !== undefined;
}
