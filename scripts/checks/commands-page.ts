import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS_PAGE, commandsPage } from '../commands-page.ts';

/** Checks that the page about commands has the table that the table of commands makes. */
export function commandsPageDrift(root: string): string[] {
  const page = readFileSync(join(root, COMMANDS_PAGE), 'utf8');
  if (commandsPage(page) === page) return [];
  return [`${COMMANDS_PAGE}: not what the table of commands makes; npm run commands-page writes it`];
}
