import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { EVIDENCE_VARIABLE, type Evidence, type Section } from '@symbolon/testkit/evidence/evidence-rows';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { problemsOf, readEvidence } from './checks/evidence.ts';
import { madeUpRows } from './checks/named-rows.ts';
import { coveragePage } from './coverage.ts';

const declared: readonly Section[] = [
  {
    title: 'Rows',
    rows: [{ id: 'error:keys.not_found' }, { id: 'route:GET /api/account' }, { id: 'error:internal' }],
  },
];
const unreachable = { 'error:internal': 'it cannot be brought about' };
const evidence = (more: Partial<Evidence>): Evidence => ({
  file: 'a.test.ts',
  test: 'a test',
  claims: [],
  exercised: [],
  seen: [],
  ...more,
});

test('a row that no test proves fails a whole run, and only that', () => {
  const lines = [evidence({ claims: ['error:keys.not_found'], seen: ['route:GET /api/account'] })];
  assert.deepEqual(problemsOf(declared, lines, true, unreachable), [
    'No test proves route:GET /api/account; it occurs in a.test.ts: "a test"',
  ]);
  assert.deepEqual(problemsOf(declared, lines, false, unreachable), []);
});

test('a route that is only exercised is not proved, nor is one that no test calls', () => {
  const claims = ['error:keys.not_found'];
  const exercised = ['route:GET /api/account'];
  assert.deepEqual(problemsOf(declared, [evidence({ claims, exercised })], true, unreachable), [
    'No test proves route:GET /api/account; it is exercised in a.test.ts: "a test"',
  ]);
  assert.deepEqual(problemsOf(declared, [evidence({ claims })], true, unreachable), [
    'No test proves route:GET /api/account, and none calls it',
  ]);
});

test('what several runners proved counts together', (t) => {
  const folders = [
    evidence({ claims: ['error:keys.not_found'] }),
    evidence({ claims: ['route:GET /api/account'] }),
  ].map((line) => {
    const { path: folder } = temporaryFolder(t);
    writeFileSync(join(folder, '1.jsonl'), `${JSON.stringify(line)}\n`);
    return folder;
  });
  assert.deepEqual(problemsOf(declared, folders.flatMap(readEvidence), true, unreachable), []);
});

test('a row that does not exist fails every run', () => {
  const lines = [evidence({ claims: ['error:made.up', 'error:keys.not_found', 'route:GET /api/account'] })];
  const problem = 'a.test.ts: "a test" names error:made.up, which is no row';
  assert.deepEqual(problemsOf(declared, lines, true, unreachable), [problem]);
  assert.deepEqual(problemsOf(declared, lines, false, unreachable), [problem]);
});

test('a row listed as unreachable must exist and must have no proof', () => {
  const lines = [evidence({ claims: ['error:keys.not_found', 'error:internal', 'route:GET /api/account'] })];
  assert.deepEqual(problemsOf(declared, lines, true, { ...unreachable, 'error:gone': 'it is gone' }), [
    'error:gone is listed as unreachable and is no row',
    'error:internal is listed as unreachable, and a test proves it',
  ]);
});

test('the page names the proofs of a row, and beside them who only calls a route', () => {
  const page = coveragePage(declared, [
    evidence({
      test: 'reads | it (sqlite)',
      claims: ['route:GET /api/account'],
      exercised: ['route:GET /api/account'],
    }),
    evidence({ test: 'passes by', exercised: ['route:GET /api/account'] }),
    evidence({ test: 'a (sqlite)', claims: ['error:keys.not_found'] }),
    evidence({ test: 'a (postgres)', claims: ['error:keys.not_found'] }),
  ]);
  assert.deepEqual(
    page.split('\n').filter((line) => line.startsWith('| `')),
    [
      '| `error:keys.not_found` | [a](../a.test.ts) |  |',
      '| `route:GET /api/account` | [reads \\| it](../a.test.ts) | [passes by](../a.test.ts) |',
      '| `error:internal` | a failure of the platform itself; every test fails on one |  |',
    ],
  );
});

test('a route that a test names must exist', (t) => {
  const { path: root } = temporaryFolder(t);
  writeFileSync(join(root, 'a.test.ts'), `proves('route:GET /api/account', 'route:GET /api/gone');`);
  assert.deepEqual(madeUpRows(root, ['a.test.ts'], declared), [
    'a.test.ts names route:GET /api/gone, which is no row',
  ]);
});

test('only what a passing test names, and what occurred while it ran, is written', (t) => {
  const { status, lines } = run(
    t,
    `test('passes', () => { saw('error:keys.not_found'); proves('error:keys.not_found', 'state:slot.live'); });
     test('makes a row up', () => { proves('limit:made-up'); });
     test('fails', () => { proves('state:slot.one-time'); throw new Error('it fails'); });
     test('does not see it', () => { proves('error:internal'); });
     test('saw it in another test', () => { proves('error:keys.not_found'); });
     test('writes the event itself', () => {
       forges('field_updated');
       sawEvents(['field_updated']);
       proves('event:field_updated');
     });
     const hooks = [];
     observe({ addHook: (_name, hook) => hooks.push(hook) });
     const fail = () => hooks[0]({ method: 'GET', url: '/', routeOptions: {} }, { statusCode: 500 }, '', () => {});
     test('is answered by a failure', () => { proves('state:slot.live'); fail(); });
     test('announces the failure', () => { breaks(); proves('state:slot.live'); fail(); });
     test('is not done yet', { todo: true }, () => { proves('state:slot.dropped'); throw new Error('not yet'); });`,
  );
  assert.equal(status, 1);
  assert.deepEqual(
    lines.map(({ test: title, claims }) => [title, claims]),
    [
      ['passes', ['error:keys.not_found', 'state:slot.live']],
      ['makes a row up', ['limit:made-up']],
      ['announces the failure', ['state:slot.live']],
    ],
  );
  const problems = problemsOf(declared, lines, false, unreachable);
  assert.match(problems.join('\n'), /"makes a row up" names limit:made-up, which is no row/);
});

test('a test that fails on the answer of a broken platform shows what that answer says', (t) => {
  const { stdout } = run(
    t,
    `const hooks = [];
     observe({ addHook: (_name, hook) => hooks.push(hook) });
     test('expects another answer', () => {
       const body = '{"message":"GET /x answers a.b, which it does not declare: add it to the errors of the route."}';
       hooks[0]({ method: 'GET', url: '/x', routeOptions: {} }, { statusCode: 500 }, body, () => {});
       throw new Error('500 is not 404');
     });`,
  );
  assert.match(
    stdout,
    /The platform itself failed: GET \/x: .*which it does not declare: add it to the errors/,
  );
});

/** Runs a test file of its own; gives how it ended, what it printed and what it wrote. */
function run(t: TestContext, tests: string): { status: number | null; stdout: string; lines: Evidence[] } {
  const { path: folder } = temporaryFolder(t);
  const out = mkdtempSync(join(folder, 'out-'));
  const source = join(import.meta.dirname, '../packages/testkit/src/evidence/evidence.ts');
  writeFileSync(
    join(folder, 'sample.test.ts'),
    `import { test } from 'node:test';
     import { breaks, forges, observe, proves, saw, sawEvents } from '${source}';
     ${tests}`,
  );
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'sample.test.ts')], {
    env: { ...environment, [EVIDENCE_VARIABLE]: out },
    encoding: 'utf8',
  });
  return { status, stdout, lines: readEvidence(out) };
}
