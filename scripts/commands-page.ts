/**
 * Writes the table of docs/commands.md, all commands that are calls of the API: `npm run commands-page`. `npm run check` fails when it is
 * not what this writes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESOURCES } from '../packages/cli/src/resources/table/index.ts';
import type { Verb } from '../packages/cli/src/resources/table/types.ts';
import { noArguments } from './usage.ts';

export const COMMANDS_PAGE = 'docs/commands.md';
const [BEGIN, END] = ['<!-- Made by npm run commands-page. -->\n', '<!-- End of what it makes. -->\n'];

/** The page with the table as it has to be. */
export function commandsPage(page: string): string {
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before)
    throw new Error(`${COMMANDS_PAGE} has no place for the table of commands.`);
  return page.slice(0, before + BEGIN.length) + table() + page.slice(after);
}

function table(): string {
  const rows = RESOURCES.flatMap(({ name, verbs }) =>
    verbs.map(
      (verb) =>
        `| \`${[name, verb.name, ...(verb.args ?? []).map(shown)].join(' ')}\` | ${verb.does} | ${callsOf(verb)} |`,
    ),
  );
  return `\n| command | what it does | call |\n|---|---|---|\n${rows.join('\n')}\n\n`;
}

const shown = (name: string) => (name.endsWith('?') ? `[${name.slice(0, -1)}]` : `<${name}>`);

function callsOf({ call, options = [] }: Verb): string {
  const calls = [...new Set([call, ...options.flatMap((option) => option.call ?? [])])];
  return calls.map((text) => `\`${text}\``).join('<br>');
}

if (import.meta.main) {
  noArguments('npm run commands-page');
  const file = join(import.meta.dirname, '..', COMMANDS_PAGE);
  writeFileSync(file, commandsPage(readFileSync(file, 'utf8')));
}
