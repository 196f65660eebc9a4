import { statements } from './ddl.ts';

/** Second factors for services, and people who sign in at apps. */
export const signIn = (): string[] => statements`
  create table two_factor_enrolments (
    company_id text not null, id text not null,
    service_id text not null, person_id text not null, app_id text,
    muted integer not null, denials integer not null, denied_at bigint, created_at bigint not null,
    constraint two_factor_enrolments_pk primary key (company_id, id)
  );
  create unique index two_factor_enrolments_of_service on two_factor_enrolments (service_id, person_id);
  create index two_factor_enrolments_of_person on two_factor_enrolments (person_id, id);

  -- A challenge that was approved by two factors proves one act on a document, once.
  create table two_factor_challenges (
    company_id text not null, id text not null,
    service_id text not null, person_id text not null, idempotency_key text not null, context text,
    digits text, wrong_digits integer not null, status text not null, approved_by text,
    created_at bigint not null, expires_at bigint not null, completed_at bigint, spent_at bigint,
    delivered integer not null, claim_owner text, claimed_until bigint,
    constraint two_factor_challenges_pk primary key (company_id, id)
  );
  create unique index two_factor_challenges_id on two_factor_challenges (id);
  create index two_factor_challenges_of_service
    on two_factor_challenges (service_id, person_id, idempotency_key, expires_at);
  -- Few at a time: what a person is asked now.
  create index two_factor_challenges_pending on two_factor_challenges (person_id, expires_at) where status = 'pending';
  create index two_factor_challenges_expiry on two_factor_challenges (expires_at);

  create table oauth_apps (
    company_id text not null, client_id text not null,
    name text not null, app_type text not null, service_id text, redirect_uris text not null,
    claims_delivery text not null, claim_config text not null,
    require_2fa integer not null, detached integer not null, id_token_alg text not null,
    public_key text, public_key_sha256 text, encrypted_private_key text, private_key_pem text,
    secret_hash text, secret_created_at bigint, created_at bigint not null, updated_at bigint not null,
    constraint oauth_apps_pk primary key (company_id, client_id),
    constraint oauth_apps_client unique (client_id)
  );
  -- Whether an app wants an algorithm of which there is no key is asked again and again, mostly in vain.
  create index oauth_apps_algorithm on oauth_apps (id_token_alg, client_id);

  -- Until what people chose for them is deleted as well.
  create table deleted_oauth_apps (
    company_id text not null, client_id text not null, deleted_at bigint not null,
    constraint deleted_oauth_apps_pk primary key (company_id, client_id)
  );

  -- What people are asked at the consent page.
  create table consent_requests (
    company_id text not null, id text not null,
    client_id text not null, issuer text not null, person_id text, public_key_sha256 text, state_hash text,
    status text not null, wrong_digits integer not null,
    delivered integer not null, claim_owner text, claimed_until bigint,
    created_at bigint not null, expires_at bigint not null,
    parameters text not null, claims text not null, result text,
    constraint consent_requests_pk primary key (company_id, id)
  );
  create index consent_requests_id on consent_requests (id);
  create unique index consent_requests_state on consent_requests (client_id, state_hash);
  create index consent_requests_expiry on consent_requests (expires_at);
  create index consent_requests_person on consent_requests (person_id);

  create table claim_choices (
    company_id text not null, client_id text not null, person_id text not null, fields text not null,
    constraint claim_choices_pk primary key (company_id, client_id, person_id)
  );
  create index claim_choices_person on claim_choices (person_id);
  create index claim_choices_app on claim_choices (client_id);

  create table sign_in_log (
    company_id text not null, id text not null,
    person_id text not null, client_id text not null, mode text not null, outcome text not null,
    two_factor integer not null, detached integer not null, at bigint not null, expires_at bigint not null,
    claims text not null,
    constraint sign_in_log_pk primary key (company_id, id)
  );
  create index sign_in_log_person on sign_in_log (person_id, id);
  create index sign_in_log_app on sign_in_log (client_id);
  create index sign_in_log_expiry on sign_in_log (expires_at);

  -- Sign-ins at apps, with their codes and what the app may read with the token that a code gives.
  create table sign_ins (
    company_id text not null, id text not null,
    client_id text not null, person_id text not null, share_code text not null,
    code_hash text not null, code_expires_at bigint not null,
    used_at bigint, revoked_at bigint, expires_at bigint not null,
    mode text not null, redirect_uri text, code_challenge text, nonce text, scope text,
    two_factor integer not null, auth_time bigint, created_at bigint not null,
    claims text not null, attestations text not null,
    constraint sign_ins_pk primary key (company_id, id)
  );
  create index sign_ins_person on sign_ins (person_id);
  create index sign_ins_expiry on sign_ins (expires_at);

  create table sign_in_plaintexts (
    company_id text not null, id text not null,
    sealed text not null, expires_at bigint not null,
    constraint sign_in_plaintexts_pk primary key (company_id, id)
  );
  create index sign_in_plaintexts_expiry on sign_in_plaintexts (expires_at);

  -- The keys of id_tokens.
  create table signing_keys (
    id text not null primary key,
    algorithm text not null, generation integer not null,
    public_jwk text not null, private_key text not null,
    created_at bigint not null, signs_from bigint not null, published_until bigint,
    constraint signing_keys_generation unique (algorithm, generation)
  );
`;
