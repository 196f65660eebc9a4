import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

const PAGE = 'CONTRIBUTING.md';
const HEADING = 'Which files for what';

/** Checks that each path in the table of what to change where leads to a file or folder. @param files paths relative to `root` */
export function contributingPage(root: string, files: readonly string[]): string[] {
  return deadPaths(readFileSync(join(root, PAGE), 'utf8'), files);
}

/** One line for each path of the table that leads nowhere. `<name>` stands for any one name. */
export function deadPaths(page: string, files: readonly string[]): string[] {
  const [, section = ''] = page.split(`## ${HEADING}\n`);
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| .+ \|$/gm)].map(([row]) => row);
  if (rows.length === 0) return [`${PAGE}: the table under "${HEADING}" is missing`];
  const paths = rows.flatMap((row) =>
    [...row.matchAll(/`([^`\s]*\/[^`\s]*)`/g)].map(([, path = '']) => path),
  );
  return paths
    .filter((path) => {
      const glob = path.replaceAll(/<[^>]+>/g, '*');
      return !files.some((file) => matchesGlob(file, glob.endsWith('/') ? `${glob}**` : glob));
    })
    .map((path) => `${PAGE}: ${path} leads to no file`);
}
