import type { Key, Query } from '../queries.ts';

/** The newest rows of a list, as far as they were read. */
export interface SoFar<Row> {
  readonly rows: readonly Row[];
  /** Before which id those that follow stand; null when none do. */
  readonly next: string | null;
}

/** A list that is read from where the last row stands. Its rows are in the order of their ids, the latest first. */
export interface LongList<Row> {
  readonly key: Key;
  readonly part?: string;
  readonly idOf: (row: Row) => string;
  /** @param before an id; empty: the newest @param most rows; undefined: a page */
  readonly page: (before: string, most?: number) => Promise<SoFar<Row>>;
  /** Rows that one call reads at most. */
  readonly atOnce: number;
  /** The newest page is read again so often. */
  readonly everyMs?: number;
}

/** Pages between the newest one and what is known. Behind more, what is known is dropped. */
const JOINED_MOST = 4;

/**
 * A long list as far as the user has looked: of what is known, the newest page is read again, and the rest stays.
 * @param until a row that is to be among them; empty: one page is enough
 */
export function soFarQuery<Row>(list: LongList<Row>, until: string): Query<SoFar<Row>> {
  const { key, part = '', idOf, page, atOnce } = list;
  const readTo = async (
    to: string,
    found: SoFar<Row>,
    pages = Number.POSITIVE_INFINITY,
  ): Promise<SoFar<Row>> =>
    pages > 0 && endsBefore(found, to)
      ? readTo(to, withOlder(found, await page(found.next ?? '', atOnce)), pages - 1)
      : found;
  return {
    key,
    part,
    ...(list.everyMs !== undefined && { everyMs: list.everyMs }),
    read: async (known) => {
      const newest = await page('');
      if (known === undefined) return readTo(until, newest);
      // As many may have come meanwhile that a page does not reach what is known.
      const [latest] = known.rows;
      const place = latest === undefined ? '' : idOf(latest);
      const joined = await readTo(place, newest, JOINED_MOST);
      return readTo(until, endsBefore(joined, place) ? joined : withKnown(joined, known, idOf));
    },
  };
}

/** Whether a row, if any, comes after those that were read. */
export const endsBefore = ({ next }: SoFar<unknown>, id: string): boolean =>
  id !== '' && next !== null && next > id;

/** Adds the page that follows. */
export const withOlder = <Row>(so: SoFar<Row>, older: SoFar<Row>): SoFar<Row> => ({
  rows: [...so.rows, ...older.rows],
  next: older.next,
});

/** Adds what was known already of those that follow. */
function withKnown<Row>(newest: SoFar<Row>, known: SoFar<Row>, idOf: (row: Row) => string): SoFar<Row> {
  const { next } = newest;
  const rest = next === null ? [] : known.rows.filter((row) => idOf(row) < next);
  return rest.length === 0 ? newest : withOlder(newest, { ...known, rows: rest });
}
