import { statements } from './ddl.ts';

/** Services: what they ask and show, who may call for them, and their plugins. */
export const services = (): string[] => statements`
  create table services (
    company_id text not null, id text not null,
    name text not null, share_code text not null, admin_email text not null, audience text not null,
    public_key text not null, public_key_sha256 text not null,
    encrypted_private_key text not null, private_key_pem text,
    require_2fa bigint not null, number_matching bigint not null,
    request_version bigint not null, asked_version bigint not null, consent_id text,
    share_version bigint not null, connection_count bigint not null, connections_ended bigint not null,
    created_at bigint not null, updated_at bigint not null,
    constraint services_pk primary key (company_id, id),
    constraint services_id unique (id),
    constraint services_share_code unique (company_id, share_code)
  );

  create table service_former_keys (
    company_id text not null, service_id text not null, public_key_sha256 text not null,
    public_key text not null, encrypted_private_key text not null, private_key_pem text,
    replaced_at bigint not null,
    constraint service_former_keys_pk primary key (company_id, service_id, public_key_sha256)
  );

  create table request_fields (
    company_id text not null, service_id text not null, id text not null,
    slug text not null, label text not null, type text not null, audience text not null,
    position bigint not null, one_time bigint not null,
    mandatory_provide bigint not null, mandatory_connected bigint not null,
    verified bigint not null, verified_max_age_days bigint,
    plugin_id text, plugin text,
    people_since bigint, companies_since bigint, asked_at bigint not null, turning bigint not null,
    constraint request_fields_pk primary key (company_id, service_id, id),
    constraint request_fields_slug unique (service_id, slug)
  );
  -- Which field types are in use.
  create index request_fields_type on request_fields (type);

  create table share_fields (
    company_id text not null, service_id text not null, slug text not null,
    label text not null, type text not null, value text not null, position bigint not null,
    constraint share_fields_pk primary key (company_id, service_id, slug)
  );
  create index share_fields_type on share_fields (type);

  create table service_logs (
    company_id text not null, service_id text not null, id text not null,
    type text not null, message text not null, metadata text not null, created_at bigint not null,
    constraint service_logs_pk primary key (company_id, service_id, id)
  );

  -- A service has one client at most; account clients belong to no service.
  create table clients (
    client_id text not null,
    company_id text not null, service_id text, secret_hash text not null, endpoints text not null,
    epoch bigint not null, created_at bigint not null, secret_created_at bigint not null,
    constraint clients_pk primary key (client_id),
    constraint clients_service unique (service_id)
  );
  create index clients_company on clients (company_id);

  -- Both engines let any number of rows have no purpose.
  create table account_clients (
    company_id text not null, client_id text not null,
    name text not null, purpose text, capabilities text not null, created_at bigint not null,
    constraint account_clients_pk primary key (company_id, client_id),
    constraint account_clients_purpose unique (company_id, purpose)
  );

  create table plugins (
    company_id text not null, id text not null,
    builtin_key text, base_url text, name text, token text, private_key text, public_key text,
    field_types text not null, described_at bigint, last_error text,
    created_at bigint not null, updated_at bigint not null,
    constraint plugins_pk primary key (company_id, id),
    constraint plugins_base_url unique (company_id, base_url),
    constraint plugins_builtin_key unique (company_id, builtin_key)
  );
`;
