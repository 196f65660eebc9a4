import type { Engine } from '../../database.ts';
import { folded, statements } from './ddl.ts';

/** People: their fields, sessions, second factors and devices. */
export const people = (engine: Engine): string[] => statements`
  -- region: null for a person at home here; else the row is what this region knows of one whose home is the region named.
  create table persons (
    id text not null, region text,
    email text not null, display_name text not null, share_code text not null,
    public_key text not null, public_key_sha256 text not null, encrypted_private_key text not null,
    login_version integer not null, login_salt text not null, login_hash text not null,
    recovery_hash text not null, recovery_private_key text not null,
    totp_secret text, totp_begun_at bigint, totp_enabled_at bigint, totp_last_step bigint not null,
    epoch bigint not null, created_at bigint not null, deleted_at bigint,
    constraint persons_pk primary key (id),
    constraint persons_email unique (email),
    constraint persons_share_code unique (share_code)
  );
  -- What an operator looks for: names and addresses that begin with a text, in any case.
  create index persons_begins_name on persons (${folded(engine, 'display_name')});
  create index persons_begins_email on persons (${folded(engine, 'email')});

  -- Whoever deleted an account, until everything of them is gone.
  create table person_deletions (
    person_id text not null, email text, deleted_at bigint not null, run_at bigint not null,
    constraint person_deletions_pk primary key (person_id)
  );
  create index person_deletions_due on person_deletions (run_at);

  create table person_fields (
    person_id text not null, id text not null,
    type text not null, label text not null, slug text not null, usertype text not null,
    private bigint not null, version bigint not null, verification text, verified_name text,
    created_at bigint not null, updated_at bigint not null,
    value text,
    constraint person_fields_pk primary key (person_id, id),
    constraint person_fields_slug unique (person_id, slug)
  );
  -- Which field types are in use.
  create index person_fields_type on person_fields (type);

  create table verification_codes (
    person_id text not null, field_id text not null,
    code_hash text not null, value_hash text not null, attempts bigint not null, expires_at bigint not null,
    constraint verification_codes_pk primary key (person_id, field_id)
  );
  create index verification_codes_expiry on verification_codes (expires_at);

  -- Documents that a provider is looking at.
  create table identity_checks (
    id text not null,
    person_id text not null, field_id text not null, field_version bigint not null, provider text not null,
    verified_salt text not null, verified_hash text not null, state text not null, reason text,
    expires_at bigint not null,
    constraint identity_checks_pk primary key (id),
    constraint identity_checks_field unique (person_id, field_id)
  );
  create index identity_checks_expires on identity_checks (expires_at);

  create table person_sessions (
    person_id text not null, id text not null,
    token_hash text not null, user_agent text not null, epoch bigint not null,
    created_at bigint not null, last_seen_at bigint not null, expires_at bigint not null,
    constraint person_sessions_pk primary key (person_id, id),
    constraint person_sessions_token unique (token_hash)
  );
  create index person_sessions_expiry on person_sessions (expires_at);
  create index person_sessions_idle on person_sessions (last_seen_at);

  -- Sign-ins that wait for a second factor.
  create table person_sign_in_tickets (
    token_hash text not null, person_id text not null, transport text not null, attempts bigint not null,
    expires_at bigint not null,
    constraint person_sign_in_tickets_pk primary key (token_hash)
  );
  create index person_sign_in_tickets_person on person_sign_in_tickets (person_id);
  create index person_sign_in_tickets_expiry on person_sign_in_tickets (expires_at);

  create table person_codes (
    person_id text not null, purpose text not null,
    code_hash text not null, subject text not null, attempts bigint not null, expires_at bigint not null,
    constraint person_codes_pk primary key (person_id, purpose)
  );
  create index person_codes_expiry on person_codes (expires_at);

  create table person_recovery_codes (
    person_id text not null, code_hash text not null,
    constraint person_recovery_codes_pk primary key (person_id, code_hash)
  );

  create table person_passkeys (
    person_id text not null, id text not null,
    credential_id text not null, public_key text not null,
    encrypted_private_key text, transports text not null, name text not null,
    counter bigint not null, backup_eligible bigint not null, backed_up bigint not null,
    created_at bigint not null, last_used_at bigint,
    constraint person_passkeys_pk primary key (person_id, id),
    constraint person_passkeys_credential unique (credential_id)
  );

  -- Lists of confirmed keys. Only the person's devices open them.
  create table person_pins (
    person_id text not null primary key, counter bigint not null, iv text not null, data text not null
  );

  -- Tickets for the event streams of people's devices.
  create table event_tickets (
    ticket_hash text not null primary key,
    person_id text not null references persons (id) on delete cascade,
    claims text not null, expires_at bigint not null
  );
  create index event_tickets_of_person on event_tickets (person_id, expires_at);
  create index event_tickets_expired on event_tickets (expires_at);

  -- Where push messages to people's devices go, and the keys that they are signed with.
  create table push_subscriptions (
    id text not null primary key,
    person_id text not null references persons (id) on delete cascade,
    endpoint_hash text not null unique,
    subscription text not null, epoch bigint not null, session_id text, name text not null,
    created_at bigint not null
  );
  create index push_subscriptions_of_person on push_subscriptions (person_id, created_at, id);

  create table push_keys (
    id text not null primary key, public_key text not null, private_key text not null,
    created_at bigint not null
  );
`;
