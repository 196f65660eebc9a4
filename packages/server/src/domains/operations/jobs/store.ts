import { type RawBuilder, sql } from 'kysely';
import { updateBy } from '../../../db/by-key.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import { exists } from '../../../db/rows.ts';
import type { JobRow } from './tables.ts';

type Key = Pick<JobRow, 'company_id' | 'id'>;
type OfService = Pick<JobRow, 'company_id' | 'service_id'>;

export async function insertJob(writer: Writer, row: JobRow): Promise<void> {
  await writer.insertInto('jobs').values(row).execute();
}

/** Whether a service has at least so many jobs that are not done. */
export async function hasUnfinished(reader: Reader, serviceId: string, count: number): Promise<boolean> {
  const row = await reader
    .selectFrom('jobs')
    .select('id')
    .where('service_id', '=', serviceId)
    .where('finished_at', 'is', null)
    .orderBy('position')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Of a gauge: one more stands for all that are beyond. */
const COUNTED_MOST = 10_001;

/** How many jobs are not done, as far as they are counted, and when the oldest of these was made. */
export async function unfinishedJobs(reader: Reader): Promise<{ jobs: number; since: number | null }> {
  const first = reader
    .selectFrom('jobs')
    .select('created_at')
    .where('finished_at', 'is', null)
    .limit(COUNTED_MOST);
  const row = await reader
    .selectFrom(first.as('first'))
    .select((eb) => [eb.fn.countAll<number>().as('jobs'), eb.fn.min('first.created_at').as('since')])
    .executeTakeFirst();
  return { jobs: Number(row?.jobs ?? 0), since: row?.since == null ? null : Number(row.since) };
}

/** Of the jobs that are not done, some of those whose turn is next. */
export async function nextJobs(reader: Reader, most: number): Promise<JobRow[]> {
  return reader
    .selectFrom('jobs')
    .selectAll()
    .where('finished_at', 'is', null)
    .orderBy('turn')
    .orderBy('id')
    .limit(most)
    .execute();
}

/** The place behind all jobs of a service. */
export async function nextPosition(reader: Reader, service: OfService): Promise<number> {
  const row = await reader
    .selectFrom('jobs')
    .select('position')
    .where('company_id', '=', service.company_id)
    .where('service_id', '=', service.service_id)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.position ?? 0) + 1;
}

/** The turn behind those of all unfinished jobs. */
export async function lastTurn(reader: Reader): Promise<number> {
  const row = await reader
    .selectFrom('jobs')
    .select('turn')
    .where('finished_at', 'is', null)
    .orderBy('turn', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.turn ?? 0;
}

/** What the worker must know of a job to take a step of it. */
export type JobHead = Pick<JobRow, 'company_id' | 'id' | 'service_id' | 'kind' | 'turn'>;

/**
 * The first unfinished job of each of the next services after an id, in the order of the ids of services. It jumps from one
 * service to the next: what a service has behind its first job costs nothing.
 */
export async function firstJobs(reader: Reader, after: string, most: number): Promise<JobHead[]> {
  const unfinished = sql`from jobs where finished_at is null`;
  const next = (id: RawBuilder<unknown>) =>
    sql`(select service_id ${unfinished} and service_id > ${id} order by service_id, position limit 1)`;
  const first = (column: keyof JobHead) => sql`(
    select ${sql.ref(column)} ${unfinished} and service_id = owners.service_id order by service_id, position limit 1
  ) as ${sql.ref(column)}`;
  const { rows } = await sql<JobHead>`
    with recursive owners (service_id, n) as (
      select ${next(sql`${after}`)}, 1
      union all
      select ${next(sql`owners.service_id`)}, n + 1 from owners
      where owners.service_id is not null and n < ${sql.lit(most)}
    )
    select service_id, ${sql.join(['company_id', 'id', 'kind', 'turn'].map((name) => first(name as keyof JobHead)))}
    from owners where service_id is not null order by service_id
  `.execute(reader as Writer);
  return rows.map((row) => ({ ...row, turn: Number(row.turn) }));
}

/** Those of some companies that are at home here. */
export async function companiesHere(
  engine: Engine,
  reader: Reader,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await reader
    .selectFrom('companies')
    .select('id')
    .where(inList(engine, 'id', listParameter(engine, ids)))
    .where('region', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** An unfinished job for the caller's transaction alone; undefined while another process has it. */
export async function takeJob(engine: Engine, writer: Writer, key: Key): Promise<JobRow | undefined> {
  const query = writer
    .selectFrom('jobs')
    .selectAll()
    .where('company_id', '=', key.company_id)
    .where('id', '=', key.id)
    .where('finished_at', 'is', null);
  return (engine === 'sqlite' ? query : query.forUpdate().skipLocked()).executeTakeFirst();
}

/** The unfinished jobs of one kind of a service, in their order. On PostgreSQL they are locked, so they take no step meanwhile. */
export async function lockUnfinished(
  engine: Engine,
  writer: Writer,
  job: Pick<JobRow, 'service_id' | 'kind'>,
): Promise<JobRow[]> {
  const query = writer
    .selectFrom('jobs')
    .selectAll()
    .where('service_id', '=', job.service_id)
    .where('kind', '=', job.kind)
    .where('finished_at', 'is', null)
    .orderBy('position');
  return (engine === 'sqlite' ? query : query.forUpdate()).execute();
}

export async function updateJob(writer: Writer, key: Key, changes: Partial<JobRow>): Promise<void> {
  await updateBy(writer, 'jobs', { company_id: key.company_id, id: key.id }, changes);
}

/** Puts the next job of a service, which waits for the one that has finished, behind those of all other services. */
export async function sendNextBack(writer: Writer, finished: JobRow, turn: number): Promise<void> {
  const next = await writer
    .selectFrom('jobs')
    .select(['company_id', 'id'])
    .where('service_id', '=', finished.service_id)
    .where('position', '>', finished.position)
    .where('finished_at', 'is', null)
    .orderBy('service_id')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  if (next !== undefined) await updateJob(writer, next, { turn });
}

export function isCompanyBusy(reader: Reader, companyId: string): Promise<boolean> {
  return exists(
    reader
      .selectFrom('jobs')
      .select('id')
      .where('company_id', '=', companyId)
      .where('finished_at', 'is', null)
      .limit(1),
  );
}

/** The latest first. */
export async function jobsOf(reader: Reader, service: OfService, most: number): Promise<JobRow[]> {
  return reader
    .selectFrom('jobs')
    .selectAll()
    .where('company_id', '=', service.company_id)
    .where('service_id', '=', service.service_id)
    .orderBy('position', 'desc')
    .limit(most)
    .execute();
}

/** Deletes the finished jobs of a service beyond the latest ones. */
export async function deleteFinishedBehind(writer: Writer, service: OfService, kept: number): Promise<void> {
  const oldest = await writer
    .selectFrom('jobs')
    .select('position')
    .where('company_id', '=', service.company_id)
    .where('service_id', '=', service.service_id)
    .orderBy('position', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await writer
    .deleteFrom('jobs')
    .where('company_id', '=', service.company_id)
    .where('service_id', '=', service.service_id)
    .where('position', '<=', oldest.position)
    .where('finished_at', 'is not', null)
    .execute();
}
