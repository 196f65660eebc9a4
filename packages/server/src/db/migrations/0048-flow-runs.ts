import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';
import { fileTriggers } from './0040-files.ts';

/** Runs of flows, who takes part in them, the sealed copies of each party, and files that no act has named yet. */
export function flowRuns(engine: Engine) {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await runTable(db);
      await partyTable(db);
      await copyTables(db);
      for (const table of ['flow_run_copies', 'flow_run_uploads'])
        for (const text of fileTriggers(engine, table)) await sql.raw(text).execute(db);
      // The files of a company by their blobs: a region that a company moves to asks for them one by one.
      await sql
        .raw(
          `create index flow_run_copies_blobs on flow_run_copies (company_id, substr(value, 62, 64))
           where substr(value, 1, 9) = '{"file":{'`,
        )
        .execute(db);
    },
  };
}

async function runTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('flow_runs')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('id', 'text', (built) => built.notNull())
    .addColumn('flow_id', 'text', (built) => built.notNull())
    .addColumn('flow_version', 'integer', (built) => built.notNull())
    .addColumn('flow_name', 'text', (built) => built.notNull())
    .addColumn('connection_id', 'text', (built) => built.notNull())
    .addColumn('customer_id', 'text', (built) => built.notNull())
    .addColumn('customer_type', 'text', (built) => built.notNull())
    .addColumn('status', 'text', (built) => built.notNull())
    .addColumn('company_turn', 'integer', (built) => built.notNull())
    .addColumn('current_node', 'text')
    .addColumn('output_mode', 'text', (built) => built.notNull())
    .addColumn('bindings', 'text', (built) => built.notNull())
    .addColumn('reference_date', 'text', (built) => built.notNull())
    .addColumn('private_slugs', 'text', (built) => built.notNull())
    .addColumn('owner_tag_values', 'text', (built) => built.notNull())
    .addColumn('last_act', 'text')
    .addColumn('acts', 'integer', (built) => built.notNull())
    .addColumn('bytes', 'bigint', (built) => built.notNull())
    .addColumn('document_id', 'text')
    .addColumn('failure', 'text')
    .addColumn('created_at', 'bigint', (built) => built.notNull())
    .addColumn('updated_at', 'bigint', (built) => built.notNull())
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('flow_runs_pk', ['company_id', 'service_id', 'id'])
    .execute();
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`flow_runs_${name}`).on('flow_runs').columns(columns);
  await index('id', ['id']).unique().execute();
  await index('service', ['service_id', 'id']).execute();
  await index('status', ['service_id', 'status', 'id']).execute();
  await index('flow', ['flow_id', 'id']).execute();
  await index('flow_status', ['flow_id', 'status', 'id']).execute();
  for (const [name, of] of [
    ['turn', 'service_id'],
    ['flow_turn', 'flow_id'],
  ] as const)
    await index(name, [of, 'id']).where(sql.ref('company_turn'), '=', sql.lit(1)).execute();
  // Those that end with their connection.
  await index('connection', ['connection_id', 'id']).where(sql.ref('ended_at'), 'is', null).execute();
  await db.schema
    .createTable('flow_run_counts')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('flow_id', 'text', (built) => built.notNull())
    .addColumn('status', 'text', (built) => built.notNull())
    .addColumn('company_turn', 'integer', (built) => built.notNull())
    .addColumn('n', 'bigint', (built) => built.notNull())
    .addPrimaryKeyConstraint('flow_run_counts_pk', [
      'company_id',
      'service_id',
      'flow_id',
      'status',
      'company_turn',
    ])
    .execute();
}

async function partyTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('flow_run_parties')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('run_id', 'text', (built) => built.notNull())
    .addColumn('user_id', 'text', (built) => built.notNull())
    .addColumn('user_type', 'text', (built) => built.notNull())
    .addColumn('connection_id', 'text', (built) => built.notNull())
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('flow_run_parties_pk', ['company_id', 'user_id', 'run_id'])
    .execute();
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`flow_run_parties_${name}`).on('flow_run_parties').columns(columns);
  await index('user', ['user_id', 'run_id']).execute();
  await index('run', ['run_id']).execute();
  await index('service', ['company_id', 'service_id', 'run_id']).execute();
  // Those of runs that end with their connection.
  await index('connection', ['connection_id', 'run_id']).where(sql.ref('ended_at'), 'is', null).execute();
}

async function copyTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('flow_run_copies')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('run_id', 'text', (built) => built.notNull())
    .addColumn('user_id', 'text', (built) => built.notNull())
    .addColumn('kind', 'text', (built) => built.notNull())
    .addColumn('key', 'text', (built) => built.notNull())
    .addColumn('place', 'integer', (built) => built.notNull())
    .addColumn('id', 'text', (built) => built.notNull())
    .addColumn('value', 'text', (built) => built.notNull())
    .addPrimaryKeyConstraint('flow_run_copies_pk', ['company_id', 'run_id', 'id'])
    .execute();
  await db.schema
    .createIndex('flow_run_copies_user')
    .unique()
    .on('flow_run_copies')
    .columns(['run_id', 'user_id', 'kind', 'key'])
    .execute();
  await db.schema
    .createIndex('flow_run_copies_service')
    .on('flow_run_copies')
    .columns(['company_id', 'service_id', 'id'])
    .execute();
  await db.schema
    .createTable('flow_run_uploads')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('id', 'text', (built) => built.notNull())
    .addColumn('uploader_id', 'text', (built) => built.notNull())
    .addColumn('flow_id', 'text')
    .addColumn('run_id', 'text')
    .addColumn('slug', 'text')
    .addColumn('user_id', 'text')
    .addColumn('value', 'text', (built) => built.notNull())
    .addColumn('expires_at', 'bigint', (built) => built.notNull())
    .addPrimaryKeyConstraint('flow_run_uploads_pk', ['company_id', 'service_id', 'id'])
    .execute();
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`flow_run_uploads_${name}`).on('flow_run_uploads').columns(columns).execute();
  await index('id', ['id']);
  await index('uploader', ['uploader_id', 'service_id', 'expires_at']);
  await index('expires', ['expires_at']);
}
