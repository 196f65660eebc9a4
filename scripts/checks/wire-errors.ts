import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const CATALOGUE = 'packages/protocol/src/errors.ts';
const PAGE = 'docs/wire/7-errors.md';

/** Checks the page about errors against the catalogue: the same keys, each with its status. */
export async function wireErrors(root: string): Promise<string[]> {
  if (!existsSync(join(root, CATALOGUE))) return [];
  const { errorCatalogue }: typeof import('../../packages/protocol/src/errors.ts') = await import(
    pathToFileURL(join(root, CATALOGUE)).href
  );
  const statuses = Object.entries(errorCatalogue).map(([key, [status]]) => [key, status] as const);
  return errorDifferences(new Map(statuses), readFileSync(join(root, PAGE), 'utf8'));
}

/** One line for each key that the page lacks, has too much, or gives another status. */
export function errorDifferences(catalogue: ReadonlyMap<string, number>, page: string): string[] {
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (\d{3}) \|/gm)].map(([, key = '', status]) => ({
    key,
    status: Number(status),
  }));
  const documented = new Set(rows.map(({ key }) => key));
  return [
    ...[...catalogue.keys()].filter((key) => !documented.has(key)).map((key) => `${PAGE}: ${key} is missing`),
    ...rows
      .filter(({ key, status }) => catalogue.get(key) !== status)
      .map(({ key, status }) => `${PAGE}: ${key} has status ${catalogue.get(key) ?? 'none'}, not ${status}`),
  ];
}
