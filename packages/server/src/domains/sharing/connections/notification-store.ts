import { sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import type { ConnectionRow, EarlyTellingRow } from './tables.ts';

const companiesOf = (reader: Reader, serviceId: string) =>
  reader
    .selectFrom('connections')
    .where('service_id', '=', serviceId)
    // A literal, so that PostgreSQL uses the index of these rows in a prepared statement too.
    .where('customer_type', '=', sql.lit('company'));

/** The highest id among the connections of companies; undefined when no company is a customer. */
export async function lastCompany(reader: Reader, serviceId: string): Promise<string | undefined> {
  const row = await companiesOf(reader, serviceId)
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** How many companies are customers; undefined when they are more than `most`. */
export async function countCompanies(
  reader: Reader,
  serviceId: string,
  most: number,
): Promise<number | undefined> {
  const { count } = await reader
    .selectFrom(
      companiesOf(reader, serviceId)
        .select('id')
        .limit(most + 1)
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count) > most ? undefined : Number(count);
}

/** The next connections of companies, in the order of their ids. */
export function companiesBetween(
  reader: Reader,
  serviceId: string,
  range: { after: string; through: string },
  most: number,
): Promise<ConnectionRow[]> {
  return companiesOf(reader, serviceId)
    .selectAll()
    .where('id', '>', range.after)
    .where('id', '<=', range.through)
    .orderBy('id')
    .limit(most)
    .execute();
}

/** Those of some connections that a job passes over. */
export async function passedOver(
  engine: Engine,
  reader: Reader,
  job: Pick<EarlyTellingRow, 'company_id' | 'job_id'>,
  connectionIds: readonly string[],
): Promise<Set<string>> {
  const rows = await reader
    .selectFrom('early_tellings')
    .select('connection_id')
    .where('company_id', '=', job.company_id)
    .where('job_id', '=', job.job_id)
    .where(inList(engine, 'connection_id', listParameter(engine, connectionIds)))
    .execute();
  return new Set(rows.map((row) => row.connection_id));
}

export async function passOver(writer: Writer, rows: readonly EarlyTellingRow[]): Promise<void> {
  if (rows.length === 0) return;
  await writer
    .insertInto('early_tellings')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['company_id', 'job_id', 'connection_id']).doNothing())
    .execute();
}

/** A job has come past some connections, or they are gone. */
export async function forgetPassedOver(
  engine: Engine,
  writer: Writer,
  job: Pick<EarlyTellingRow, 'company_id' | 'job_id'>,
  connectionIds: readonly string[],
): Promise<void> {
  await writer
    .deleteFrom('early_tellings')
    .where('company_id', '=', job.company_id)
    .where('job_id', '=', job.job_id)
    .where(inList(engine, 'connection_id', listParameter(engine, connectionIds)))
    .execute();
}
