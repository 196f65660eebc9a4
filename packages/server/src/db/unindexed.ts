import { type RawBuilder, sql } from 'kysely';

/**
 * A text column with `|| ''` after it, so that the planner does not use an index of this column. A join then goes from the
 * column's table to the other one, never back; in a condition the other columns choose the index. Without it PostgreSQL may
 * start with an index by which one service has all its connections: it does not know their number before it has analysed the table.
 */
export const unindexed = (column: string): RawBuilder<string> => sql<string>`${sql.ref(column)} || ''`;
