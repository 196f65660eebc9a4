import { AuthenticationError } from '../http/errors.ts';

/** A code of the authenticator app, or a recovery code of the second factor. */
export type SecondFactor = { code: string } | { recoveryCode: string };

/** In the form of the wire. */
export function secondMembers(given: SecondFactor): { code: string } | { recovery_code: string } {
  return 'code' in given ? { code: given.code } : { recovery_code: given.recoveryCode };
}

/**
 * Makes a call that the platform refuses when the second factor is on; then asks for the factor and goes on with it.
 *
 * @param goOn gets the ticket of the refusal, which is empty where the call has none
 * @throws AuthenticationError `auth.two_factor_required` without `ask`
 */
export async function withSecondFactor<T, Given>(
  first: Promise<T>,
  ask: (() => Promise<Given>) | undefined,
  goOn: (given: Given, ticket: string) => Promise<T>,
): Promise<T> {
  try {
    return await first;
  } catch (error) {
    const isAsked = error instanceof AuthenticationError && error.errorKey === 'auth.two_factor_required';
    if (!isAsked || ask === undefined) throw error;
    return goOn(await ask(), String(error.details.ticket ?? ''));
  }
}
