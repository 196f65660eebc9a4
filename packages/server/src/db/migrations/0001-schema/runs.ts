import { statements } from './ddl.ts';
import { blobOf, isFile } from './files.ts';

/** Runs of flows: who takes part in them, the sealed copies of each party, and their documents. */
export const runs = (): string[] => statements`
  -- reference is what the company calls a run, for example the number of an order.
  create table flow_runs (
    company_id text not null, service_id text not null, id text not null,
    flow_id text not null, flow_version integer not null, flow_name text not null, reference text,
    connection_id text not null, customer_id text not null, customer_type text not null,
    status text not null, company_turn integer not null, current_node text, output_mode text not null,
    last_act text, acts integer not null, bytes bigint not null, document_id text, failure text,
    created_at bigint not null, updated_at bigint not null, ended_at bigint,
    reference_date text not null, bindings text not null,
    private_slugs text not null, owner_tag_values text not null,
    constraint flow_runs_pk primary key (company_id, service_id, id)
  );
  create unique index flow_runs_id on flow_runs (id);
  create index flow_runs_service on flow_runs (service_id, id);
  create index flow_runs_status on flow_runs (service_id, status, id);
  create index flow_runs_turn on flow_runs (service_id, id) where company_turn = 1;
  create index flow_runs_flow on flow_runs (flow_id, id);
  create index flow_runs_flow_status on flow_runs (flow_id, status, id);
  create index flow_runs_flow_turn on flow_runs (flow_id, id) where company_turn = 1;
  -- Those that end with their connection.
  create index flow_runs_connection on flow_runs (connection_id, id) where ended_at is null;

  create table flow_run_counts (
    company_id text not null, service_id text not null, flow_id text not null,
    status text not null, company_turn integer not null, n bigint not null,
    constraint flow_run_counts_pk primary key (company_id, service_id, flow_id, status, company_turn)
  );

  create table flow_run_parties (
    company_id text not null, user_id text not null, run_id text not null,
    service_id text not null, user_type text not null, connection_id text not null, ended_at bigint,
    constraint flow_run_parties_pk primary key (company_id, user_id, run_id)
  );
  create index flow_run_parties_user on flow_run_parties (user_id, run_id);
  create index flow_run_parties_run on flow_run_parties (run_id);
  create index flow_run_parties_service on flow_run_parties (company_id, service_id, run_id);
  -- Those of runs that end with their connection.
  create index flow_run_parties_connection on flow_run_parties (connection_id, run_id) where ended_at is null;

  -- When which step of a run was answered.
  create table flow_run_steps (
    company_id text not null, service_id text not null, place integer not null, run_id text not null,
    node text not null, answered_at bigint not null,
    constraint flow_run_steps_pk primary key (company_id, service_id, place, run_id)
  );
  -- The steps of a run in order, and those that a deleted service leaves.
  create index flow_run_steps_run on flow_run_steps (company_id, service_id, run_id, place);

  create table flow_run_copies (
    company_id text not null, run_id text not null, id text not null,
    service_id text not null, user_id text not null, kind text not null, key text not null,
    place integer not null, value text not null,
    constraint flow_run_copies_pk primary key (company_id, run_id, id)
  );
  create unique index flow_run_copies_user on flow_run_copies (run_id, user_id, kind, key);
  create index flow_run_copies_service on flow_run_copies (company_id, service_id, id);
  -- The files of a company by their blobs: a region that a company moves to asks for them one by one.
  create index flow_run_copies_blobs on flow_run_copies (company_id, ${blobOf}) where ${isFile('value')};

  -- Files that no act has named yet.
  create table flow_run_uploads (
    company_id text not null, service_id text not null, id text not null,
    uploader_id text not null, flow_id text, run_id text, slug text, user_id text,
    expires_at bigint not null, value text not null,
    constraint flow_run_uploads_pk primary key (company_id, service_id, id)
  );
  create index flow_run_uploads_id on flow_run_uploads (id);
  create index flow_run_uploads_uploader on flow_run_uploads (uploader_id, service_id, expires_at);
  create index flow_run_uploads_expires on flow_run_uploads (expires_at);

  -- Which copy of a document is whose; the owning company has copies of its own.
  create table run_documents (
    company_id text not null, run_id text not null, document_id text not null,
    service_id text not null, flow_id text not null, output_key text not null, place integer not null,
    party_key text not null, position integer not null, is_owner integer not null,
    name text not null, requires_signature integer not null,
    requires_acceptance integer not null, plain_sha256 text not null, status text,
    created_at bigint not null, updated_at bigint not null,
    acts text not null, value text,
    constraint run_documents_pk primary key (company_id, run_id, document_id)
  );
  create unique index run_documents_document on run_documents (document_id);
  create index run_documents_run on run_documents (run_id);
  create index run_documents_service on run_documents (company_id, service_id, document_id);
  create index run_documents_blobs on run_documents (company_id, ${blobOf}) where ${isFile('value')};

  -- Files that wait to be put into documents.
  create table flow_run_inputs (
    company_id text not null, run_id text not null, user_id text not null, source_key text not null,
    service_id text not null, id text not null, expires_at bigint not null,
    value text not null,
    constraint flow_run_inputs_pk primary key (company_id, run_id, user_id, source_key)
  );
  create index flow_run_inputs_service on flow_run_inputs (company_id, service_id, id);
  create index flow_run_inputs_expires on flow_run_inputs (expires_at);
`;
