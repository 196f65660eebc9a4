import { DatabaseSync } from 'node:sqlite';
import { answering, childArguments } from './answering.ts';

/**
 * The raw rate of draining: a program on node:sqlite alone selects the rows of a batch, deletes them durably and
 * serialises them, with the durability, the batch and the JSON of the feed. No HTTP, no authentication, no claims.
 *
 * @param argument the database file
 */
const database = new DatabaseSync(childArguments()[0] ?? '');
database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536');
const select = database.prepare(`
  select c.seq, c.id, c.event, c.customer_id, c.share_code, c.at, c.customer_type, c.slug, v.live, v.value
  from changes c join slot_values v on v.company_id = c.company_id and v.connection_id = c.connection_id
    and v.request_field_id = c.request_field_id
  where c.service_id = ? order by c.seq limit ?`);
const remove = database.prepare('delete from changes where service_id = ? and seq between ? and ?');
const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');

answering(null, {
  answer: async ({ serviceId, batch }: { serviceId: string; batch: number }) => {
    const from = performance.now();
    let rows = 0;
    let bytes = 0;
    for (;;) {
      begin.run();
      const found = select.all(serviceId, batch) as unknown as Row[];
      const [first] = found;
      const last = found.at(-1);
      if (first !== undefined && last !== undefined) remove.run(serviceId, first.seq, last.seq);
      commit.run();
      if (found.length === 0) break;
      rows += found.length;
      bytes += Buffer.byteLength(JSON.stringify({ changes: found.map(toEvent) }));
    }
    return { rows, bytes, elapsedMs: performance.now() - from };
  },
  stop: async () => database.close(),
});

interface Row {
  seq: number;
  id: string;
  event: string;
  customer_id: string;
  share_code: string;
  at: number;
  customer_type: string;
  slug: string;
  live: number;
  value: string;
}

function toEvent(row: Row) {
  return {
    id: row.id,
    event: row.event,
    person_user_id: row.customer_id,
    share_code: row.share_code,
    at: new Date(row.at).toISOString(),
    customer_type: row.customer_type,
    slug: row.slug,
    live: row.live === 1,
    value: row.value,
  };
}
