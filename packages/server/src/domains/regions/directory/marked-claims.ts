import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { PeerRequest } from '../../../access/peers.ts';
import type { KeyPair, PeerKeys } from './peer-keys.ts';

/** Clocks may differ by so much, and a call may be on its way for so long. */
export const LIFE_MS = 60_000;
/** Claims that are longer are not read: those of a call hold who acts, and digests. */
const CLAIMS_LENGTH_MOST = 8_000;
/** HMAC-SHA-256 in base64url. */
const CODE_LENGTH = 43;

/** What every token between regions says. */
export interface MarkedClaims {
  readonly from: string;
  readonly to: string;
  /** The ids of the keys: the sender's and the receiver's. */
  readonly keys: KeyPair;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Digest of method and path. */
  readonly call: string;
}

/**
 * A token: claims with a message authentication code, under the key that sender and receiver share.
 * @param prefix says what the token is for, and is authenticated with the claims: no token serves two purposes
 * @throws {Error} when there are no keys for calls to there
 */
export function withMark(
  prefix: string,
  claims: Omit<MarkedClaims, 'keys'>,
  keys: PeerKeys,
  ids: KeyPair | undefined,
): string {
  const key = ids && keys.sending(claims, ids);
  if (key === undefined) throw new Error(`There are no keys for calls to ${claims.to}.`);
  const text = `${prefix}${Buffer.from(JSON.stringify({ ...claims, keys: ids })).toString('base64url')}`;
  return `${text}.${codeOf(text, key)}`;
}

/**
 * The claims of a token that one of them made for this process; undefined for any other text. Time and call are not checked yet.
 * @param audiences the names under which this process is called
 */
export function claimsOf<T extends MarkedClaims>(
  prefix: string,
  token: string,
  keys: PeerKeys,
  audiences: ReadonlySet<string>,
): T | undefined {
  const dot = token.length - CODE_LENGTH - 1;
  if (!token.startsWith(prefix) || token[dot] !== '.' || dot > CLAIMS_LENGTH_MOST) return undefined;
  const text = token.slice(0, dot);
  const claims = parse(text.slice(prefix.length));
  if (claims === undefined || !audiences.has(claims.to)) return undefined;
  const key = keys.receiving(claims, claims.keys);
  if (key === undefined || !isSame(codeOf(text, key), token.slice(dot + 1))) return undefined;
  return claims as T;
}

export function callDigest({ method, url }: PeerRequest): string {
  return hash('sha256', `${method} ${url}`, 'base64url');
}

const codeOf = (text: string, key: KeyObject) => createHmac('sha256', key).update(text).digest('base64url');

/** Both are as long as a code. */
const isSame = (expected: string, given: string) =>
  timingSafeEqual(Buffer.from(expected, 'latin1'), Buffer.from(given, 'latin1'));

/** The claims of a token that is not authenticated yet: only who has the key knows what else is inside. */
function parse(text: string): MarkedClaims | undefined {
  try {
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<MarkedClaims> | null;
    const { from, to, keys } = claims ?? {};
    const areTexts = [from, to, ...(Array.isArray(keys) ? keys : [])].every((one) => typeof one === 'string');
    return areTexts && Array.isArray(keys) && keys.length === 2 ? (claims as MarkedClaims) : undefined;
  } catch {
    return undefined;
  }
}
