import type { Engine, Writer } from '../../../db/database.ts';

/** The oldest changes from before a moment. On PostgreSQL rows that another instance is purging are passed over. */
export async function changesBefore(engine: Engine, writer: Writer, before: number, most: number) {
  const query = writer
    .selectFrom('changes')
    .select(['seq', 'feed', 'company_id', 'service_id', 'at'])
    .where('at', '<', before)
    .orderBy('at')
    .limit(most);
  return (engine === 'sqlite' ? query : query.forUpdate().skipLocked()).execute();
}
