import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';
import { fileTriggers } from './0040-files.ts';

/** Flows with their drafts, published versions, and the files of both. */
export function flowDefinitions(engine: Engine) {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await flowTable(db);
      await versionTable(db);
      await assetTable(db);
      for (const text of fileTriggers(engine, 'flow_assets')) await sql.raw(text).execute(db);
    },
  };
}

async function flowTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('flows')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('id', 'text', (built) => built.notNull())
    .addColumn('name', 'text', (built) => built.notNull())
    .addColumn('output_mode', 'text', (built) => built.notNull())
    .addColumn('revision', 'integer', (built) => built.notNull())
    .addColumn('version', 'integer')
    .addColumn('published_revision', 'integer')
    .addColumn('published_at', 'bigint')
    .addColumn('plugin_ids', 'text', (built) => built.notNull())
    .addColumn('created_at', 'bigint', (built) => built.notNull())
    .addColumn('updated_at', 'bigint', (built) => built.notNull())
    .addColumn('deleted_at', 'bigint')
    // Last: what is in front of a long text is read without it.
    .addColumn('draft', 'text', (built) => built.notNull())
    .addPrimaryKeyConstraint('flows_pk', ['company_id', 'service_id', 'id'])
    .execute();
  await db.schema.createIndex('flows_id').unique().on('flows').column('id').execute();
  await db.schema.createIndex('flows_service').on('flows').columns(['service_id', 'id']).execute();
}

async function versionTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('flow_versions')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('flow_id', 'text', (built) => built.notNull())
    .addColumn('version', 'integer', (built) => built.notNull())
    .addColumn('name', 'text', (built) => built.notNull())
    .addColumn('output_mode', 'text', (built) => built.notNull())
    .addColumn('field_count', 'integer', (built) => built.notNull())
    .addColumn('plugin_ids', 'text', (built) => built.notNull())
    .addColumn('published_at', 'bigint', (built) => built.notNull())
    .addColumn('fields', 'text', (built) => built.notNull())
    .addColumn('definition', 'text', (built) => built.notNull())
    .addPrimaryKeyConstraint('flow_versions_pk', ['company_id', 'flow_id', 'version'])
    .execute();
  await db.schema
    .createIndex('flow_versions_service')
    .on('flow_versions')
    .columns(['company_id', 'service_id', 'version'])
    .execute();
  await db.schema.createIndex('flow_versions_flow').on('flow_versions').column('flow_id').execute();
}

async function assetTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('flow_assets')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('flow_id', 'text', (built) => built.notNull())
    .addColumn('version', 'integer', (built) => built.notNull())
    .addColumn('asset_key', 'text', (built) => built.notNull())
    .addColumn('original_name', 'text', (built) => built.notNull())
    .addColumn('hash', 'text', (built) => built.notNull())
    .addColumn('bytes', 'bigint', (built) => built.notNull())
    .addColumn('created_at', 'bigint', (built) => built.notNull())
    .addColumn('value', 'text', (built) => built.notNull())
    .addColumn('analysis', 'text', (built) => built.notNull())
    .addColumn('plan', 'text', (built) => built.notNull())
    .addPrimaryKeyConstraint('flow_assets_pk', ['company_id', 'flow_id', 'asset_key', 'version'])
    .execute();
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`flow_assets_${name}`).on('flow_assets').columns(columns).execute();
  await index('service', ['company_id', 'service_id', 'version']);
  await index('bytes', ['company_id', 'service_id', 'hash', 'bytes']);
  await index('flow', ['flow_id', 'version']);
  await index('hash', ['company_id', 'hash']);
}
