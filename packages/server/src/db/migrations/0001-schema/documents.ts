import { statements } from './ddl.ts';
import { blobOf, isFile } from './files.ts';
import { listedDocument } from './row-counts.ts';

/** Documents of services, their files, what parties did with them, and the certificates that seal them. */
export const documents = (): string[] => statements`
  create table documents (
    company_id text not null, service_id text not null, id text not null,
    connection_id text, customer_id text, customer_type text,
    kind text not null, name text not null, description text, status text not null,
    payload_kind text not null, is_private integer not null,
    requires_signature integer not null, requires_acceptance integer not null,
    plain_sha256 text, sealed_sha256 text, sealed_at bigint, seal_level text, ends_on text,
    created_at bigint not null, updated_at bigint not null,
    viewed_at bigint, deleted_at bigint, dropped_at bigint,
    metadata text not null, acted_terms text, payload text,
    constraint documents_pk primary key (company_id, service_id, id)
  );
  create unique index documents_id on documents (id);
  create index documents_customer on documents (customer_id, id) where customer_id is not null;
  create index documents_connection on documents (connection_id, id) where connection_id is not null;
  create index documents_service on documents (service_id, id);
  create index documents_status on documents ((${listedDocument('')}), company_id, id);
  create index documents_for_all on documents (service_id, id) where connection_id is null;
  create index documents_ending on documents (ends_on) where status = 'active_but_ending';

  create table document_files (
    company_id text not null, document_id text not null, party text not null,
    service_id text not null, original_name text, created_at bigint not null,
    value text not null,
    constraint document_files_pk primary key (company_id, document_id, party)
  );
  create index document_files_service on document_files (service_id);
  create index document_files_document on document_files (document_id);
  -- The files of a company by their blobs: a region that a company moves to asks for them one by one.
  create index document_files_blobs on document_files (company_id, ${blobOf}) where ${isFile('value')};

  create table document_acts (
    company_id text not null, document_id text not null, id text not null,
    service_id text not null, action text not null, method text, content_sha256 text, plain_sha256 text,
    signer_first_name text, signer_last_name text, signer_name_verified integer,
    note text, effective_date text, created_at bigint not null,
    constraint document_acts_pk primary key (company_id, document_id, id)
  );
  create index document_acts_service on document_acts (service_id);
  create index document_acts_document on document_acts (document_id);

  -- The certificate that a platform makes itself.
  create table seal_chains (
    id text not null,
    private_key text not null, certificate text not null, root text not null, created_at bigint not null,
    constraint seal_chains_pk primary key (id)
  );

  -- Which mails went out about a certificate that expires.
  create table seal_expiry_notices (
    certificate_sha256 text not null, days integer not null, created_at bigint not null,
    constraint seal_expiry_notices_pk primary key (certificate_sha256, days)
  );
`;
