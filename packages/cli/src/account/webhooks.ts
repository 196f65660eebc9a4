import type { Service, Webhook } from '@symbolon/protocol';
import { writeLine } from '../terminal/output.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';
import { type Common, enterCompany } from './enter-company.ts';

/** The webhooks of one service, or of all, with their health and why the last delivery that failed did. */
export async function listWebhooks(serviceId: string | undefined, options: Common): Promise<void> {
  const client = await enterCompany(options);
  const paint = createPaint(process.stdout);
  const services: Pick<Service, 'id'>[] = serviceId === undefined ? [] : [{ id: serviceId }];
  if (serviceId === undefined) {
    for (let total = 1; services.length < total; ) {
      const page = await client.services({ limit: PAGE, offset: services.length });
      if (page.items.length === 0) break;
      services.push(...page.items);
      total = page.total;
    }
  }
  let count = 0;
  for (const { id } of services) {
    for (const webhook of await client.webhooks(id)) {
      count++;
      if (options.json) await writeLine(jsonLine({ service_id: id, ...webhook }));
      else for (const line of linesOf(webhook, paint)) await writeLine(line);
    }
  }
  if (count === 0 && !options.json) await writeLine(paint.dim('There is no webhook yet.'));
}

function linesOf(webhook: Webhook, paint: Paint): string[] {
  const { id, url, enabled, health, backlog, last_failure: failure, next_probe_at: probe } = webhook;
  const state = enabled ? health : 'off';
  const shown = pad(state, 8);
  const coloured =
    state === 'bad' ? paint.bad(shown) : state === 'running' ? paint.good(shown) : paint.dim(shown);
  const waiting = backlog === 0 ? '' : `  ${backlog} waiting`;
  const lines = [`${coloured} ${paint.bold(printable(url))}${waiting}  ${paint.dim(id)}`];
  if (failure !== null) lines.push(`         last failure ${failure.at}: ${printable(failure.reason)}`);
  if (probe !== null) lines.push(`         tried again at ${probe}`);
  return lines;
}

const PAGE = 100;
