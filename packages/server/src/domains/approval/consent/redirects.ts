import type { ConsentError } from './parameters.ts';

/** What the redirect back tells an app: a code, that the person is enrolled, or why neither. */
export type ConsentAnswer =
  | { readonly code: string }
  | { readonly enrolled: true }
  | { readonly error: ConsentError; readonly description: string };

/**
 * The address at which a person goes back to the app. What the redirect URI says stays as it is, to the letter. `iss` tells the
 * app which platform answers (RFC 9207).
 */
export function redirectTo(
  redirectUri: string,
  answer: ConsentAnswer,
  { state, issuer }: { state: string | null | undefined; issuer: string },
): string {
  const told = new URLSearchParams();
  if ('code' in answer) told.set('code', answer.code);
  else if ('enrolled' in answer) told.set('enrolled', 'true');
  else {
    told.set('error', answer.error);
    told.set('error_description', answer.description);
  }
  if (state !== null && state !== undefined) told.set('state', state);
  told.set('iss', issuer);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${told}`;
}

/** What a person sees of where the app is: the origin of its address, or the scheme of an installed one. */
export function originOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === 'null' ? protocol : origin;
}
