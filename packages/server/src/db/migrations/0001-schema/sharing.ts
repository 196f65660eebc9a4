import { statements } from './ddl.ts';
import { blobOf, isFile } from './files.ts';

/** Connections of customers with services, and what they share there. */
export const sharing = (): string[] => statements`
  create table connections (
    company_id text not null, service_id text not null, id text not null,
    customer_id text not null, customer_type text not null, group_id text,
    request_version bigint not null, connected_at bigint not null,
    constraint connections_pk primary key (company_id, service_id, id),
    constraint connections_id unique (id),
    constraint connections_customer unique (service_id, customer_id)
  );
  create index connections_of_customer on connections (customer_id, id);
  -- Among many people there are few companies, which are read in the order of their ids.
  create index connections_of_companies on connections (service_id, id) where customer_type = 'company';

  create table slot_values (
    company_id text not null, connection_id text not null, request_field_id text not null,
    field_id text, field_version bigint, registration text, verification text,
    live bigint not null, private bigint not null, updated_at bigint not null,
    value text,
    constraint slot_values_pk primary key (company_id, connection_id, request_field_id)
  );
  create index slot_values_field on slot_values (field_id);
  -- Files that were given once, the oldest first.
  create index slot_values_files on slot_values (updated_at) where live = 0 and ${isFile('value')};
  -- The files of a company by their blobs: a region that a company moves to asks for them one by one.
  create index slot_values_blobs on slot_values (company_id, ${blobOf}) where ${isFile('value')};

  -- Decisions alone: what is pending follows from versions.
  create table consent_rows (
    company_id text not null, connection_id text not null, request_field_id text not null,
    state text not null, decided_at bigint,
    constraint consent_rows_pk primary key (company_id, connection_id, request_field_id)
  );
`;
