import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';

/** The messages that other regions have not applied yet, for tests. */
export function waitingMessages(reader: Reader) {
  return reader
    .selectFrom('region_messages as message')
    .leftJoin('region_lanes as lane', (join) =>
      join.onRef('lane.to_region', '=', 'message.to_region').onRef('lane.lane', '=', 'message.lane'),
    )
    .select([
      'message.seq',
      'message.kind',
      'message.subject',
      'message.body',
      'message.to_region',
      'message.lane',
    ])
    .where('message.seq', '>', (eb) => eb.fn.coalesce('lane.arrived', sql.lit(0)))
    .orderBy('message.seq');
}
