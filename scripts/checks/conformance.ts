import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const PAGE = 'docs/oidc-conformance.md';
const ROW = /^\|(?! ?---)(.+)\|$/;
const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;

/**
 * Checks that every statement of the page about conformance names the tests that show it: the last column links to their
 * files, by parts of their titles with semicolons between.
 *
 * @returns one line for every statement that names none, or one that is not there.
 */
export function conformance(root: string): string[] {
  const problems: string[] = [];
  const rows = readFileSync(join(root, PAGE), 'utf8')
    .split('\n')
    .flatMap((line) => ROW.exec(line)?.[1] ?? [])
    .map((row) => row.split(' | '));
  for (const [statement = '', , shownBy = ''] of rows.slice(1)) {
    const links = [...shownBy.matchAll(LINK)];
    if (links.length === 0) problems.push(`${PAGE}: no test is named for:${statement}`);
    for (const [, text = '', target = ''] of links) {
      const file = posix.join(posix.dirname(PAGE), target);
      const source = readFileSync(join(root, file), 'utf8');
      for (const title of text.split('; ')) {
        if (!source.includes(title)) problems.push(`${PAGE}: ${file} has no test "${title}"`);
      }
    }
  }
  return problems;
}
