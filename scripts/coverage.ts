/**
 * The page about what the tests prove. Each whole run of the tests writes it; `node scripts/coverage.ts FOLDER…` writes it from
 * what several runners proved, each of which ran a part of the tests, and fails on an unproved row.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Evidence, type Section, UNREACHABLE } from '@symbolon/testkit/evidence/evidence-rows';
import { declaredSections, problemsOf, readEvidence } from './checks/evidence.ts';
import { argumentsOf } from './usage.ts';

/** Where runs write their pages; git ignores it. */
export const REPORTS = 'reports';
const PAGE = join(REPORTS, 'coverage.md');
/** Tests of a row on the page. */
const SHOWN = 2;

/** Writes the page from the evidence of a whole run. */
export function writeCoverage(declared: readonly Section[], evidence: readonly Evidence[]): void {
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(PAGE, coveragePage(declared, evidence));
}

/** The page: each row with the tests that claim it, and for a route those that only call it. */
export function coveragePage(declared: readonly Section[], evidence: readonly Evidence[]): string {
  const lines = [
    '# Coverage',
    '',
    'Written by the tests: each row of the tables of the wire, and the tests that proved it in that run. A test proves a row',
    'by a claim beside an assertion; a route that it calls without a claim is only exercised.',
  ];
  for (const { title, rows } of declared) {
    const isOfRoutes = rows.some(({ id }) => id.startsWith('route:'));
    lines.push('', `## ${title}`, '');
    lines.push(...(isOfRoutes ? ['| row | proved by | exercised by |', '|---|---|---|'] : HEAD));
    for (const { id, text } of rows) {
      const proving = evidence.filter(({ claims }) => claims.includes(id));
      const cells = [
        `\`${id}\`${text === undefined ? '' : `: ${escaped(text)}`}`,
        linksTo(proving) || (UNREACHABLE[id] ?? '**nothing**'),
      ];
      if (isOfRoutes) {
        const exercising = evidence.filter(({ exercised }) => exercised.includes(id));
        cells.push(linksTo(exercising.filter((test) => !proving.includes(test))));
      }
      lines.push(`| ${cells.join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const HEAD = ['| row | proved by |', '|---|---|'];

/** Links to the first of the tests, and how many more there are. */
function linksTo(tests: readonly Evidence[]): string {
  const links = [...new Set(tests.map(linkTo))].sort();
  const more = links.length > SHOWN ? ` and ${links.length - SHOWN} more` : '';
  return `${links.slice(0, SHOWN).join('; ')}${more}`;
}

/** A link to the file with the title of the test, which is the same on both engines. */
function linkTo({ file, test }: Evidence): string {
  return `[${escaped(test.replace(/ \((sqlite|postgres)\)/g, ''))}](../${file})`;
}

/** A text in which no sign means anything to Markdown. */
const escaped = (text: string) => text.replace(/[\\|[\]<*_`]/g, (sign) => `\\${sign}`);

if (import.meta.main) {
  const folders = argumentsOf('node scripts/coverage.ts FOLDER…');
  if (folders.length === 0) {
    console.error('Name the folders with the evidence: node scripts/coverage.ts FOLDER…');
    process.exit(2);
  }
  const evidence = folders.flatMap(readEvidence);
  const declared = await declaredSections();
  writeCoverage(declared, evidence);
  const problems = problemsOf(declared, evidence, true);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
