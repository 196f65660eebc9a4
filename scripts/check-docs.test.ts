import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { unknownSeries } from './checks/alerts.ts';
import { listDifferences, missingFolders, packageDifferences } from './checks/architecture-page.ts';
import { citations } from './checks/citations.ts';
import { longSubjects } from './checks/commit-subjects.ts';
import { undocumentedNames } from './checks/configuration-page.ts';
import { conformance } from './checks/conformance.ts';
import { deadPaths } from './checks/contributing-page.ts';
import { decisions } from './checks/decisions.ts';
import { neverBroughtAbout } from './checks/declared-errors.ts';
import { problemOf } from './checks/doors.ts';
import { importsIn } from './checks/imports.ts';
import { brokenLinks } from './checks/links.ts';
import { tooLong } from './checks/long-lines.ts';
import { machinePaths } from './checks/machine-paths.ts';
import { pageProblems } from './checks/page-doors.ts';
import { plannedSentences } from './checks/planned-sentences.ts';
import { storeProblems } from './checks/stores.ts';
import { upgradeProblems } from './checks/upgrade-pages.ts';
import { errorDifferences } from './checks/wire-errors.ts';
import { eventDifferences } from './checks/wire-events.ts';

test('the first line of a commit has at most 60 characters', () => {
  const [short, long] = ['x'.repeat(60), 'x'.repeat(61)];
  assert.deepEqual(longSubjects([short, long]), [
    `the commit "${long}" begins with more than 60 characters: tell the reason below`,
  ]);
});

test('links that lead somewhere are fine', async (t) => {
  const { root, files } = await project(t, {
    'README.md': `
# Hello, \`world\`: a_b!
## Twice
## Twice
<a id="by-hand"></a>
[file](docs/a.md) [heading](docs/a.md#one-two--three) [folder](docs/) [image: ![x](img/p%20q.png)](docs)
[here](#hello-world-a_b) [second](#twice-1) [anchor](#by-hand) [line](src/x.ts#L3) [top](/src/x.ts)
[web](https://example.com/none.md) [mail](mailto:a@example.com) [angle](<docs/b (1).md>) [title](docs/a.md "it")
[reference][r] \`[code](none.md)\` <img src="img/p q.png">

[r]: ./docs/a.md
`,
    'docs/a.md':
      '# One *two* & [three](../README.md#twice)\n~~~md\n[fenced](none.md)\n~~~\n[up](../README.md)\n',
    'docs/b (1).md': '',
    'img/p q.png': '',
    'src/x.ts': '',
  });
  assert.deepEqual(brokenLinks(root, files), []);
});

test('links that lead nowhere are named with their line', async (t) => {
  const { root, files } = await project(t, {
    'README.md':
      '# Title\n[file](none.md)\n\n```sh\n# not-a-heading\n```\n[heading](#not-a-heading) [a](docs/a.md#b)\n',
    'docs/a.md': '[outside](../../x.md) <a href="b.md">b</a>\n\n[r]: c.md\n',
  });
  assert.deepEqual(brokenLinks(root, files), [
    'README.md:2: link to none.md: no such file',
    'README.md:7: link to #not-a-heading: no such heading',
    'README.md:7: link to docs/a.md#b: no such heading',
    'docs/a.md:1: link to ../../x.md: no such file',
    'docs/a.md:1: link to b.md: no such file',
    'docs/a.md:3: link to c.md: no such file',
  ]);
});

const FIRST = '# 1. Keep it\n\nStatus: superseded by 3\n\n…';
const THIRD = '# 3. Drop it\n\nStatus: accepted\n\n…';
const INDEX = `# Decisions
| number | decision | status |
|---|---|---|
| 1 | [Keep it](0001-keep.md) | superseded by 3 |
| 2 | | not used |
| 3 | [Drop it](0003-drop.md) | accepted |
`;

test('an index of decisions that agrees with its files is fine', async (t) => {
  const { root, files } = await project(t, {
    'docs/decisions/README.md': INDEX,
    'docs/decisions/0001-keep.md': FIRST,
    'docs/decisions/0003-drop.md': THIRD,
  });
  assert.deepEqual(decisions(root, files), []);
});

test('an index of decisions names every file, with its title and status', async (t) => {
  const problems = async (index: string, first: string, more: Record<string, string> = {}) => {
    const { root, files } = await project(t, {
      'docs/decisions/README.md': index,
      'docs/decisions/0001-keep.md': first,
      'docs/decisions/0003-drop.md': THIRD,
      ...more,
    });
    return decisions(root, files);
  };
  const row = (text: string) => [`docs/decisions/README.md: row 1 is to be "${text}"`];
  const first = 'docs/decisions/0001-keep.md';
  assert.deepEqual(
    await problems(INDEX, FIRST.replace('Keep', 'Keep all of')),
    row('| 1 | [Keep all of it](0001-keep.md) | superseded by 3 |'),
  );
  assert.deepEqual(
    await problems(INDEX, FIRST.replace('superseded by 3', 'accepted')),
    row('| 1 | [Keep it](0001-keep.md) | accepted |'),
  );
  assert.deepEqual(await problems(INDEX.replace('| 2 | | not used |\n', ''), FIRST), [
    'docs/decisions/README.md: row 2 is to be "| 2 | | not used |"',
  ]);
  assert.deepEqual(await problems(`${INDEX}| 4 | [Gone](0004-gone.md) | accepted |\n`, FIRST), [
    'docs/decisions/README.md: "| 4 | [Gone](0004-gone.md) | accepted |" has no file',
  ]);
  assert.deepEqual(await problems(INDEX.replace('by 3', 'by 7'), FIRST.replace('by 3', 'by 7')), [
    `${first}: there is no decision 7`,
  ]);
  assert.deepEqual(
    await problems(INDEX.replace('superseded by 3', 'maybe'), FIRST.replace(/: .*/, ': maybe')),
    [`${first}: "maybe" is no status`],
  );
  assert.ok((await problems(INDEX, '# Keep it\n')).some((line) => line.startsWith(`${first}: begins with`)));
  assert.deepEqual(await problems(INDEX, FIRST, { 'docs/decisions/0003-other.md': THIRD }), [
    'docs/decisions/0003-other.md: the number 3 is taken',
  ]);
  assert.ok(
    (await problems(INDEX, FIRST, { 'docs/decisions/0004-more.md': THIRD })).includes(
      'docs/decisions/0004-more.md: its title has the number 3',
    ),
  );
});

test('absolute paths of a machine are found, paths that only look like one are not', async (t) => {
  // Put together here, or this very file would not pass the check.
  const path = ['', 'root', 'x'].join('/');
  const { root, files } = await project(t, {
    'a.md': `fine: src${path} ./a${path} https://example.com${path}\nsee ${path}`,
    'b.ts': `const a = '${path}';\nconst b = 'file://${path}';`,
    'c.bin': `\0${path}`,
    'package-lock.json': path,
  });
  assert.deepEqual(
    machinePaths(root, files).map((problem) => problem.split(': ')[0]),
    ['a.md:2', 'b.ts:1', 'b.ts:2'],
  );
});

test('a page of the wire calls nothing planned that has a route', async (t) => {
  const { root, files } = await project(t, {
    'packages/server/src/flows.ts': "route('GET /api/flows/:id', {});",
    'packages/server/src/flows.test.ts': "call('GET /api/later');",
    'docs/wire/1-a.md':
      '# A\n\nFlows are not part of\nthis release.\n\n`GET /api/flows/{key}` is planned.\n\n`/api/later` is planned.\n',
    'docs/other.md': 'Flows are not part of this release.\n',
  });
  assert.deepEqual(plannedSentences(root, files), [
    'docs/wire/1-a.md:3: "not part of this release", but it names no address',
    'docs/wire/1-a.md:6: "is planned", but the platform serves /api/flows/{key}',
  ]);
});

test('the page about configuration and the table of variables name the same', () => {
  const page = '| `SYMBOLON_PORT` | and `SYMBOLON_GONE=1`, `SYMBOLON_*`; `TEST_DATABASE_URL` |';
  assert.deepEqual(
    undocumentedNames(['SYMBOLON_PORT', 'SYMBOLON_HOST', 'DATABASE_URL'], page).map(
      (line) => line.split(' ')[1],
    ),
    ['SYMBOLON_HOST', 'DATABASE_URL', 'SYMBOLON_GONE'],
  );
});

test('the page about architecture lists what the checks of imports list, in their order', () => {
  const page = '## Rooms\n| room | what |\n|---|---|\n| `b/` | x |\n| `a` | y |\n\n## More\n| `c` | z |\n';
  assert.deepEqual(listDifferences(page, 'Rooms', ['b', 'a']), []);
  assert.deepEqual(listDifferences(page, 'Rooms', ['a', 'b', 'd']), [
    'ARCHITECTURE.md: "Rooms" lists b, a; scripts/checks/doors.ts has a, b, d',
  ]);
});

test('a room or domain that the checks of imports list, and that has no folder, is caught', () => {
  const files = ['src/domains/notes/index.ts', 'src/domains/note.ts'];
  assert.deepEqual(missingFolders('src/domains', ['notes'], files), []);
  assert.deepEqual(missingFolders('src/domains', ['note'], files), [
    'scripts/checks/doors.ts lists note: there is no src/domains/note',
  ]);
});

test('the page about architecture says of each package what its sources import', () => {
  const page = (rows: string) =>
    `## Packages\n| package | what | may import |\n|---|---|---|\n${rows}\n## More\n`;
  const found = new Map([
    ['packages/a', { imports: [], named: [] }],
    ['packages/b', { imports: ['a', 'c'], named: ['a', 'c'] }],
    ['packages/c', { imports: ['a'], named: [] }],
  ]);
  const rightPage = page('| `packages/a` | x | – |\n| `packages/b` | y | a, c |\n| `packages/c` | z | a |\n');
  assert.deepEqual(packageDifferences(rightPage, found), [
    'packages/c/package.json does not name @symbolon/a, which its sources import',
  ]);
  found.set('packages/c', { imports: ['a'], named: ['a'] });
  assert.deepEqual(packageDifferences(rightPage, found), []);
  assert.deepEqual(
    packageDifferences(
      page('| `packages/a` | x | b |\n| `packages/b` | y | a |\n| `packages/d` | z | – |\n'),
      found,
    ),
    [
      'ARCHITECTURE.md: "Packages" has no row for packages/c',
      'ARCHITECTURE.md: "Packages" lists packages/d, which is no package',
      'ARCHITECTURE.md: "Packages" says that packages/a imports b, and none of its sources does',
      'packages/b imports @symbolon/c, which ARCHITECTURE.md does not say of it',
    ],
  );
});

test('citations of sections that exist are fine', async (t) => {
  const { root, files } = await project(t, {
    'docs/wire/2.md': '# 2. Resources\n## 2.1 Clients\n## 2.4 Types\n',
    'docs/wire/README.md': '# The wire reference\n',
    'packages/a.ts': '/** Clients (wire 2.1, 2.4). Wire 2 tells more.\n * It is in wire\n * 2.1 and 2.4. */',
    'packages/b.ts':
      'const a = "on the wire in 3 parts"; // wire 2.4, RFC 6749 4.4; see the specs; wire 2.1 rules 2, 3',
    'docs/a.md': 'Prose may name what it likes.',
  });
  assert.deepEqual(citations(root, files), []);
});

test('a citation of a section that does not exist is caught with its line', async (t) => {
  // Put together here, or this very file would not pass the check.
  const cite = (numbers: string) => `wire ${numbers}`;
  const { root, files } = await project(t, {
    'docs/wire/2.md': '# 2. Resources\n## 2.1 Clients\nNo heading: 2.9\n',
    'packages/a.ts': `// fine: ${cite('2.1')}\n// ${cite('2.9')}`,
    'test/b.test.ts': `test('drains (${cite('2.1, 7.7')})', () => {});`,
    'bench/c.ts': `/**\n * ${cite('2.1,\n * 6.6')} */`,
    'scripts/d.ts': `// ${cite('2.1.1')} ${cite('99')}`,
  });
  assert.deepEqual(citations(root, files), [
    `packages/a.ts:2: ${cite('2.9')}: no such section in docs/wire`,
    `test/b.test.ts:1: ${cite('7.7')}: no such section in docs/wire`,
    `bench/c.ts:2: ${cite('6.6')}: no such section in docs/wire`,
    `scripts/d.ts:1: ${cite('2.1.1')}: no such section in docs/wire`,
    `scripts/d.ts:1: ${cite('99')}: no such section in docs/wire`,
  ]);
});

test('a pointer to a document outside the project is caught', async (t) => {
  const [spec, contract, house] = [
    ['sp', 'ec'],
    ['wire con', 'tract'],
    ['house', '.md'],
  ].map((parts) => parts.join(''));
  const { root, files } = await project(t, {
    'docs/wire/2.md': '# 2. Resources\n',
    'packages/a.ts': `// ${spec} 2\n// ${spec}ification 2.1\n// ${spec}\n// the ${contract}\n// see ${house}`,
    'packages/readme.ts': `// a ${spec} file, the ${spec}ification of XML 1.0`,
  });
  assert.deepEqual(
    citations(root, files).map((problem) => problem.split(': ')[0]),
    ['packages/a.ts:1', 'packages/a.ts:2', 'packages/a.ts:4', 'packages/a.ts:5'],
  );
});

test('a statement about conformance names tests that are there', async (t) => {
  const { root } = await project(t, {
    'docs/oidc-conformance.md': `
| statement | source | shown by |
|---|---|---|
| Fine | RFC 1 | [one; two](../a.test.ts), [three](../a.test.ts) |
| None | RFC 2 | the same |
| Gone | RFC 3 | [one; four](../a.test.ts) |
`,
    'a.test.ts': "test('one and two', t);\ntest('three', t);\n",
  });
  assert.deepEqual(conformance(root), [
    'docs/oidc-conformance.md: no test is named for: None',
    'docs/oidc-conformance.md: a.test.ts has no test "four"',
  ]);
});

test('the page about errors and the catalogue name the same keys and statuses', () => {
  const page = '| `a.same` | 400 | x |\n| `a.other` | 404 | |\n| `a.gone` | 409 | |\n';
  const catalogue = new Map([
    ['a.same', 400],
    ['a.other', 403],
    ['a.new', 422],
  ]);
  assert.deepEqual(
    errorDifferences(catalogue, page).map((line) => line.split(': ')[1]),
    ['a.new is missing', 'a.other has status 403, not 404', 'a.gone has status none, not 409'],
  );
});

test('an operation declares no error that nothing behind it throws; objects behind types are looked through', async (t) => {
  const { root } = await project(t, {
    'tsconfig.json':
      '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }',
    'src/routes.ts': `
      import type { Port, Rules } from './rules.ts';
      declare const app: { get(path: string, options: object, handler: () => unknown): void };
      declare function route(address: string, declaration: object, handler: () => unknown): void;
      const keys = { invalidKeys: { '/name': 'a.member' } };
      export function routes(rules: Rules, port: Port, at: '/one' | '/two') {
        route('GET /a', { ...keys, errors: ['a.unused'] }, () => rules.own());
        route(\`GET \${at}\`, { errors: ['a.unused'] }, () => port.ask());
        app.get('/got', { config: { errors: ['a.unused'] } }, () => { throw 'a.here'; });
      }`,
    'src/rules.ts': `
      export interface Port { /** @throws {PlatformError} a.port */ ask(): number }
      export class Rules {
        own(): void { throw 'a.own'; }
        other(): void { throw 'a.unused'; }
      }
      export const filled = { ask: () => { refuse(); return 1; } };
      export const unfit = { ask: () => { throw 'a.unfit'; }, };
      export const text = { ask: (): string => 'a.unused' };
      const refuse = () => { throw 'a.behind'; };`,
  });
  const keys = ['own', 'member', 'port', 'behind', 'here', 'unused'].map((name) => `a.${name}`);
  const refused = (address: string) =>
    neverBroughtAbout(root, 'src/**/*.ts', keys, [{ address, summary: undefined, errors: keys }]).map(
      (line) => / declares (\S+),/.exec(line)?.[1] ?? line,
    );
  assert.deepEqual(refused('GET /a'), ['a.port', 'a.behind', 'a.here', 'a.unused']);
  assert.deepEqual(refused('GET /two'), ['a.own', 'a.member', 'a.here', 'a.unused']);
  assert.deepEqual(refused('GET /got'), ['a.own', 'a.member', 'a.port', 'a.behind', 'a.unused']);
  assert.deepEqual(refused('PUT /b'), ['PUT /b: the check of declared errors does not find its handler']);
});

async function project(t: TestContext, contents: Readonly<Record<string, string>>) {
  const { path: root } = temporaryFolder(t);
  for (const [file, text] of Object.entries(contents)) {
    await mkdir(join(root, dirname(file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return { root, files: Object.keys(contents) };
}

test('imports between rooms and domains go one way, and through doors', () => {
  const at = (from: string, to: string) => problemOf({ from, to, names: [], values: [] });
  const fine = [
    ['http/app.ts', 'access/rules.ts'],
    ['domains/sharing/connections/slots.ts', 'domains/people/index.ts'],
    ['domains/people/people/people.ts', 'domains/people/ports.ts'],
    ['domains/companies/portal/portal.ts', 'domains/accounts/index.ts'],
    ['domains/companies/portal/portal.ts', 'domains/companies/delegates/delegates.ts'],
    ['domains/companies/portal/portal.ts', 'domains/companies/portal/store.ts'],
    ['domains/companies/index.ts', 'domains/companies/portal/portal.ts'],
    ['context.ts', 'domains/people/index.ts'],
  ] as const;
  for (const [from, to] of fine) assert.deepEqual(at(from, to), [], `${from} imports ${to}`);
  const wrong = [
    ['access/rules.ts', 'domains/people/index.ts'],
    ['access/rules.ts', 'http/app.ts'],
    ['domains/sharing/connections/slots.ts', 'domains/people/fields/store.ts'],
    ['domains/sharing/connections/slots.ts', 'domains/people/ports.ts'],
    ['domains/people/people/people.ts', 'domains/sharing/index.ts'],
    ['domains/people/people/people.ts', 'domains/people/index.ts'],
    ['domains/companies/portal/portal.ts', 'domains/companies/delegation.ts'],
    ['context.ts', 'domains/companies/portal/index.ts'],
  ] as const;
  for (const [from, to] of wrong) assert.equal(at(from, to).length, 1, `${from} imports ${to}`);
});

test('rooms of the pages know each other one way, and platform alone knows the wire', () => {
  const imported = (from: string, to: string) => pageProblems(from, `import { a } from '${to}';\n`).length;
  assert.equal(imported('pages/flows/flow-page.tsx', '../../platform/flows/runs.ts'), 0);
  assert.equal(imported('platform/flows/runs.ts', '../inner/api.ts'), 0);
  assert.equal(imported('main.ts', './platform/inner/prefetch.ts'), 0);
  assert.equal(imported('parts/me-frame.tsx', '../pages/home.tsx'), 1);
  assert.equal(imported('platform/waiting.ts', '../pages/documents/states.ts'), 1);
  assert.equal(imported('pages/portal/flow/flow-page.tsx', '../../../platform/portal/inner/api.ts'), 1);
  assert.equal(imported('parts/answers/plugin-choice.tsx', '../../platform/inner/files.worker.ts'), 1);
  assert.equal(imported('platform/files.ts', './portal/inner/api.ts'), 1);
  const text = [
    "import { useQuery } from '@tanstack/react-query';",
    "import type { Flow, ProvideRequest } from '@symbolon/protocol';",
    'await fetch("/api/person/fields");',
  ].join('\n');
  assert.equal(pageProblems('pages/home.tsx', text).length, 4);
  const drawn = "import { Button, Table } from '@mantine/core';\n";
  assert.equal(pageProblems('pages/home.tsx', drawn).length, 1);
  assert.equal(pageProblems('ui/table.tsx', drawn).length, 0);
  assert.equal(pageProblems('platform/fields.ts', text).length, 0);
});

test('a feature runs no query of another one', () => {
  const uses = (from: string, to: string, ...values: string[]) => ({
    from: `domains/${from}`,
    to: `domains/${to}`,
    names: ['Row', ...values],
    values,
  });
  const fine = [
    uses('a/one/one.ts', 'a/one/store.ts', 'find'),
    uses('a/one/one.ts', 'a/two/store.ts'),
    uses('a/one/one.ts', 'a/two/two.ts', 'find'),
    uses('a/index.ts', 'a/two/store.ts', 'shared'),
    uses('a/one/one.ts', 'a/two/store.ts', 'shared'),
  ];
  assert.deepEqual(storeProblems(fine, []), []);
  const crossing = uses('a/one/one.ts', 'a/two/step-store.ts', 'find');
  assert.deepEqual(storeProblems([crossing], []), [
    'packages/server/src/domains/a/one/one.ts runs queries of a/two (find): call its rules, or say in scripts/checks/stores.ts why not',
  ]);
  const listed = { from: 'a/one', to: 'a/two', reason: 'one table' };
  assert.deepEqual(storeProblems([crossing], [listed]), []);
  assert.equal(storeProblems([], [listed]).length, 1);
});

test('imports of every form are seen', () => {
  const text = `import type { A, B as C } from './a.ts';
export { d } from '../d.ts';
const e = await import('./e.ts');
import './f.ts';
import { type G, h } from './g.ts';`;
  assert.deepEqual(importsIn('x/y.ts', text), [
    { from: 'x/y.ts', to: 'x/a.ts', names: ['A', 'B as C'], values: [] },
    { from: 'x/y.ts', to: 'd.ts', names: ['d'], values: ['d'] },
    { from: 'x/y.ts', to: 'x/g.ts', names: ['G', 'h'], values: ['h'] },
    { from: 'x/y.ts', to: 'x/e.ts', names: [], values: [] },
    { from: 'x/y.ts', to: 'x/f.ts', names: [], values: [] },
  ]);
});

test('the page about events lists the events that there are', () => {
  const page =
    '## 6.1 Names\n| event | when |\n|---|---|\n| `one` | x |\n| `two`, `gone` | `y` |\n## 6.2 Bodies\n| `three` |\n';
  assert.deepEqual(eventDifferences(page, '6.1', ['one', 'two', 'gone']), []);
  assert.deepEqual(eventDifferences(page, '6.1', ['one', 'two', 'three']), [
    'docs/wire/6-events.md: 6.1 lacks three',
    'docs/wire/6-events.md: 6.1 lists gone, which packages/protocol/src/events.ts does not have',
  ]);
});

test('the table of which files for what names files that there are', () => {
  const page = (paths: string) =>
    `## Which files for what\n| I want | files |\n|---|---|\n| to add | ${paths} |\n\n## More\n`;
  const files = ['src/notes/store.ts', 'docs/wire/6-events.md'];
  assert.deepEqual(deadPaths(page('`src/<feature>/store.ts`, `src/notes/`, `notes`'), files), []);
  assert.deepEqual(deadPaths(page('`src/<feature>/rules.ts`, `docs/wires/`'), files), [
    'CONTRIBUTING.md: src/<feature>/rules.ts leads to no file',
    'CONTRIBUTING.md: docs/wires/ leads to no file',
  ]);
  assert.deepEqual(deadPaths('# Other', files), [
    'CONTRIBUTING.md: the table under "Which files for what" is missing',
  ]);
});

test('series that no instrument has are found in expressions', () => {
  const fine =
    'histogram_quantile(0.95, sum by (le) (rate(http_server_request_duration_bucket{le="1"}[5m]))) > 1';
  assert.deepEqual(unknownSeries(fine), []);
  assert.deepEqual(unknownSeries('max(symbolon_job_age) > 3 or absent(symbolon_jobs_waiting)'), [
    'symbolon_job_age',
  ]);
});

test('each version has a page for its upgrade, and each migration one row with its kind', () => {
  const kinds = { '0001-schema': 'stop', '0002-a': 'rolling', '0003-b': 'stop' } as const;
  const changelog = '# Changelog\n\n## Unreleased\n\n## 0.1.0\n';
  const row = (name: string, kind: string) => `| \`${name}\` | ${kind} | it does |`;
  const first = row('0001-schema', 'stop');
  const later = `${row('0002-a', 'rolling')}\n${row('0003-b', 'stop')}`;
  const index = '| [unreleased](unreleased.md) | 2 | stop |\n| [0.1.0](0.1.0.md) | 1 | – |';
  const pages = { 'README.md': index, '0.1.0.md': first, 'unreleased.md': later };
  const problems = (other: Readonly<Record<string, string>>, of = changelog) =>
    upgradeProblems({ pages: { ...pages, ...other }, changelog: of }, kinds);
  assert.deepEqual(problems({}), []);

  assert.deepEqual(problems({ 'unreleased.md': row('0003-b', 'stop') }), [
    'docs/upgrades/: 0002-a is on no page',
    'docs/upgrades/README.md: lacks "| [unreleased](unreleased.md) | 1 | stop |"',
  ]);
  assert.deepEqual(problems({ '0.1.0.md': `${first}\n${row('0002-a', 'rolling')}` }), [
    'docs/upgrades/: 0002-a is on 0.1.0.md and unreleased.md',
    'docs/upgrades/README.md: lacks "| [0.1.0](0.1.0.md) | 2 | – |"',
  ]);
  assert.deepEqual(problems({ 'unreleased.md': later.replace('rolling', 'stop') }), [
    'docs/upgrades/unreleased.md: 0002-a is rolling, not stop',
  ]);
  assert.deepEqual(problems({ 'unreleased.md': `${later}\n${row('0004-c', 'stop')}` }), [
    'docs/upgrades/unreleased.md: 0004-c is unknown, not stop',
    'docs/upgrades/README.md: lacks "| [unreleased](unreleased.md) | 3 | stop |"',
  ]);
  const released = changelog.replace('## 0.1.0', '## 0.2.0\n\n## 0.1.0');
  assert.deepEqual(problems({}, released), [
    'docs/upgrades/0.2.0.md: missing',
    'docs/upgrades/README.md: lacks "| [0.2.0](0.2.0.md) | 0 | rolling |"',
  ]);
  assert.deepEqual(problems({}, changelog.replace('## Unreleased', '')), [
    'docs/upgrades/unreleased.md: no such version in CHANGELOG.md',
  ]);
});

test('a line of prose is no longer than can be read', () => {
  const long = `${'word '.repeat(40)}end`;
  const page = [
    '# Title',
    long,
    'short',
    `| ${long} |`,
    '```',
    long,
    '```',
    `- ${long}`,
    'x'.repeat(200),
    `\`${long}\`.`,
  ];
  assert.deepEqual(tooLong(page.join('\n')), [2, 8]);
});
