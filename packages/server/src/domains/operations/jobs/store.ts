import type { Engine, Reader, Writer } from '../../../db/database.ts';
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

/** The first unfinished job of each service whose company is at home here, in the order of their turns. */
export async function nextJobs(reader: Reader, most: number): Promise<JobRow[]> {
  return reader
    .selectFrom('jobs')
    .innerJoin('companies', 'companies.id', 'jobs.company_id')
    .selectAll('jobs')
    .where('jobs.finished_at', 'is', null)
    .where('companies.region', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs as earlier')
            .select('earlier.id')
            .whereRef('earlier.company_id', '=', 'jobs.company_id')
            .whereRef('earlier.service_id', '=', 'jobs.service_id')
            .whereRef('earlier.position', '<', 'jobs.position')
            .where('earlier.finished_at', 'is', null),
        ),
      ),
    )
    .orderBy('jobs.turn')
    .orderBy('jobs.id')
    .limit(most)
    .execute();
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

/** The unfinished jobs of one kind of a service, in their order. On PostgreSQL none of them takes a step meanwhile. */
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
  await writer
    .updateTable('jobs')
    .set(changes)
    .where('company_id', '=', key.company_id)
    .where('id', '=', key.id)
    .execute();
}

/** Puts the jobs of a service that wait behind all others. */
export async function sendBack(writer: Writer, service: OfService, turn: number): Promise<void> {
  await writer
    .updateTable('jobs')
    .set({ turn })
    .where('company_id', '=', service.company_id)
    .where('service_id', '=', service.service_id)
    .where('finished_at', 'is', null)
    .execute();
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
