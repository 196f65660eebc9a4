import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * The limit of a page that follows an index. PostgreSQL does not see the number when it plans and takes it for a tenth of the
 * rows. When it sees it, and takes the rows for fewer than that because it has not analysed the table, it reads all of them and
 * sorts.
 */
export const inOrderMost = (most: number): RawBuilder<number> =>
  sql<number>`(select cast(${most} as bigint))`;

/**
 * PostgreSQL: the numbers of a short page, to be compared with a column. It takes a page with a hidden limit for a tenth of the
 * table and would read all of the table to join the two; an array it takes for ten.
 */
export const anyOf = (page: Expression<unknown>): RawBuilder<number> => sql<number>`any(array(${page}))`;
