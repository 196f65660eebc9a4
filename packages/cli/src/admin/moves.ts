import { setTimeout as pause } from 'node:timers/promises';
import type { AdminMove, AdminRegion } from '@symbolon/protocol';
import { Problem } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, printable } from '../terminal/text.ts';
import { findCompany, line, type Options, type Page, query, show, showList, told } from './acts.ts';
import { findOperator, operate } from './operator.ts';

const POLL_MS = 500;

export async function regions(options: Options): Promise<void> {
  const list = await operate<{ regions: AdminRegion[] }>(findOperator(options), 'GET', '/regions');
  await showList(options, list.regions, (paint) =>
    list.regions.map((row) =>
      line(
        [row.name, 16],
        [row.status === 'ok' ? paint.good('ok') : paint.bad(row.status), 14],
        [`${row.companies} ${row.companies === 1 ? 'company' : 'companies'}`, 18],
        [`${row.api_url}${row.own ? ' (this one)' : ''}`, 80],
      ),
    ),
  );
}

/** Starts a move; with `wait`, returns when the company works in the other region. */
export async function moveCompany(
  company: string,
  options: Options & { to: string; wait?: boolean },
): Promise<void> {
  const operator = findOperator(options);
  const { company_user_id: id } = await findCompany(operator, company);
  const body = { region: options.to };
  let move = await operate<AdminMove>(operator, 'POST', `/companies/${encodeURIComponent(id)}/moves`, body);
  const paint = createPaint(process.stdout);
  let shown = '';
  while (options.wait && !ENDED.includes(move.state)) {
    const now = progressOf(move);
    if (!options.json && now !== shown) await writeLine(paint.dim(now));
    shown = now;
    await pause(POLL_MS);
    move = await operate<AdminMove>(operator, 'GET', `/moves/${move.id}`);
  }
  if (options.json) await writeLine(jsonLine(move));
  else if (move.state === 'undone' || move.state === 'undoing') {
    throw new Problem(`The move was undone.${move.reason === null ? '' : ` ${printable(move.reason)}`}`);
  } else if (ENDED.includes(move.state)) {
    await writeLine(
      `${paint.good('✓')} The company is at home in ${move.to}: ${move.rows_copied} rows, frozen for ${move.held_ms ?? 0} ms.`,
    );
    await writeLine(paint.dim('Its old rows are deleted within minutes.'));
  } else {
    await writeLine(`${paint.good('✓')} Move ${move.id} is under way: symbolon admin moves`);
  }
}

export async function moves(options: Options): Promise<void> {
  const page = await operate<Page<AdminMove>>(
    findOperator(options),
    'GET',
    `/moves${query(undefined, options)}`,
  );
  await showList(options, page.items, () => [
    ...page.items.map((row) =>
      line(
        [row.id, 36],
        [row.company_user_id, 36],
        [`${row.from} → ${row.to}`, 24],
        [row.state, 10],
        [row.reason ?? '', 80],
      ),
    ),
    told(page, 'move', 'moves'),
  ]);
}

export async function undoMove(id: string, options: Options): Promise<void> {
  const path = `/moves/${encodeURIComponent(id)}/undo`;
  const move = await operate<AdminMove>(findOperator(options), 'POST', path);
  await show(options, move, (paint) => [
    `${paint.good('✓')} The move is being undone; the company stays in ${move.from}.`,
  ]);
}

/** The states that `wait` ends with. */
const ENDED: readonly AdminMove['state'][] = ['switched', 'done', 'undone'];

const progressOf = ({ state, rows_copied: rows, reason }: AdminMove) =>
  `${state}, ${rows} rows${reason === null ? '' : `: ${printable(reason)}`}`;
