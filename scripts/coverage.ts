/**
 * The page about what the tests prove: `npm test -- --write-coverage` writes it from a whole run. `node scripts/coverage.ts`,
 * a part of `npm run check`, fails when the page does not have the declared rows.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Evidence, type Section, UNREACHABLE } from '@symbolon/testkit/evidence/evidence-rows';
import { declaredSections } from './checks/evidence.ts';

const PAGE = 'docs/coverage.md';
/** Proofs of a row on the page. */
const SHOWN = 2;
/** Problems that the check names. */
const TOLD = 20;

/** Writes the page from the evidence of a whole run. */
export function writeCoverage(declared: readonly Section[], evidence: readonly Evidence[]): void {
  const lines = [
    '# Coverage',
    '',
    'Written by `npm test -- --write-coverage`: each row of the tables of the wire, and tests that proved it in that run.',
  ];
  for (const { title, rows } of declared) {
    lines.push('', `## ${title}`, '', '| row | proved by |', '|---|---|');
    for (const { id, text } of rows) {
      lines.push(
        `| \`${id}\`${text === undefined ? '' : `: ${escaped(text)}`} | ${proofsOf(id, evidence)} |`,
      );
    }
  }
  writeFileSync(PAGE, `${lines.join('\n')}\n`);
}

function proofsOf(id: string, evidence: readonly Evidence[]): string {
  const naming = evidence.filter(({ claims }) => claims.includes(id));
  const proving = naming.length > 0 ? naming : evidence.filter(({ routes }) => routes.includes(id));
  const proofs = [...new Set(proving.map(proof))].sort();
  if (proofs.length === 0) return UNREACHABLE[id] ?? '**nothing**';
  const more = proofs.length > SHOWN ? ` and ${proofs.length - SHOWN} more` : '';
  return `${proofs.slice(0, SHOWN).join('; ')}${more}`;
}

/** A link to the file with the title of the test, which is the same on both engines. */
function proof({ file, test }: Evidence): string {
  return `[${escaped(test.replace(/ \((sqlite|postgres)\)/g, ''))}](../${file})`;
}

/** A text in which no sign means anything to Markdown. */
const escaped = (text: string) => text.replace(/[\\|[\]<*_`]/g, (sign) => `\\${sign}`);

/** What is wrong with the rows of the page, one line each. */
export function staleRows(page: string, declared: readonly Section[]): string[] {
  const wanted = declared.flatMap(({ rows }) => rows.map(({ id }) => id as string));
  const found = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, id = '']) => id);
  return [
    ...wanted.filter((id) => !found.includes(id)).map((id) => `${PAGE} lacks ${id}`),
    ...found.filter((id) => !wanted.includes(id)).map((id) => `${PAGE} has ${id}, which is no row`),
  ];
}

if (import.meta.main) {
  const problems = staleRows(readFileSync(PAGE, 'utf8'), await declaredSections());
  for (const problem of problems.slice(0, TOLD)) console.error(problem);
  if (problems.length > 0) {
    if (problems.length > TOLD) console.error(`and ${problems.length - TOLD} more`);
    console.error('Write the page anew: npm test -- --write-coverage');
    process.exitCode = 1;
  }
}
