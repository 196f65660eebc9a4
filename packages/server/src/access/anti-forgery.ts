import type { Secrets } from '../core/secrets.ts';

/** The token that a page sends with its writes. It is derived from its session, so it is not stored. */
export function antiForgeryToken(secrets: Pick<Secrets, 'hash'>, sessionHash: string): string {
  return secrets.hash(antiForgery(sessionHash));
}

/** Compares in constant time. */
export function antiForgeryMatches(
  secrets: Pick<Secrets, 'matches'>,
  sessionHash: string,
  given: string,
): boolean {
  return secrets.matches(antiForgery(sessionHash), given);
}

const antiForgery = (sessionHash: string) => `anti-forgery token of session ${sessionHash}`;
