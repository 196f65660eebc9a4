import type { ApiClient } from '@symbolon/sdk/account';
import { Problem } from '../problem.ts';
import type { Members } from './structured-file.ts';
import { FINDERS } from './table/finders.ts';
import type { Finder } from './table/types.ts';

/** What stands in the place of names in a path. */
export type Places = Record<string, string>;

/** The path with its places filled in; an optional place that nothing fills is left out with its slash. */
export function pathOf(template: string, places: Places): string {
  const [, path = ''] = template.split(' ');
  return path
    .replaceAll(/\/\{([\w-]+)\?\}/g, (_, name: string) => (places[name] ? `/${encode(places[name])}` : ''))
    .replaceAll(/\{([\w-]+)\}/g, (_, name: string) => encode(places[name] ?? `{${name}}`));
}

const encode = (text: string) => (text.startsWith('{') ? text : encodeURIComponent(text));

/** All rows in which a finder looks. */
export async function rowsOf(api: ApiClient, finder: Finder, places: Places): Promise<Members[]> {
  const path = pathOf(finder.call, places);
  const rows: Members[] = [];
  for (;;) {
    const query = PAGED.has(path) ? { limit: PAGE, offset: rows.length } : {};
    const answer = await api.json<Members & { total?: number }>({ method: 'GET', path, query });
    const page = answer[finder.items] as Members[];
    rows.push(...page);
    if (
      page.length === 0 ||
      answer.total === undefined ||
      rows.length >= Math.min(answer.total, LOOKED_AT_MOST)
    ) {
      return rows;
    }
  }
}

/**
 * The id of what is named: an id as it is, else by the names that its finder knows.
 *
 * @throws Problem when none has the name, or several do
 */
export async function idOf(api: ApiClient, kind: string, named: string, places: Places): Promise<string> {
  const finder = FINDERS[kind];
  if (finder === undefined || isId(finder, named)) return named;
  const rows = await rowsOf(api, finder, places);
  const same = (row: Members, name: string) => String(row[name]).toLowerCase() === named.toLowerCase();
  for (const name of [finder.id, ...finder.names]) {
    const found = rows.filter((row) => same(row, name));
    if (found.length === 1) return String(found[0]?.[finder.id]);
    if (found.length > 1) {
      const ids = found.map((row) => row[finder.id]).join(', ');
      throw new Problem(`Several have the ${name} ${named}: ${ids}. Name one by its id.`, { exitCode: 2 });
    }
  }
  throw new Problem(`There is no ${kind} ${named}. ${choiceOf(finder, rows)}`, { exitCode: 2 });
}

/** The service that `--service` names; else that of the profile; else the only one. */
export async function serviceIdOf(
  api: ApiClient,
  named: string | undefined,
  usual: string | undefined,
): Promise<string> {
  const wanted = named ?? usual;
  if (wanted !== undefined) return idOf(api, 'service', wanted, {});
  const finder = FINDERS.service as Finder;
  const rows = await rowsOf(api, finder, {});
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) return String(only.id);
  throw new Problem(`Say which service with --service. ${choiceOf(finder, rows)}`, { exitCode: 2 });
}

function choiceOf({ names: [name = ''], label }: Finder, rows: readonly Members[]): string {
  if (rows.length === 0) return 'There is none.';
  const shown = rows.slice(0, NAMED_MOST).map((row) => {
    return label === name ? `${row[name]}` : `${row[name]} (${row[label] ?? '-'})`;
  });
  return `There is ${shown.join(', ')}${rows.length > NAMED_MOST ? ' and more' : ''}.`;
}

/** Ids of the platform need no look-up: it says itself when there is none. */
function isId(finder: Finder, text: string): boolean {
  return finder.id === finder.names[0]
    ? finder.names.length === 1 || /^(acct|app|svc)_/.test(text) || UUID.test(text)
    : UUID.test(text);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PAGED = new Set(['/api/services', '/api/company-data/connections']);
const PAGE = 500;
/** Names of connections are looked for among the oldest; others have no names that matter, or few rows. */
const LOOKED_AT_MOST = 5_000;
const NAMED_MOST = 10;
