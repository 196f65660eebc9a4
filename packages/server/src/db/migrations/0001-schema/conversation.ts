import { statements } from './ddl.ts';

/** Messages, broadcasts, and requests to connect. */
export const conversation = (): string[] => statements`
  create table message_threads (
    company_id text not null, connection_id text not null,
    last_id text not null, message_count integer not null,
    constraint message_threads_pk primary key (company_id, connection_id)
  );

  create table messages (
    company_id text not null, connection_id text not null, id text not null,
    sender text not null, created_at bigint not null, read_at bigint,
    service_body text not null, customer_body text not null,
    constraint messages_pk primary key (company_id, connection_id, id)
  );
  create index messages_unread on messages (connection_id, sender, id) where read_at is null;

  create table messaging_suspensions (
    company_id text not null primary key, messages integer not null, broadcasts integer not null
  );

  create table broadcasts (
    company_id text not null, service_id text not null, id text not null,
    body text not null, created_at bigint not null, expires_at bigint not null,
    constraint broadcasts_pk primary key (company_id, service_id, id)
  );
  create index broadcasts_expiry on broadcasts (expires_at);

  create table broadcast_reads (
    company_id text not null, connection_id text not null, broadcast_id text not null,
    read_at bigint not null, expires_at bigint not null,
    constraint broadcast_reads_pk primary key (company_id, connection_id, broadcast_id)
  );
  create index broadcast_reads_expiry on broadcast_reads (expires_at);

  create table connect_requests (
    company_id text not null, service_id text not null, id text not null,
    person_id text not null, state text not null, created_at bigint not null, expires_at bigint not null,
    constraint connect_requests_pk primary key (company_id, service_id, id)
  );
  create unique index connect_requests_id on connect_requests (id);
  create index connect_requests_person on connect_requests (person_id, service_id, id);
  create index connect_requests_expiry on connect_requests (expires_at) where state = 'open';

  create table blocked_services (
    company_id text not null, service_id text not null, person_id text not null, created_at bigint not null,
    constraint blocked_services_pk primary key (company_id, service_id, person_id)
  );
  create index blocked_services_person on blocked_services (person_id, service_id);
`;
