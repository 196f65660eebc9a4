import { limits } from '@symbolon/protocol';
import { PlatformError } from '../core/errors.ts';
import { NEWEST, type NewestPaging, type Paging } from '../db/page.ts';

/** The page that a query asks for; without numbers, the first one of the usual size. */
export function pageOf(query: { limit?: number; offset?: number }): Paging {
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
export function keyPageOf(query: { limit?: number; offset?: number; after?: string }) {
  return { ...placeOf(query, 'after'), after: query.after };
}

/**
 * The page of a list that also has pages before a key, newest first.
 * @throws {PlatformError} request.invalid for both at once
 */
export function newestPageOf(query: { limit?: number; offset?: number; before?: string }): NewestPaging {
  return { ...placeOf(query, 'before'), before: query.before || NEWEST };
}

function placeOf<Key extends 'after' | 'before'>(
  query: { limit?: number; offset?: number } & { [Name in Key]?: string },
  key: Key,
): Paging {
  if (query[key] !== undefined && query.offset !== undefined) {
    throw new PlatformError('request.invalid', {
      details: { issues: [{ path: `/${key}`, message: 'does not go with offset: leave one of them out' }] },
    });
  }
  return pageOf(query);
}
