import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';
import { type Counted, countRows } from './0024-row-counts.ts';
import { fileTriggers } from './0040-files.ts';

/** The service, a space, and the status; empty for what the company deleted. */
const listedAs = (row: string) =>
  `case when ${row}deleted_at is null then ${row}service_id || ' ' || ${row}status else '' end`;

export const COUNTED_DOCUMENTS: Counted = {
  table: 'documents',
  key: (row) => listedAs(`${row}.`),
  changing: ['status', 'deleted_at'],
};

/** Documents of services, their files, and what parties did with them. */
export function documents(engine: Engine) {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await documentTables(db);
      await countRows(engine, db, COUNTED_DOCUMENTS);
      await db.schema
        .createTable('document_files')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('service_id', 'text', (built) => built.notNull())
        .addColumn('document_id', 'text', (built) => built.notNull())
        .addColumn('party', 'text', (built) => built.notNull())
        .addColumn('value', 'text', (built) => built.notNull())
        .addColumn('original_name', 'text')
        .addColumn('created_at', 'bigint', (built) => built.notNull())
        .addPrimaryKeyConstraint('document_files_pk', ['company_id', 'document_id', 'party'])
        .execute();
      for (const text of fileTriggers(engine, 'document_files')) await sql.raw(text).execute(db);
      await actTables(db);
      for (const table of ['document_files', 'document_acts']) {
        await db.schema.createIndex(`${table}_service`).on(table).column('service_id').execute();
        await db.schema.createIndex(`${table}_document`).on(table).column('document_id').execute();
      }
    },
  };
}

async function documentTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('documents')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('id', 'text', (built) => built.notNull())
    .addColumn('connection_id', 'text')
    .addColumn('customer_id', 'text')
    .addColumn('customer_type', 'text')
    .addColumn('kind', 'text', (built) => built.notNull())
    .addColumn('name', 'text', (built) => built.notNull())
    .addColumn('description', 'text')
    .addColumn('status', 'text', (built) => built.notNull())
    .addColumn('payload_kind', 'text', (built) => built.notNull())
    .addColumn('payload', 'text')
    .addColumn('metadata', 'text', (built) => built.notNull())
    .addColumn('is_private', 'integer', (built) => built.notNull())
    .addColumn('requires_signature', 'integer', (built) => built.notNull())
    .addColumn('requires_acceptance', 'integer', (built) => built.notNull())
    .addColumn('plain_sha256', 'text')
    .addColumn('sealed_at', 'bigint')
    .addColumn('sealed_sha256', 'text')
    .addColumn('seal_level', 'text')
    .addColumn('ends_on', 'text')
    .addColumn('created_at', 'bigint', (built) => built.notNull())
    .addColumn('updated_at', 'bigint', (built) => built.notNull())
    .addColumn('deleted_at', 'bigint')
    .addColumn('dropped_at', 'bigint')
    .addPrimaryKeyConstraint('documents_pk', ['company_id', 'service_id', 'id'])
    .execute();
  await db.schema.createIndex('documents_id').unique().on('documents').column('id').execute();
  await db.schema
    .createIndex('documents_customer')
    .on('documents')
    .columns(['customer_id', 'id'])
    .where(sql.ref('customer_id'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('documents_connection')
    .on('documents')
    .columns(['connection_id', 'id'])
    .where(sql.ref('connection_id'), 'is not', null)
    .execute();
  await db.schema.createIndex('documents_service').on('documents').columns(['service_id', 'id']).execute();
  await sql.raw(`create index documents_status on documents ((${listedAs('')}), company_id, id)`).execute(db);
  await db.schema
    .createIndex('documents_for_all')
    .on('documents')
    .columns(['service_id', 'id'])
    .where(sql.ref('connection_id'), 'is', null)
    .execute();
  await db.schema
    .createIndex('documents_ending')
    .on('documents')
    .columns(['ends_on'])
    .where(sql.ref('status'), '=', sql.lit('active_but_ending'))
    .execute();
}

async function actTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('document_acts')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('document_id', 'text', (built) => built.notNull())
    .addColumn('id', 'text', (built) => built.notNull())
    .addColumn('action', 'text', (built) => built.notNull())
    .addColumn('method', 'text')
    .addColumn('content_sha256', 'text')
    .addColumn('plain_sha256', 'text')
    .addColumn('signer_first_name', 'text')
    .addColumn('signer_last_name', 'text')
    .addColumn('signer_name_verified', 'integer')
    .addColumn('note', 'text')
    .addColumn('effective_date', 'text')
    .addColumn('created_at', 'bigint', (built) => built.notNull())
    .addPrimaryKeyConstraint('document_acts_pk', ['company_id', 'document_id', 'id'])
    .execute();
}
