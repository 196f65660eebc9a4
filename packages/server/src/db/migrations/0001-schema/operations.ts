import { statements } from './ddl.ts';

/** What the operator holds, work that waits for a worker, and files. */
export const operations = (): string[] => statements`
  create table region_settings (
    name text not null, value text not null, updated_at bigint not null,
    constraint region_settings_pk primary key (name)
  );

  create table field_types (
    type text not null, row text not null, created_at bigint not null,
    constraint field_types_pk primary key (type)
  );

  create table operator_acts (
    id text not null,
    act text not null, subject text, details text not null, source text not null, at bigint not null,
    constraint operator_acts_pk primary key (id)
  );

  -- Work that an act leaves to a worker.
  create table jobs (
    company_id text not null, id text not null,
    service_id text not null, kind text not null, position bigint not null, turn bigint not null,
    done bigint not null, total bigint, failures integer not null, problem text,
    created_at bigint not null, updated_at bigint not null, stepped_at bigint, finished_at bigint,
    state text not null,
    constraint jobs_pk primary key (company_id, id)
  );
  create unique index jobs_of_service on jobs (company_id, service_id, position);
  create index jobs_unfinished on jobs (turn, id) where finished_at is null;
  create index jobs_unfinished_of_service on jobs (service_id, position) where finished_at is null;
  create index jobs_finished on jobs (finished_at) where finished_at is not null;

  -- What of that work had to be told before its turn.
  create table early_tellings (
    company_id text not null, job_id text not null, connection_id text not null,
    constraint early_tellings_pk primary key (company_id, job_id, connection_id)
  );

  -- Files of photos and values by their contents. Those that nothing refers to are deleted after a while.
  create table blobs (
    hash text not null, key text not null, size bigint not null,
    refs bigint not null, held_until bigint not null,
    constraint blobs_pk primary key (hash)
  );
  create index blobs_unreferenced on blobs (held_until) where refs = 0;

  create table doomed_blobs (
    key text not null,
    constraint doomed_blobs_pk primary key (key)
  );

  -- Notes of triggers, which a sweep sums up: transactions that changed the blobs themselves would wait for each other.
  create table blob_ref_changes (
    hash text not null, n bigint not null
  );
  create index blob_ref_changes_hash on blob_ref_changes (hash);

  -- Files that wait for the act that names them, of people and of companies.
  create table file_uploads (
    id text not null primary key,
    customer_id text not null, bytes bigint not null, expires_at bigint not null,
    value text not null
  );
  create index file_uploads_customer on file_uploads (customer_id);
  create index file_uploads_expires on file_uploads (expires_at);
`;
