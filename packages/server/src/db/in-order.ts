import { type RawBuilder, sql } from 'kysely';

/**
 * The limit of a page that follows an index. PostgreSQL does not see the number when it plans and takes it for a tenth of the
 * rows. When it sees it, and takes the rows for fewer than that because it has not analysed the table, it reads all of them and
 * sorts.
 */
export const inOrderMost = (most: number): RawBuilder<number> =>
  sql<number>`(select cast(${most} as bigint))`;
