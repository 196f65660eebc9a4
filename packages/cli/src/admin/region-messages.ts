import type { AdminMessage, AdminMessageTry, AdminMessageWithBody } from '@symbolon/protocol';
import { askYes } from '../resources/confirm.ts';
import { writeLine } from '../terminal/output.ts';
import { jsonLine } from '../terminal/text.ts';
import { line, type Options, show, showList } from './acts.ts';
import { findOperator, operate } from './operator.ts';

export async function list(options: Options): Promise<void> {
  const { items } = await operate<{ items: AdminMessage[] }>(findOperator(options), 'GET', '/messages');
  await showList(options, items, (paint) =>
    items.length === 0
      ? [`${paint.good('✓')} Nothing waits for other regions.`]
      : items.map(({ seq, region, kind, subject, created_at, waiting }) =>
          line(
            [String(seq), 17],
            [region, 16],
            [kind, 24],
            [subject, 36],
            [created_at, 24],
            [`${waiting} wait`, 12],
          ),
        ),
  );
}

export async function read(seq: number, options: Options): Promise<void> {
  await writeLine(
    jsonLine(await operate<AdminMessageWithBody>(findOperator(options), 'GET', `/messages/${seq}`)),
  );
}

export async function tryNow(seq: number, options: Options): Promise<void> {
  const tried = await operate<AdminMessageTry>(findOperator(options), 'POST', `/messages/${seq}/try`);
  await show(options, tried, (paint) => [
    tried.arrived
      ? `${paint.good('✓')} It has arrived.`
      : paint.bad(
          `The other region cannot apply it: ${tried.failed_key ?? 'it does not say why'}. Its log has the rest.`,
        ),
  ]);
}

export async function skip(seq: number, options: Options & { yes?: boolean }): Promise<void> {
  const operator = findOperator(options);
  if (!options.yes) await askYes(`Step over message ${seq}? The other region never learns what it says.`);
  await operate(operator, 'POST', `/messages/${seq}/skip`);
  await show(options, { skipped: seq }, (paint) => [`${paint.good('✓')} Nothing is sent in its place.`]);
}
