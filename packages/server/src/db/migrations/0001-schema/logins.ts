import { statements } from './ddl.ts';

/** Logins of the portal: their sessions, second factors, devices and mailed codes. */
export const logins = (): string[] => statements`
  -- A login without credentials gets them by a reset.
  create table portal_logins (
    company_id text not null, id text not null,
    email text not null, name text not null, role text not null, created_at bigint not null,
    login_version integer, login_salt text, login_hash text,
    public_key text, public_key_sha256 text, encrypted_private_key text,
    recovery_hash text, recovery_private_key text,
    totp_secret text, totp_begun_at bigint, totp_enabled_at bigint, totp_last_step bigint not null,
    constraint portal_logins_pk primary key (company_id, id),
    constraint portal_logins_id unique (id),
    constraint portal_logins_email unique (email)
  );

  create table portal_sessions (
    company_id text not null, login_id text not null, id text not null,
    token_hash text not null, transport text not null, user_agent text not null,
    created_at bigint not null, last_seen_at bigint not null, expires_at bigint not null,
    constraint portal_sessions_pk primary key (company_id, login_id, id),
    constraint portal_sessions_token unique (token_hash)
  );
  create index portal_sessions_expiry on portal_sessions (expires_at);
  create index portal_sessions_seen on portal_sessions (transport, last_seen_at);

  -- Sessions of companies that moved away: here they are answered 421.
  create table departed_sessions (
    token_hash text not null, company_id text not null, expires_at bigint not null,
    constraint departed_sessions_pk primary key (token_hash)
  );
  create index departed_sessions_company on departed_sessions (company_id);
  create index departed_sessions_expiry on departed_sessions (expires_at);

  -- Sign-ins that wait for a second factor.
  create table sign_in_tickets (
    token_hash text not null, company_id text not null, login_id text not null,
    transport text not null, attempts bigint not null, expires_at bigint not null,
    constraint sign_in_tickets_pk primary key (token_hash)
  );
  create index sign_in_tickets_login on sign_in_tickets (company_id, login_id);
  create index sign_in_tickets_expiry on sign_in_tickets (expires_at);

  create table two_factor_recovery_codes (
    company_id text not null, login_id text not null, code_hash text not null,
    constraint two_factor_recovery_codes_pk primary key (company_id, login_id, code_hash)
  );

  create table login_passkeys (
    company_id text not null, login_id text not null, id text not null,
    credential_id text not null, public_key text not null,
    encrypted_private_key text, transports text not null, name text not null,
    counter bigint not null, backup_eligible bigint not null, backed_up bigint not null,
    created_at bigint not null, last_used_at bigint,
    constraint login_passkeys_pk primary key (company_id, login_id, id),
    constraint login_passkeys_credential unique (credential_id)
  );

  create table trusted_devices (
    company_id text not null, login_id text not null, id text not null,
    token_hash text not null, user_agent text not null,
    created_at bigint not null, last_used_at bigint not null, expires_at bigint not null,
    constraint trusted_devices_pk primary key (company_id, login_id, id),
    constraint trusted_devices_token unique (token_hash)
  );
  create index trusted_devices_expiry on trusted_devices (expires_at);

  create table login_codes (
    company_id text not null, login_id text not null, purpose text not null,
    code_hash text not null, subject text not null, attempts bigint not null, expires_at bigint not null,
    constraint login_codes_pk primary key (company_id, login_id, purpose)
  );
  create index login_codes_expiry on login_codes (expires_at);

  -- Acts that a code mailed to an address confirms, begun by a caller who is not signed in.
  create table mailed_tickets (
    ticket_hash text not null,
    purpose text not null, email text not null, code_hash text not null, attempts bigint not null,
    expires_at bigint not null,
    constraint mailed_tickets_pk primary key (ticket_hash)
  );
  create index mailed_tickets_expiry on mailed_tickets (expires_at);

  -- Proofs of presence that one request of a session may send along.
  create table act_proofs (
    company_id text not null, login_id text not null, token_hash text not null,
    session_id text not null, act text not null, expires_at bigint not null,
    constraint act_proofs_pk primary key (company_id, login_id, token_hash)
  );
  create index act_proofs_expiry on act_proofs (expires_at);

  -- Nonces that were used, until they would have expired.
  create table used_nonces (
    nonce text not null, expires_at bigint not null,
    constraint used_nonces_pk primary key (nonce)
  );
  create index used_nonces_expiry on used_nonces (expires_at);

  create table delegate_invitations (
    company_id text not null, id text not null,
    email text not null, role text not null, token_hash text not null,
    created_at bigint not null, expires_at bigint not null,
    constraint delegate_invitations_pk primary key (company_id, id),
    constraint delegate_invitations_token unique (token_hash),
    constraint delegate_invitations_email unique (company_id, email)
  );

  -- The company's recovery key, sealed to the key of each login that holds it.
  create table recovery_key_holders (
    company_id text not null, login_id text not null,
    sealed text not null, created_at bigint not null,
    constraint recovery_key_holders_pk primary key (company_id, login_id)
  );

  -- Lists of confirmed keys. Only the login's devices open them.
  create table login_pins (
    company_id text not null, login_id text not null,
    counter bigint not null, iv text not null, data text not null,
    constraint login_pins_pk primary key (company_id, login_id)
  );
`;
