import { AuthenticationError } from '../http/errors.ts';

/** The claims of an id_token. */
export type IdTokenClaims = {
  iss: string;
  sub: string;
  aud: string;
  exp: number;
  iat: number;
  nonce?: string;
  auth_time?: number;
  name?: string;
  email?: string;
  email_verified?: boolean;
};

/**
 * Reads an id_token that came from the token route itself: there TLS says who issued it (OpenID Connect Core 3.1.3.7), so its
 * signature is not checked here.
 *
 * @throws AuthenticationError `sdk.sign_in_foreign` for a token of another platform, app or sign-in, or one that has expired
 */
export function readIdToken(
  token: string,
  expected: { issuer: string; clientId: string; nonce: string | undefined; now: number },
): IdTokenClaims {
  const claims = claimsOf(token);
  const right =
    claims !== undefined &&
    isSameIssuer(claims.iss, expected.issuer) &&
    claims.aud === expected.clientId &&
    claims.nonce === expected.nonce &&
    typeof claims.exp === 'number' &&
    claims.exp * 1000 > expected.now &&
    typeof claims.sub === 'string';
  if (claims === undefined || !right) {
    const message = 'The id_token is of another platform, app or sign-in, or it has expired.';
    throw new AuthenticationError({ errorKey: 'sdk.sign_in_foreign', message });
  }
  return claims;
}

function claimsOf(token: string): IdTokenClaims | undefined {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as IdTokenClaims;
  } catch {
    return undefined;
  }
}

/** Whether an issuer is the expected one, to the letter; this machine is the same by its name and by its numbers. */
export function isSameIssuer(issuer: unknown, expected: string): boolean {
  return typeof issuer === 'string' && named(issuer) === named(expected);
}

const named = (issuer: string) =>
  issuer.replace(/^(https?:\/\/)(?:127(?:\.\d{1,3}){3}|\[::1\])(?=[:/]|$)/, '$1localhost');
