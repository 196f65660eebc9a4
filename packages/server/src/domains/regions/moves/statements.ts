import { type RawBuilder, sql } from 'kysely';
import type { Engine, Writer } from '../../../db/database.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An id as a part of a statement. @throws when it is no UUID */
export function literalId(id: string): RawBuilder<string> {
  if (!UUID.test(id)) throw new Error('The id is not a UUID.');
  return sql.lit(id) as RawBuilder<string>;
}

/**
 * Sends statements one after the other; to PostgreSQL in one round trip: a company is frozen meanwhile.
 * @param statements without parameters
 */
export async function executeAll(
  engine: Engine,
  writer: Writer,
  statements: readonly RawBuilder<unknown>[],
): Promise<void> {
  if (statements.length === 0) return;
  if (engine === 'postgres') await sql`${sql.join([...statements], sql`; `)}`.execute(writer);
  else for (const statement of statements) await statement.execute(writer);
}
