import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../packages/server/src/db/migrations/index.ts';

const FOLDER = 'docs/upgrades/';
const INDEX = 'README.md';

type Kinds = Readonly<Record<string, 'rolling' | 'stop'>>;

interface Written {
  /** Names of the pages with their text, the index among them. */
  readonly pages: Readonly<Record<string, string>>;
  readonly changelog: string;
}

/** Checks that each version has a page for its upgrade, and each migration a row with its kind on one of them. */
export function upgradePages(root: string): string[] {
  const names = readdirSync(join(root, FOLDER)).filter((name) => name.endsWith('.md'));
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const pages = Object.fromEntries(names.map((name) => [name, read(`${FOLDER}${name}`)]));
  const kinds = Object.entries(migrations('postgres')).map(
    ([name, step]) => [name, step.besideOlder ? 'rolling' : 'stop'] as const,
  );
  return upgradeProblems({ pages, changelog: read('CHANGELOG.md') }, Object.fromEntries(kinds));
}

export function upgradeProblems({ pages, changelog }: Written, kinds: Kinds): string[] {
  const versions = [...changelog.matchAll(/^## (\S+)/gm)].map(([, name = '']) => `${name.toLowerCase()}.md`);
  const named = Object.keys(pages).filter((name) => name !== INDEX);
  const rows = named.flatMap((page) => rowsOf(pages[page] ?? '').map((row) => ({ page, ...row })));
  return [
    ...versions.filter((page) => !named.includes(page)).map((page) => `${FOLDER}${page}: missing`),
    ...named
      .filter((page) => !versions.includes(page))
      .map((page) => `${FOLDER}${page}: no such version in CHANGELOG.md`),
    ...Object.keys(kinds).flatMap((name) => {
      const found = rows.filter((row) => row.name === name).map(({ page }) => page);
      if (found.length === 1) return [];
      return [`${FOLDER}: ${name} is on ${found.length === 0 ? 'no page' : found.join(' and ')}`];
    }),
    ...rows
      .filter(({ name, kind }) => kinds[name] !== kind)
      .map(({ page, name, kind }) => `${FOLDER}${page}: ${name} is ${kinds[name] ?? 'unknown'}, not ${kind}`),
    ...indexProblems(pages[INDEX] ?? '', versions, rows),
  ];
}

/** The rows of the table of migrations. */
function rowsOf(page: string): { name: string; kind: string }[] {
  return [...page.matchAll(/^\| `(\d{4}-[^`]+)` \| (\S+) \|/gm)].map(([, name = '', kind = '']) => ({
    name,
    kind,
  }));
}

/** The index has a row for each page. Nothing leads to the first version, which the changelog has last. */
function indexProblems(
  index: string,
  versions: readonly string[],
  rows: readonly { page: string; kind: string }[],
): string[] {
  return versions.flatMap((page) => {
    const own = rows.filter((row) => row.page === page);
    const kind = own.some((row) => row.kind === 'stop') ? 'stop' : 'rolling';
    const way = page === versions.at(-1) ? '–' : kind;
    const row = `| [${page.slice(0, -'.md'.length)}](${page}) | ${own.length} | ${way} |`;
    return index.split('\n').includes(row) ? [] : [`${FOLDER}${INDEX}: lacks "${row}"`];
  });
}
