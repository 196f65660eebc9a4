import type { Engine } from '../../database.ts';
import { FROZEN_CODE, FROZEN_TEXT } from '../../paused-writes.ts';
import { sequence, statements } from './ddl.ts';

/** What regions know of each other: slots, messages, the directory of the front door, companies that move. */
export function regions(engine: Engine): string[] {
  return [...tables(engine), ...(engine === 'sqlite' ? [] : [...peerCalls(), HOLD_FUNCTION])];
}

const tables = (engine: Engine): string[] => statements`
  -- field_version: which version of the field's value the slot has, so that its person can be told of former values.
  create table remote_slots (
    person_id text not null, registration text not null,
    field_id text not null, field_version bigint,
    company_id text not null, service_id text not null,
    connection_id text not null, request_field_id text not null,
    slug text not null, service_public_key text not null,
    mandatory bigint not null, registered_at bigint not null,
    constraint remote_slots_pk primary key (person_id, registration)
  );
  create index remote_slots_field on remote_slots (field_id);
  create index remote_slots_registered on remote_slots (registered_at);
  create index remote_slots_request_row on remote_slots (company_id, request_field_id);

  -- The newest keys of services in other regions, in one row each instead of one for every slot.
  create table remote_service_keys (
    company_id text not null, service_id text not null, public_key text not null,
    constraint remote_service_keys_pk primary key (company_id, service_id)
  );

  -- Whether request rows of services in other regions are mandatory now, likewise.
  create table remote_request_rows (
    company_id text not null, request_field_id text not null, mandatory bigint not null,
    constraint remote_request_rows_pk primary key (company_id, request_field_id)
  );

  create table region_messages (
    ${sequence(engine)},
    to_region text not null, lane bigint not null, kind text not null, subject text not null,
    at bigint not null, body text not null
  );
  create index region_messages_lane on region_messages (to_region, lane, seq);

  create table region_marks (
    from_region text not null, lane bigint not null, seq bigint not null,
    constraint region_marks_pk primary key (from_region, lane)
  );

  create table directory_owners (
    kind text not null, id text not null, region text not null, updated_at bigint not null,
    constraint directory_owners_pk primary key (kind, id)
  );

  create table directory_names (
    kind text not null, name text not null,
    owner_kind text not null, owner_id text not null, confirmed bigint not null, claimed_at bigint not null,
    constraint directory_names_pk primary key (kind, name)
  );
  create index directory_names_owner on directory_names (owner_kind, owner_id);
  create index directory_names_open on directory_names (claimed_at) where confirmed = 0;

  create table company_moves (
    id text not null,
    company_id text not null, to_region text not null, state text not null, asked_by text not null,
    reason text, attempts bigint not null, retry_at bigint, worker text, worker_until bigint,
    held_at bigint, held_ms bigint, undo_wanted bigint not null,
    lifted bigint not null, rows_copied bigint not null,
    created_at bigint not null, updated_at bigint not null, switched_at bigint, finished_at bigint,
    constraint company_moves_pk primary key (id)
  );
  create index company_moves_company on company_moves (company_id, created_at);
  -- One at a time.
  create unique index company_moves_under_way on company_moves (company_id) where finished_at is null;

  create table company_arrivals (
    id text not null,
    company_id text not null, from_region text not null, state text not null, attempt bigint not null,
    created_at bigint not null, updated_at bigint not null,
    constraint company_arrivals_pk primary key (id)
  );
  create index company_arrivals_company on company_arrivals (company_id, created_at);

  create table company_arrival_chunks (
    move_id text not null, table_name text not null, chunk bigint not null,
    content text not null,
    constraint company_arrival_chunks_pk primary key (move_id, table_name, chunk)
  );
`;

/** Ids of calls between regions, so that none is answered twice. The one process of SQLite remembers them. */
const peerCalls = (): string[] => statements`
  create unlogged table peer_calls (id text primary key, expires_at bigint not null);
  create index peer_calls_expires on peer_calls (expires_at);
`;

/**
 * The function of the triggers that freeze a company. It refuses writes while the row of the move has `lifted = 0`, so a
 * trigger that could not be dropped yet refuses nothing. `hold` is another word for freeze.
 */
const HOLD_FUNCTION = `
  create function hold_company() returns trigger language plpgsql as $body$
    begin
      if not exists (select 1 from company_moves where id = tg_argv[0] and lifted = 0) then
        if tg_op = 'DELETE' then return old; end if;
        return new;
      end if;
      raise exception '${FROZEN_TEXT}' using errcode = '${FROZEN_CODE}';
    end
  $body$`;
