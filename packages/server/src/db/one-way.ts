import { type RawBuilder, sql } from 'kysely';

/**
 * A text column that no index is entered by. A join with it leads from its table to another and never back; in a condition it
 * leaves the choice of the index to the other columns. PostgreSQL may otherwise begin where one row has as many as a service
 * has connections: it does not know that until it has analysed the table.
 */
export const oneWay = (column: string): RawBuilder<string> => sql<string>`${sql.ref(column)} || ''`;
