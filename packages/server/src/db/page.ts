export interface Paging {
  readonly limit: number;
  readonly offset: number;
}

/** A page that begins behind a row of a list whose newest rows come first. */
export interface NewestPaging extends Paging {
  /** Only rows with lesser ids. */
  readonly before: string;
}

/** Greater than any id: before it is every row. */
export const NEWEST = 'g';

/**
 * A page of a list that is read from its newest row on, and the row behind which the next page begins; null for the last one.
 * @param rows one more than the page takes tells that there are others
 */
export function newestPage<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string,
): { shown: readonly Row[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: last !== undefined && rows.length > limit ? keyOf(last) : null };
}
