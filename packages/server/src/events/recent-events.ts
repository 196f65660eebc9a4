import { limits } from '@symbolon/protocol';
import { sql } from 'kysely';
import type { Engine, Writer } from '../db/database.ts';
import { EVENT_COLUMNS, inserted } from './queue-rows.ts';
import type { RecentEventRow } from './tables.ts';

const { request_field_id: _row, payload: _members, ...COLUMNS } = EVENT_COLUMNS;
const insert = inserted<RecentEventRow>('recent_events', COLUMNS);

/**
 * Keeps events of services that somebody watches, and lets go of the oldest ones: a service has `recentEventsMost` at any time.
 * The caller holds the locks of the services.
 */
export async function keepRecent(
  engine: Engine,
  writer: Writer,
  rows: readonly RecentEventRow[],
): Promise<void> {
  for (const ofService of Map.groupBy(rows, ({ service_id }) => service_id).values()) {
    const latest = ofService.slice(-limits.recentEventsMost);
    await insert(engine, writer, latest);
    const { company_id, service_id } = latest[0] as RecentEventRow;
    const ofThis = sql`company_id = ${company_id} and service_id = ${service_id}`;
    await sql`
      delete from recent_events where ${ofThis} and id <= (
        select id from recent_events where ${ofThis} order by id desc limit 1 offset ${limits.recentEventsMost}
      )`.execute(writer);
  }
}
