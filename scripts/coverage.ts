/**
 * Writes docs/coverage.md: each row of the tables of docs/wire that the platform serves, and the tests that name it.
 * `--check` fails instead when the page lacks a row or a row has no test.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import {
  accountClientBaseline,
  capabilityPatterns,
  dataClientWhitelist,
  Event,
  errorCatalogue,
  portalOnlyPatterns,
} from '@symbolon/protocol/constants';

const PAGE = 'docs/coverage.md';

const ACCESS_TABLE = 'test/security/access-table.ts';

interface Row {
  /** What is told of the row. */
  readonly name: string;
  /** The texts of which one must stand in a test that proves it. */
  readonly evidence: readonly string[];
}

const tests = globSync('{packages/*/src,test}/**/*.test.ts', {
  exclude: (name) => name.includes('node_modules'),
})
  // The table that the suite about access walks.
  .concat(ACCESS_TABLE)
  .sort()
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** Error keys that exist for conditions no test can bring about from outside, with the reason. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  internal: 'a failure of the platform itself; every suite fails on one',
};

const section = (title: string, rows: readonly Row[]) => ({ title, rows });
const quoted = (text: string) => [`'${text}'`, `"${text}"`, `\`${text}\``];

const routes = [...readFileSync(ACCESS_TABLE, 'utf8').matchAll(/^ {2}'([A-Z]+ \/[^']+)':/gm)].map(
  ([, route = '']) => route,
);

/** The sources of the rules: an event whose name they do not have is not raised yet. */
const raised = globSync('packages/server/src/domains/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

const sections = [
  section(
    'Error keys (wire 7)',
    Object.keys(errorCatalogue).map((key) => ({ name: key, evidence: quoted(key) })),
  ),
  section(
    'Events (wire 6.1) that the platform raises',
    Object.entries(Event)
      .filter(([name]) => raised.includes(`Event.${name}`))
      .map(([name, event]) => ({ name: event, evidence: [...quoted(event), `Event.${name}`] })),
  ),
  section(
    'Whitelist of a data client (wire 5.3)',
    dataClientWhitelist.map((pattern) => ({ name: pattern, evidence: quoted(pattern) })),
  ),
  section(
    'Whitelist of account clients (wire 5.5)',
    [...new Set([...accountClientBaseline, ...Object.values(capabilityPatterns).flat()])].map((pattern) => ({
      name: pattern,
      evidence: quoted(pattern),
    })),
  ),
  section(
    'What a portal login alone may call (wire 5.5)',
    portalOnlyPatterns.map((pattern) => ({ name: pattern, evidence: quoted(pattern) })),
  ),
  section(
    'Routes (wire 4), each met by every kind of caller and by bad input',
    routes.map((route) => ({ name: route, evidence: quoted(route) })),
  ),
];

const missing: string[] = [];
const lines = [
  '# Coverage',
  '',
  'Made by `node scripts/coverage.ts` from the catalogue, the event names and the access matrix: each row, and the tests that name it.',
];
for (const { title, rows } of sections) {
  lines.push('', `## ${title}`, '', '| row | tests |', '|---|---|');
  for (const { name, evidence } of rows) {
    const proofs = tests
      .filter(({ text }) => evidence.some((part) => text.includes(part)))
      .map(({ file }) => file);
    const reason = UNREACHABLE[name];
    if (proofs.length === 0 && reason === undefined) missing.push(`${title}: ${name}`);
    const shown = proofs.slice(0, 3).map((file) => `[${file.split('/').at(-1)}](../${file})`);
    const more = proofs.length > 3 ? ` and ${proofs.length - 3} more` : '';
    lines.push(
      `| \`${name}\` | ${shown.length === 0 ? (reason ?? '**none yet**') : `${shown.join(', ')}${more}`} |`,
    );
  }
}
const page = `${lines.join('\n')}\n`;
const rowsOf = (text: string) => [...text.matchAll(/^\| (`[^`]+`) \|/gm)].map(([, row]) => row).join('\n');

if (process.argv.includes('--check')) {
  // Rows must be the same; which tests name them changes with every test and is brought up to date when the page is made.
  const stale = rowsOf(readFileSync(PAGE, 'utf8')) !== rowsOf(page);
  const failed = stale || missing.length > 0;
  if (stale) console.error(`${PAGE} is stale: run node scripts/coverage.ts.`);
  process.exitCode = failed ? 1 : 0;
} else {
  writeFileSync(PAGE, page);
}
for (const row of missing) console.error(`No test names ${row}`);
