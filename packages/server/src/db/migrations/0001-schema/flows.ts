import { statements } from './ddl.ts';

/** Flows with their drafts and published versions. */
export const flows = (): string[] => statements`
  -- draft is last: what is in front of a long text is read without it.
  create table flows (
    company_id text not null, service_id text not null, id text not null,
    name text not null, output_mode text not null, revision integer not null,
    version integer, published_revision integer, published_at bigint,
    plugin_ids text not null, created_at bigint not null, updated_at bigint not null, deleted_at bigint,
    draft text not null,
    constraint flows_pk primary key (company_id, service_id, id)
  );
  create unique index flows_id on flows (id);
  create index flows_service on flows (service_id, id);

  create table flow_versions (
    company_id text not null, flow_id text not null, version integer not null,
    service_id text not null, name text not null, output_mode text not null,
    field_count integer not null, plugin_ids text not null, published_at bigint not null,
    fields text not null, definition text not null,
    constraint flow_versions_pk primary key (company_id, flow_id, version)
  );
  create index flow_versions_service on flow_versions (company_id, service_id, version);
  create index flow_versions_flow on flow_versions (flow_id);

  -- The files of drafts and versions.
  create table flow_assets (
    company_id text not null, flow_id text not null, asset_key text not null, version integer not null,
    service_id text not null, original_name text not null, hash text not null,
    bytes bigint not null, created_at bigint not null,
    value text not null, analysis text not null, plan text not null,
    constraint flow_assets_pk primary key (company_id, flow_id, asset_key, version)
  );
  create index flow_assets_service on flow_assets (company_id, service_id, version);
  create index flow_assets_bytes on flow_assets (company_id, service_id, hash, bytes);
  create index flow_assets_flow on flow_assets (flow_id, version);
  create index flow_assets_hash on flow_assets (company_id, hash);
`;
