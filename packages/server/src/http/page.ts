import { limits } from '@symbolon/protocol';
import { PlatformError } from '../core/errors.ts';

/** The page that a query asks for; without numbers, the first one of the usual size. */
export function pageOf(query: { limit?: number; offset?: number }): { limit: number; offset: number } {
  return { limit: query.limit ?? limits.pageDefault, offset: query.offset ?? 0 };
}

/** The page before a key; without a key, the newest one. */
export const pageBefore = ({ before, limit }: { before?: string; limit?: number }) => ({
  before,
  limit: limit ?? limits.pageDefault,
});

/**
 * The page of a list that also has pages after a key.
 * @throws {PlatformError} request.invalid for both at once
 */
export function keyPageOf(query: { limit?: number; offset?: number; after?: string }): {
  limit: number;
  offset: number;
  after: string | undefined;
} {
  if (query.after !== undefined && query.offset !== undefined) {
    throw new PlatformError('request.invalid', {
      details: { issues: [{ path: '/after', message: 'does not go with offset: leave one of them out' }] },
    });
  }
  return { ...pageOf(query), after: query.after };
}
