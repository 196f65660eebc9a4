import { SymbolonError } from '@symbolon/sdk/device';

/** Whether the platform asks for a code beside the password. */
export function needsSecondFactor(error: unknown): boolean {
  return error instanceof SymbolonError && error.errorKey === 'auth.two_factor_required';
}
