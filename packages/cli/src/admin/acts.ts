import { textOfFile } from '@symbolon/crypto/node';
import type {
  AdminCompany,
  AdminPerson,
  AdminProcess,
  FieldTypeRow,
  MaintenanceView,
  OperatorAct,
  RotationResult,
  ServerKeys,
  Statistics,
} from '@symbolon/protocol';
import { mailboxOf } from '@symbolon/server/email';
import { Problem } from '../problem.ts';
import { readAll } from '../terminal/input.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, pad, printable, shorten } from '../terminal/text.ts';
import { findOperator, type Operator, operate } from './operator.ts';

export interface Options {
  url?: string;
  json?: boolean;
  limit?: number;
  offset?: number;
  after?: string;
  reason?: string;
  force?: boolean;
}
export interface Page<T> {
  total: number;
  items: T[];
}

export async function companies(search: string | undefined, options: Options): Promise<void> {
  const page = await operate<Page<AdminCompany>>(
    findOperator(options),
    'GET',
    `/companies${query(search, options)}`,
  );
  await showList(options, page.items, () => [
    ...page.items.map((row) =>
      line(
        [row.company_code, 8],
        [row.level, 11],
        [row.name, 30],
        [row.email, 34],
        [row.company_user_id, 36],
      ),
    ),
    told(page, 'company', 'companies'),
  ]);
}

export async function level(company: string, name: string, options: Options): Promise<void> {
  const operator = findOperator(options);
  const { company_user_id: id } = await findCompany(operator, company);
  const row = await operate<AdminCompany>(operator, 'PUT', `/companies/${encodeURIComponent(id)}/level`, {
    level: name,
  });
  await show(options, row, (paint) => [`${paint.good('✓')} ${printable(row.name)} is on ${row.level}.`]);
}

export async function people(search: string | undefined, options: Options): Promise<void> {
  const page = await operate<Page<AdminPerson>>(
    findOperator(options),
    'GET',
    `/people${query(search, options)}`,
  );
  await showList(options, page.items, () => [
    ...page.items.map((row) =>
      line(
        [row.share_code, 8],
        [row.display_name, 30],
        [row.email, 34],
        [row.person_user_id, 36],
        [row.custom_share_codes.join(' '), 40],
      ),
    ),
    told(page, 'person', 'people'),
  ]);
}

export async function shareCode(
  act: 'add' | 'remove',
  person: string,
  code: string,
  options: Options,
): Promise<void> {
  const operator = findOperator(options);
  const { person_user_id: id } = await findPerson(operator, person);
  const path = `/people/${encodeURIComponent(id)}/share-codes/${encodeURIComponent(code)}`;
  const row = await operate<AdminPerson>(operator, act === 'add' ? 'PUT' : 'DELETE', path);
  await show(options, row, (paint) => [
    `${paint.good('✓')} ${printable(row.display_name)} is found by ${[row.share_code, ...row.custom_share_codes].map(printable).join(', ')}.`,
  ]);
}

type ListedType = FieldTypeRow & { in_use: boolean };

export async function listTypes(options: Options): Promise<void> {
  const list = await operate<{ field_types: ListedType[] }>(findOperator(options), 'GET', '/field-types');
  await showList(options, list.field_types, () =>
    list.field_types.map((row) =>
      line(
        [row.type, 24],
        [row.parent ?? '–', 20],
        [row.is_system ? 'ships' : 'added', 6],
        [row.in_use ? 'in use' : '', 7],
        [row.label, 40],
      ),
    ),
  );
}

export async function addType(file: string, options: Options): Promise<void> {
  let row: unknown;
  try {
    row = JSON.parse(textOfFile(await readAll(file)));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Problem(`${file} is not JSON.`, { exitCode: 2, cause: error });
    throw error;
  }
  const added = await operate<FieldTypeRow>(findOperator(options), 'POST', '/field-types', row);
  await show(options, added, (paint) => [`${paint.good('✓')} The type ${added.type} is in the registry.`]);
}

export async function removeType(type: string, options: Options): Promise<void> {
  await operate(findOperator(options), 'DELETE', `/field-types/${encodeURIComponent(type)}`);
  await show(options, { removed: type }, (paint) => [
    `${paint.good('✓')} The type ${printable(type)} is gone.`,
  ]);
}

export async function maintenance(
  what: 'writes-paused' | 'out-of-order',
  on: boolean,
  options: Options,
): Promise<void> {
  const body = { on, ...(options.reason === undefined ? {} : { reason: options.reason }) };
  const view = await operate<MaintenanceView>(findOperator(options), 'PUT', `/maintenance/${what}`, body);
  await show(options, view, (paint) => [
    view.out_of_order !== null
      ? paint.bad(`Out of order since ${view.out_of_order.since}.`)
      : view.writes_paused !== null
        ? paint.bad(`Saving is paused since ${view.writes_paused.since}.`)
        : `${paint.good('✓')} The region saves and answers.`,
    paint.dim('Every process follows within about a second.'),
  ]);
}

export async function purge(options: Options): Promise<void> {
  const result = await operate<{ change_rows: number }>(findOperator(options), 'POST', '/purge');
  await show(options, result, (paint) => [
    `${paint.good('✓')} ${result.change_rows} events that nobody drained in seven days are gone, with everything else that was due.`,
  ]);
}

export async function statistics(options: Options): Promise<void> {
  const all = await operate<Statistics>(findOperator(options), 'GET', '/statistics');
  await show(options, all, (paint) => {
    const { total, ...levels } = all.companies;
    const of = Object.entries(levels).filter(([, count]) => count > 0);
    const waits = (queue: { events: number; oldest_at: string | null }) =>
      queue.oldest_at === null ? 'nothing waits' : `${queue.events} events, the oldest of ${queue.oldest_at}`;
    const { requests, certificates } = all;
    return [
      line(['companies', 14], [`${total}  ${of.map(([name, count]) => `${name} ${count}`).join(', ')}`, 80]),
      line(['people', 14], [String(all.persons), 20]),
      line(['services', 14], [String(all.services), 20]),
      line(['connections', 14], [String(all.connections), 20]),
      line(['clients', 14], [String(all.clients), 20]),
      line(['change feed', 14], [waits(all.feed), 80]),
      line(
        ['webhooks', 14],
        [`${all.webhooks.total}, ${all.webhooks.bad} bad; ${waits(all.webhooks.queue)}`, 80],
      ),
      line(
        ['event loop', 14],
        [`late by up to ${all.event_loop.max_ms} ms, 99 % by ${all.event_loop.p99_ms}`, 80],
      ),
      line(
        ['requests', 14],
        [
          `${(requests.total / requests.seconds).toFixed(1)} a second over ${requests.seconds} s; ${requests.errors} of 5xx, ${requests.refused} of 429; 99 % within ${requests.p99_ms ?? '–'} ms`,
          100,
        ],
      ),
      line(
        ['certificates', 14],
        [`seal until ${certificates.seal ?? '–'}, TLS until ${certificates.tls ?? '–'}`, 80],
      ),
      line(['platform', 14], [`${all.version} on ${all.engine}`, 40]),
      ...processLines(all.processes, paint),
    ];
  });
}

/** What each process of the installation said of itself last; an older platform tells of none. */
function processLines(
  processes: readonly AdminProcess[] = [],
  paint: ReturnType<typeof createPaint>,
): string[] {
  if (processes.length === 0) return [];
  const row = (...cells: readonly string[]) =>
    line(...cells.map((text, index) => [text, [32, 10, 13, 24, 8, 8, 10, 6][index] ?? 40] as const));
  const of = (figure: number | null, unit = '') => (figure === null ? '–' : `${figure}${unit}`);
  const rows = processes.map((found) =>
    row(
      `${found.this ? '* ' : '  '}${found.instance}`,
      found.version,
      found.gone ? 'gone' : found.state,
      found.seen_at,
      found.memory_bytes === null ? '–' : `${Math.round(found.memory_bytes / 2 ** 20)} MiB`,
      of(found.event_loop_p99_ms, ' ms'),
      of(found.requests_per_second),
      of(found.errors),
      found.roles.join(', '),
    ),
  );
  const head = row('  process', 'version', 'state', 'seen', 'memory', 'late', 'requests/s', '5xx', 'roles');
  const versions = [...new Set(processes.flatMap(({ gone, version }) => (gone ? [] : [version])))].sort();
  return [
    '',
    paint.dim(head),
    ...rows,
    paint.dim('* answers; late: its thread, 99 %; requests and 5xx of the last five minutes'),
    ...(versions.length < 2
      ? []
      : [
          paint.bad(
            `The processes run ${versions.map(printable).join(' and ')}: an upgrade is not finished.`,
          ),
        ]),
  ];
}

export async function record(options: Options): Promise<void> {
  const page = await operate<Page<OperatorAct>>(
    findOperator(options),
    'GET',
    `/acts${query(undefined, options)}`,
  );
  await showList(options, page.items, () => [
    ...page.items.map((row) =>
      line(
        [row.at, 24],
        [row.act, 30],
        [row.subject ?? '', 36],
        [row.source, 39],
        [jsonLine(row.details), 60],
      ),
    ),
    told(page, 'act', 'acts'),
  ]);
}

export async function listKeys(options: Options): Promise<void> {
  const keys = await operate<ServerKeys>(findOperator(options), 'GET', '/keys');
  const rows = keys.versions.map((row) => ({ ...row, current: row.version === keys.current }));
  await showList(options, rows, () =>
    rows.map((row) =>
      line(
        [String(row.version), 7],
        [row.current ? 'current' : row.available ? 'former' : 'MISSING', 9],
        [need(row), 80],
      ),
    ),
  );
}

/** What is under a version of the keys. */
function need({ encrypted, hashes, tokens_until }: ServerKeys['versions'][number]): string {
  const parts = [
    ...(encrypted > 0 ? [`${encrypted} encrypted`] : []),
    ...(hashes > 0 ? [`${hashes} hashes`] : []),
    ...(tokens_until === null ? [] : [`access tokens until ${tokens_until}`]),
  ];
  return parts.length === 0 ? 'nothing is under it' : parts.join(', ');
}

export async function rotateKeys(options: Options): Promise<void> {
  const operator = findOperator(options);
  const paint = createPaint(process.stdout);
  let result = await operate<RotationResult>(operator, 'POST', '/keys/rotate');
  let done = result.re_encrypted;
  while (result.remaining > 0) {
    if (!options.json) await writeLine(paint.dim(`${done} re-encrypted, ${result.remaining} to go …`));
    result = await operate<RotationResult>(operator, 'POST', '/keys/rotate');
    done += result.re_encrypted;
  }
  await show(options, { current: result.current, re_encrypted: done }, () => [
    `${paint.good('✓')} Version ${result.current} encrypts, signs and hashes; ${done} texts were re-encrypted.`,
    paint.dim('Keep a copy of the keys as they are now: secret.key, or SYMBOLON_SECRET.'),
    paint.dim('symbolon admin keys list shows what still needs an older version.'),
  ]);
}

export async function dropKey(version: number, options: Options): Promise<void> {
  const force = options.force ? '?force=true' : '';
  await operate(findOperator(options), 'DELETE', `/keys/${version}${force}`);
  await show(options, { dropped: version }, () => [
    `Version ${version} is dropped. If it stands in SYMBOLON_SECRET, remove it there. Backups from before need it.`,
  ]);
}

/** The company of an id, a code or an e-mail address. */
export async function findCompany(operator: Operator, wanted: string): Promise<AdminCompany> {
  const { items } = await operate<Page<AdminCompany>>(operator, 'GET', `/companies${query(wanted, {})}`);
  const found = items.find(
    (row) => row.company_code === wanted.toUpperCase() || isMailbox(row.email, wanted),
  );
  return found ?? operate<AdminCompany>(operator, 'GET', `/companies/${encodeURIComponent(wanted)}`);
}

/** The person of an id, a share code or an e-mail address. */
async function findPerson(operator: Operator, wanted: string): Promise<{ person_user_id: string }> {
  const { items } = await operate<Page<AdminPerson>>(operator, 'GET', `/people${query(wanted, {})}`);
  const code = wanted.toUpperCase();
  const found = items.find(
    (row) => row.share_code === code || row.custom_share_codes.includes(code) || isMailbox(row.email, wanted),
  );
  return found ?? { person_user_id: wanted };
}

/** However both are spelled. */
function isMailbox(address: string, wanted: string): boolean {
  return wanted.includes('@') && mailboxOf(address) === mailboxOf(wanted);
}

export function query(search: string | undefined, { limit, offset, after }: Options): string {
  const parameters = new URLSearchParams();
  if (search !== undefined) parameters.set('search', search);
  if (limit !== undefined) parameters.set('limit', String(limit));
  if (offset !== undefined) parameters.set('offset', String(offset));
  if (after !== undefined) parameters.set('after', after);
  return parameters.size === 0 ? '' : `?${parameters}`;
}

export async function show(
  { json }: Options,
  value: unknown,
  lines: (paint: ReturnType<typeof createPaint>) => string[],
): Promise<void> {
  if (json) return writeLine(jsonLine(value));
  for (const text of lines(createPaint(process.stdout))) await writeLine(text);
}

/** Tells of a list: its rows as JSON, one a line, or `lines`. */
export async function showList(
  options: Options,
  rows: readonly object[],
  lines: (paint: ReturnType<typeof createPaint>) => string[],
): Promise<void> {
  if (!options.json) return show(options, rows, lines);
  for (const row of rows) await writeLine(jsonLine(row));
}

/** Columns of a list; what others wrote is made safe for a terminal. */
export function line(...cells: readonly (readonly [text: string, width: number])[]): string {
  return cells
    .map(([text, width], index) => {
      const short = shorten(printable(text), width);
      return index === cells.length - 1 ? short : pad(short, width);
    })
    .join('  ')
    .trimEnd();
}

export function told({ total, items }: Page<unknown>, one: string, many: string): string {
  const paint = createPaint(process.stdout);
  return paint.dim(
    items.length === total ? `${total} ${total === 1 ? one : many}` : `${items.length} of ${total} ${many}`,
  );
}
