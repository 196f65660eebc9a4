import type { Engine } from '../../database.ts';
import { folded, statements } from './ddl.ts';

/** Companies, what they show of themselves, and what is recorded of their acts. */
export const companies = (engine: Engine): string[] => statements`
  -- region: null for a company at home here; else the row is what this region knows of one whose home is the region named.
  create table companies (
    id text not null, region text,
    name text not null, email text not null, code text not null, level text not null,
    account_public_key text not null, account_public_key_sha256 text not null,
    account_private_key text not null, recovery_public_key text not null, recovery_private_key text not null,
    card_version bigint not null, created_at bigint not null,
    constraint companies_pk primary key (id),
    constraint companies_email unique (email),
    constraint companies_code unique (code)
  );
  -- What an operator looks for: names and addresses that begin with a text, in any case.
  create index companies_begins_name on companies (${folded(engine, 'name')});
  create index companies_begins_email on companies (${folded(engine, 'email')});

  -- Codes of companies and people, in one namespace.
  create table share_codes (
    code text not null, kind text not null, subject_id text not null, custom bigint not null default 0,
    constraint share_codes_pk primary key (code)
  );
  create index share_codes_subject on share_codes (subject_id, custom);

  create table company_deletions (
    company_id text not null, email text not null, confirmed_at bigint not null, due_at bigint not null,
    constraint company_deletions_pk primary key (company_id)
  );

  create table audit_log (
    company_id text not null, id text not null,
    actor_kind text not null, actor_id text not null, actor_name text, source text,
    action text not null, target text not null, details text not null, created_at bigint not null,
    constraint audit_log_pk primary key (company_id, id)
  );

  -- Copies of secrets, sealed to the recovery key. One may belong to no service.
  create table recovery_copies (
    company_id text not null, id text not null,
    kind text not null, service_id text, client_id text, sealed text not null, created_at bigint not null,
    constraint recovery_copies_pk primary key (company_id, id)
  );

  create table contact_fields (
    company_id text not null, id text not null,
    type text not null, slug text not null, label text not null, usertype text not null,
    created_at bigint not null,
    constraint contact_fields_pk primary key (company_id, id),
    constraint contact_fields_slug unique (company_id, slug)
  );
  -- Which field types are in use.
  create index contact_fields_type on contact_fields (type);

  create table contact_data (
    company_id text not null, id text not null,
    field_id text not null, type text not null, slug text not null, label text not null, value text not null,
    created_at bigint not null, updated_at bigint not null,
    constraint contact_data_pk primary key (company_id, id),
    constraint contact_data_slug unique (company_id, slug)
  );
  create index contact_data_type on contact_data (type);

  create table photos (
    company_id text not null, id text not null,
    label text, media_type text not null, width bigint not null,
    height bigint not null, size bigint not null,
    hash text not null, thumb_hash text not null, is_profile bigint not null, created_at bigint not null,
    constraint photos_pk primary key (company_id, id),
    constraint photos_id unique (id)
  );
  create unique index photos_profile on photos (company_id) where is_profile = 1;

  create table share_photos (
    company_id text not null, service_id text not null, photo_id text not null, position bigint not null,
    constraint share_photos_pk primary key (company_id, service_id, photo_id)
  );
  create index share_photos_photo on share_photos (photo_id, service_id);
`;
