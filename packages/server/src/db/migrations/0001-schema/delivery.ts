import type { Engine } from '../../database.ts';
import { sequence, statements } from './ddl.ts';

/** The pull feeds, and webhooks with their queues. */
export function delivery(engine: Engine): string[] {
  return [...queues(engine), ...(engine === 'sqlite' ? [DELIVERED] : forManyProcesses())];
}

const queues = (engine: Engine): string[] => statements`
  -- A feed is known by its owner's id: a service's, or a company's whose account feed it is.
  create table changes (
    ${sequence(engine)},
    feed text not null, id text not null, company_id text not null, service_id text not null,
    connection_id text, customer_id text not null, customer_type text not null, share_code text,
    event text not null, request_field_id text, slug text, collapse_key text not null, at bigint not null,
    claim_owner text, claimed_until bigint, given_to text, given_in bigint,
    payload text not null
  );
  create index changes_feed on changes (feed, seq);
  create index changes_collapse on changes (feed, collapse_key);
  create index changes_age on changes (at);

  create table webhooks (
    company_id text not null, service_id text not null, id text not null,
    url text not null, events text not null, format text not null,
    auth_type text not null, encrypt_payload bigint not null, enabled bigint not null,
    health text not null, health_changed_at bigint not null, probe_at bigint,
    parked_through bigint not null, last_failure text, alerted_at bigint,
    lease_owner text, lease_until bigint,
    version bigint not null, created_at bigint not null, updated_at bigint not null,
    secrets text not null,
    constraint webhooks_pk primary key (company_id, service_id, id),
    constraint webhooks_id unique (id)
  );
  create index webhooks_service on webhooks (service_id, id);

  create table webhook_events (
    ${sequence(engine)},
    webhook_id text not null, id text not null, company_id text not null, service_id text not null,
    connection_id text, customer_id text not null, customer_type text not null, share_code text,
    event text not null, request_field_id text, slug text, at bigint not null,
    claim_owner text, claimed_until bigint, given_to text, given_in bigint,
    payload text not null
  );
  create index webhook_events_queue on webhook_events (webhook_id, seq);
  -- How old a webhook's queue is, and what of it is too old.
  create index webhook_events_age on webhook_events (webhook_id, at);
`;

/** Webhook events that were delivered and are about to be removed. */
const DELIVERED = 'create table webhook_delivered (seq integer primary key)';

const forManyProcesses = (): string[] => statements`
  alter table changes set (autovacuum_vacuum_scale_factor = 0.01);
  -- In which answer a client was given an event: any process can then take the client's word for it.
  create sequence drain_answers;
  create index changes_given on changes (feed, given_to) where given_to is not null;
  create index webhook_events_given on webhook_events (webhook_id, given_to) where given_to is not null;
  -- What a process had claimed or leased before it was restarted.
  create index changes_claimed on changes (claim_owner) where claim_owner is not null;
  create index webhook_events_claimed on webhook_events (claim_owner) where claim_owner is not null;
  create index webhooks_claimed on webhooks (lease_owner) where lease_owner is not null;
`;
