import { type RawBuilder, sql } from 'kysely';

/**
 * A text column in a join that leads from its table to another and never back. PostgreSQL may otherwise begin at the other end,
 * where one row has as many as a service has connections: it does not know that until it has analysed the table.
 */
export const oneWay = (column: string): RawBuilder<string> => sql<string>`${sql.ref(column)} || ''`;
