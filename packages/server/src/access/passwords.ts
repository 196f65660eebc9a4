import { PlatformError } from '../core/errors.ts';
import { FairTurns } from '../core/fair-turns.ts';
import { atFirstUse } from '../core/first-use.ts';
import { networkOf } from '../core/ip-address.ts';
import { refusal, Turns } from '../core/turns.ts';

/**
 * Argon2id with OWASP's second recommended setting: 19 MiB, two passes, one lane. No configuration reaches it: only the test
 * kit lowers it, in processes of its own.
 */
export const passwordCost = { memoryCost: 19456, timeCost: 2, parallelism: 1 };
const argon2 = atFirstUse(() => import('@node-rs/argon2'));
const decoy = atFirstUse(async () => (await argon2()).hash('no password is this one', passwordCost));

/**
 * Two at a time: a process has four threads for this, and files and look-ups need them too. Each address has a queue of its
 * own, whose last one waits a few seconds; one that sends many sign-ins delays only itself.
 */
export const hashing = new FairTurns({ perParty: 2, inAll: 2, waitingMost: 100 });
/** The queue of secrets that are set: their accounts are known. */
const SETTING = 'setting';

/**
 * Registering takes a hash and often a new key pair: one at a time in a process, so that many who register do not keep
 * those waiting who sign in. Whatever a registration computes belongs into one turn.
 */
export const registering = new Turns({ atOnce: 1, waitingMost: 20 });

/** Hashes a password or login secret for storage. @throws {PlatformError} platform.busy */
export function hashPassword(password: string): Promise<string> {
  return inTurn(SETTING, async () => (await argon2()).hash(password, passwordCost));
}

/**
 * Compares a password with its stored hash. Without a stored hash (no such account) the same work is done, and the
 * answer is no.
 * @param source the caller's address
 * @throws {PlatformError} platform.busy
 */
export async function passwordMatches(
  password: string,
  stored: string | undefined,
  source: string,
): Promise<boolean> {
  const { verify } = await argon2();
  const other = await decoy();
  const matches = await inTurn(networkOf(source), () => verify(stored ?? other, password));
  return matches && stored !== undefined;
}

async function inTurn<T>(party: string, work: () => Promise<T>): Promise<T> {
  try {
    return await hashing.run(party, work);
  } catch (error) {
    const isFull = error instanceof PlatformError && error.key === 'rate_limit.exceeded';
    throw isFull ? refusal() : error;
  }
}
