import { writeLine } from '../../terminal/output.ts';
import { createPaint } from '../../terminal/paint.ts';
import { printable } from '../../terminal/text.ts';
import { pathOf, rowsOf } from '../find.ts';
import type { Run } from '../run.ts';
import { Table } from '../show.ts';
import type { Members } from '../structured-file.ts';
import { FINDERS } from '../table/finders.ts';
import type { Finder } from '../table/types.ts';

/** The webhooks of one service, or of all, with why the last delivery that failed did. */
export async function listWebhooks({ verb, api, places, json }: Run): Promise<void> {
  const { service } = places;
  const ids = service
    ? [service]
    : (await rowsOf(api, FINDERS.service as Finder, {})).map((row) => String(row.id));
  const rows: Members[] = [];
  for (const id of ids) {
    const path = pathOf(verb.call, { service: id });
    const { webhooks } = await api.json<{ webhooks: Members[] }>({ method: 'GET', path });
    rows.push(...webhooks.map((webhook) => ({ service_id: id, ...webhook })));
  }
  const table = new Table(verb.columns, json);
  await table.add(rows);
  await table.end();
  if (json) return;
  const { dim } = createPaint(process.stdout);
  for (const { id, last_failure: failure, next_probe_at: probe } of rows) {
    if (failure === null) continue;
    const { at, reason } = failure as { at: string; reason: string };
    await writeLine(dim(`${id}: last failure ${at}: ${printable(reason)}`));
    if (probe !== null) await writeLine(dim(`${id}: tried again at ${probe}`));
  }
}
