import { limits } from '@symbolon/protocol';

/** The page that a query asks for; without numbers, the first one of the usual size. */
export function pageOf(query: { limit?: number; offset?: number }): { limit: number; offset: number } {
  return { limit: query.limit ?? limits.pageDefault, offset: query.offset ?? 0 };
}
