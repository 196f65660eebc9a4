import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../core/secrets.ts';

/** Portal sessions are opaque; everything else is a signed access token. */
export const PORTAL_TOKEN_PREFIX = 'sps_';
/** Sessions of people at pages: their home region follows, then `_`. */
export const PERSON_TOKEN_PREFIX = 'spp_';
const PERSON_TOKEN = /^spp_([a-z0-9-]{1,32})_[\w-]+$/;
export const personTokenPrefix = (region: string) => `${PERSON_TOKEN_PREFIX}${region}_`;

/** The region that keeps the session of a person; undefined for any other text. Nothing is proved by it. */
export function regionOfPersonToken(token: string): string | undefined {
  return PERSON_TOKEN.exec(token)?.[1];
}

const RANDOM_BYTES = 24;
const TAG_BYTES = 8;

/** A new session's token: random bytes, and a tag by which `isOwnSessionToken` knows it. */
export function newSessionToken(secrets: Pick<Secrets, 'hashes'>, prefix = PORTAL_TOKEN_PREFIX): string {
  const random = randomBytes(RANDOM_BYTES);
  const [tag = Buffer.alloc(0)] = tagsOf(random, secrets);
  return `${prefix}${Buffer.concat([random, tag]).toString('base64url')}`;
}

/**
 * Whether a token was made here, which is seen without a look-up. That does not say that its session goes on. It keeps those
 * who make tokens up from using up the tries of others at their address.
 */
export function isOwnSessionToken(
  token: string,
  secrets: Pick<Secrets, 'hashes'>,
  prefix = PORTAL_TOKEN_PREFIX,
): boolean {
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  if (bytes.length !== RANDOM_BYTES + TAG_BYTES) return false;
  const given = bytes.subarray(RANDOM_BYTES);
  return tagsOf(bytes.subarray(0, RANDOM_BYTES), secrets).some((tag) => timingSafeEqual(tag, given));
}

/** One for each version of the secret, the current one first. */
function tagsOf(random: Buffer, secrets: Pick<Secrets, 'hashes'>): Buffer[] {
  return secrets
    .hashes(`tag of session token ${random.toString('base64url')}`)
    .map((hash) => Buffer.from(hash.slice(-64), 'hex').subarray(0, TAG_BYTES));
}
