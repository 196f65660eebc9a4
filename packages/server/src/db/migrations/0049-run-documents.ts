import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';
import { fileTriggers } from './0040-files.ts';

/** The documents of runs: which copy is whose, the owning company's own copies, and files that wait to be put into them. */
export function runDocuments(engine: Engine) {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('run_documents')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('service_id', 'text', (built) => built.notNull())
        .addColumn('run_id', 'text', (built) => built.notNull())
        .addColumn('document_id', 'text', (built) => built.notNull())
        .addColumn('flow_id', 'text', (built) => built.notNull())
        .addColumn('output_key', 'text', (built) => built.notNull())
        .addColumn('place', 'integer', (built) => built.notNull())
        .addColumn('party_key', 'text', (built) => built.notNull())
        .addColumn('position', 'integer', (built) => built.notNull())
        .addColumn('is_owner', 'integer', (built) => built.notNull())
        .addColumn('name', 'text', (built) => built.notNull())
        .addColumn('requires_signature', 'integer', (built) => built.notNull())
        .addColumn('requires_acceptance', 'integer', (built) => built.notNull())
        .addColumn('plain_sha256', 'text', (built) => built.notNull())
        .addColumn('status', 'text')
        .addColumn('acts', 'text', (built) => built.notNull())
        .addColumn('value', 'text')
        .addColumn('created_at', 'bigint', (built) => built.notNull())
        .addColumn('updated_at', 'bigint', (built) => built.notNull())
        .addPrimaryKeyConstraint('run_documents_pk', ['company_id', 'run_id', 'document_id'])
        .execute();
      const index = (table: string, name: string, columns: string[]) =>
        db.schema.createIndex(`${table}_${name}`).on(table).columns(columns);
      await index('run_documents', 'document', ['document_id']).unique().execute();
      await index('run_documents', 'run', ['run_id']).execute();
      await index('run_documents', 'service', ['company_id', 'service_id', 'document_id']).execute();
      await db.schema
        .createTable('flow_run_inputs')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('service_id', 'text', (built) => built.notNull())
        .addColumn('run_id', 'text', (built) => built.notNull())
        .addColumn('user_id', 'text', (built) => built.notNull())
        .addColumn('source_key', 'text', (built) => built.notNull())
        .addColumn('id', 'text', (built) => built.notNull())
        .addColumn('value', 'text', (built) => built.notNull())
        .addColumn('expires_at', 'bigint', (built) => built.notNull())
        .addPrimaryKeyConstraint('flow_run_inputs_pk', ['company_id', 'run_id', 'user_id', 'source_key'])
        .execute();
      await index('flow_run_inputs', 'expires', ['expires_at']).execute();
      await index('flow_run_inputs', 'service', ['company_id', 'service_id', 'id']).execute();
      for (const table of ['run_documents', 'flow_run_inputs'])
        for (const text of fileTriggers(engine, table)) await sql.raw(text).execute(db);
      // The files of a company by their blobs: a region that a company moves to asks for them one by one.
      await sql
        .raw(
          `create index run_documents_blobs on run_documents (company_id, substr(value, 62, 64))
           where substr(value, 1, 9) = '{"file":{'`,
        )
        .execute(db);
    },
  };
}
