import { SymbolonError } from '@symbolon/sdk/device';

/**
 * Whether the platform did not answer what was asked: it cannot be reached, is overloaded, or failed. It has then not said that
 * anybody is signed out, and a password typed again changes nothing.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof SymbolonError)) return true;
  const { status } = error;
  return status === undefined || status === 429 || status >= 500;
}
