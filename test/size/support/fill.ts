import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import { rounds } from '@symbolon/testkit/thoroughness';
import { sql } from 'kysely';
import type { Engine } from '../../../packages/server/src/db/database.ts';

/** Rows that each large table gets. Plans of SQLite, which is never analysed, do not depend on them. */
const MANY: Readonly<Record<Engine, number>> = { sqlite: rounds(10_000, 100_000), postgres: 100_000 };

/** Whose rows are multiplied: one row of each table, which the platform has written. */
export interface Templates {
  readonly companyId: string;
  readonly serviceId: string;
  readonly connectionId: string;
  readonly personId: string;
  readonly webhookId: string;
}

/** An id of a copy: of a kind that a digit names, and with its number. */
const id = (kind: number) => `'00000000-0000-7${kind}00-8000-' || (100000000000 + i)`;
const [PERSON, CONNECTION, FIELD, EVENT, COMPANY, SERVICE, WEBHOOK, LOGIN, DOCUMENT, RUN] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 0,
].map(id) as [string, string, string, string, string, string, string, string, string, string];
const text = "'copy' || i";

/** The large tables, with the columns in which copies differ, and which row is copied. */
const copiesOf = (
  of: Templates,
  many: number,
): Readonly<Record<string, [string, Readonly<Record<string, string>>]>> => {
  const connection = `connection_id = '${of.connectionId}'`;
  const company = `company_id = '${of.companyId}'`;
  // Queues are planned for as the large part of their table that they are. The other one's rows come first.
  const halfOf = (column: string, other: string) =>
    `case when i <= ${many / 2} then ${other} else ${column} end`;
  const event = { id: EVENT, connection_id: CONNECTION, customer_id: PERSON, at: 'at + i' };
  return {
    persons: [`id = '${of.personId}'`, { id: PERSON, email: text, share_code: text }],
    share_codes: [`subject_id = '${of.personId}'`, { code: text, subject_id: PERSON }],
    person_fields: [`person_id = '${of.personId}'`, { person_id: PERSON, id: FIELD }],
    connections: [`id = '${of.connectionId}'`, { id: CONNECTION, customer_id: PERSON }],
    slot_values: [connection, { connection_id: CONNECTION, field_id: FIELD }],
    consent_rows: [connection, { connection_id: CONNECTION }],
    changes: [connection, { ...event, collapse_key: text, feed: halfOf('feed', `'another feed'`) }],
    webhook_events: [connection, { ...event, webhook_id: halfOf('webhook_id', `'another webhook'`) }],
    service_logs: [company, { id: EVENT }],
    audit_log: [company, { id: EVENT }],
    operator_acts: ['1 = 1', { id: EVENT }],
    companies: [`id = '${of.companyId}'`, { id: COMPANY, email: text, code: text }],
    portal_logins: [company, { company_id: COMPANY, id: LOGIN, email: text }],
    portal_sessions: [company, { company_id: COMPANY, login_id: LOGIN, id: EVENT, token_hash: text }],
    services: [`id = '${of.serviceId}'`, { company_id: COMPANY, id: SERVICE }],
    clients: [company, { company_id: COMPANY, client_id: EVENT, service_id: SERVICE }],
    webhooks: [`id = '${of.webhookId}'`, { company_id: COMPANY, service_id: SERVICE, id: WEBHOOK }],
    mailed_tickets: ['1 = 1', { ticket_hash: text }],
    documents: [connection, { id: DOCUMENT, connection_id: CONNECTION, customer_id: PERSON }],
    document_files: [company, { document_id: DOCUMENT }],
    document_acts: [company, { document_id: DOCUMENT }],
    messages: [connection, { connection_id: CONNECTION, id: EVENT }],
    message_threads: [connection, { connection_id: CONNECTION }],
    connect_requests: [company, { id: EVENT, person_id: PERSON }],
    blocked_services: [company, { person_id: PERSON }],
    file_uploads: ['1 = 1', { id: EVENT, customer_id: PERSON }],
    flow_runs: [company, { id: RUN, connection_id: CONNECTION, customer_id: PERSON }],
    flow_run_parties: [company, { run_id: RUN, connection_id: CONNECTION, user_id: PERSON }],
    flow_run_copies: [company, { run_id: RUN, id: RUN, user_id: PERSON }],
    flow_run_uploads: [company, { id: EVENT, uploader_id: PERSON }],
  };
};

export const LARGE = Object.keys(
  copiesOf({ companyId: '', serviceId: '', connectionId: '', personId: '', webhookId: '' }, 0),
);

/** Copies a row of each large table until there are many. */
export async function fill(platform: TestPlatform, templates: Templates): Promise<void> {
  const { engine, schema } = platform.context.database;
  const many = MANY[engine];
  for (const [table, copies] of Object.entries(copiesOf(templates, many)))
    await copyRows(platform, table, copies, many);
  await sql
    .raw(
      `update services set connection_count = connection_count + ${many} where id = '${templates.serviceId}'`,
    )
    .execute(schema);
}

/** Copies a row of a table. @param copies which one, and the columns in which copies differ, by their number `i` from 1 */
export async function copyRows(
  { context }: TestPlatform,
  table: string,
  [where, changed]: [string, Readonly<Record<string, string>>],
  many: number,
): Promise<void> {
  const { engine, schema } = context.database;
  const { rows } = await sql
    .raw<{ name: string }>(
      engine === 'sqlite'
        ? `select name from pragma_table_info('${table}')`
        : `select column_name as name from information_schema.columns where table_name = '${table}'`,
    )
    .execute(schema);
  const columns = rows.map(({ name }) => name).filter((name) => name !== 'seq');
  // Keys are long, and those of copies are never opened.
  const values = columns.map((name) => changed[name] ?? (/_key$/.test(name) ? "''" : `"${name}"`));
  const numbers =
    engine === 'sqlite'
      ? `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${many})`
      : `with numbers as (select generate_series(1, ${many}) as i)`;
  const { numAffectedRows } = await sql
    .raw(
      `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')})
         ${numbers} select ${values.join(', ')} from (select * from ${table} where ${where} limit 1) as template, numbers`,
    )
    .execute(schema);
  if (Number(numAffectedRows) !== many) throw new Error(`${table} has no row to copy.`);
}
