import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const NAMES = 'packages/protocol/src/events.ts';
const PAGE = 'docs/wire/6-events.md';

/** Checks the page about events against their names: the table of 6.1 lists each event of services, that of 6.7 each of account feeds. */
export async function wireEvents(root: string): Promise<string[]> {
  if (!existsSync(join(root, NAMES))) return [];
  const { accountEventNames, Event, eventNames }: typeof import('../../packages/protocol/src/events.ts') =
    await import(pathToFileURL(join(root, NAMES)).href);
  const page = readFileSync(join(root, PAGE), 'utf8');
  return [
    // It is reserved, and a sentence under the table says so.
    ...eventDifferences(
      page,
      '6.1',
      eventNames.filter((name) => name !== Event.keyRotated),
    ),
    ...eventDifferences(page, '6.7', accountEventNames),
  ];
}

/** One line for each event that the table of a section lacks or has too much. */
export function eventDifferences(page: string, section: string, names: readonly string[]): string[] {
  const [, text = ''] = page.split(`## ${section} `);
  const rows = [...(text.split('\n## ')[0] ?? '').matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(', ').map((name) => name.replaceAll('`', '')),
  );
  return [
    ...names.filter((name) => !rows.includes(name)).map((name) => `${PAGE}: ${section} lacks ${name}`),
    ...rows
      .filter((name) => !names.includes(name))
      .map((name) => `${PAGE}: ${section} lists ${name}, which ${NAMES} does not have`),
  ];
}
