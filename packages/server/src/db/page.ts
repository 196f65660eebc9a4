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
