import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { domains, rooms } from './doors.ts';

const PAGE = 'ARCHITECTURE.md';

/** Checks that the page lists the rooms and the domains of the server, in the order in which they may import each other. */
export function architecturePage(root: string): string[] {
  const page = readFileSync(join(root, PAGE), 'utf8');
  return [
    ...listDifferences(page, 'The rooms of the server', rooms.flat()),
    ...listDifferences(page, 'Domains and doors', domains),
  ];
}

/** What is wrong with the first column of the table under a heading: none or one line. */
export function listDifferences(page: string, heading: string, expected: readonly string[]): string[] {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  const listed = [...text.matchAll(/^\| `([\w-]+)\/?` \|/gm)].map(([, name]) => name);
  return listed.join() === expected.join()
    ? []
    : [
        `${PAGE}: "${heading}" lists ${listed.join(', ')}; scripts/checks/doors.ts has ${expected.join(', ')}`,
      ];
}
