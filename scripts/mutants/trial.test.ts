import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { mutantsOf } from './mutable.ts';
import { reachingFiles } from './plan.ts';
import { findReach } from './reach.ts';
import { reportOf, shareNoticed } from './report.ts';
import { tryMutant } from './trial.ts';

const SOURCE = `
export function checkAge(age: number): void {
  if (age < 18) throw new Error('young');
  if (age > 150) throw new Error('old');
}
export async function inWorker(): Promise<number> {
  const { once } = await import('node:events');
  const { Worker } = await import('node:worker_threads');
  const [code] = await once(new Worker(new URL('./worker.ts', import.meta.url)), 'exit');
  return code;
}
export function leave(code: number): void {
  if (code > 9) throw new Error('large');
}
export function never(a: number): boolean {
  return a > 1;
}
export function loop(): void {
  let a = 0;
  while (a++ >= 0) if (a > 3) throw new Error('enough');
}
export async function once(state: { use(): Promise<void> }): Promise<void> {
  await state.use();
}
`;
const WORKER = `import { leave } from './age.ts'; leave(1);`;
const LOST = 'void new Promise((later) => setTimeout(later, 50)).then(async () => (state.use()))';
const TESTS = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAge, inWorker, loop, once } from './age.ts';
test('young', () => assert.throws(() => checkAge(17)));
test('grown up', () => checkAge(18));
test('in a worker', async () => assert.equal(await inWorker(), 0));
test('a loop', () => assert.throws(loop));
test('too late', async () => {
  let isOpen = true;
  await once({ use: async () => { if (!isOpen) throw new Error('closed'); } });
  isOpen = false;
});
test('broken', () => assert.fail('without any mutant'));
`;

test('mutants are noticed by the tests that reach them', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'symbolon-mutants-'));
  t.after(() => rmSync(root, { recursive: true }));
  const file = 'packages/server/src/core/age.ts';
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, file), SOURCE);
  writeFileSync(join(root, dirname(file), 'worker.ts'), WORKER);
  const testFile = 'packages/server/src/core/age.test.ts';
  writeFileSync(join(root, testFile), TESTS);
  const mutants = mutantsOf(file, SOURCE);
  const said: string[] = [];
  const find = () =>
    findReach(mutants, { root, folder: root, jobs: 1, fresh: false, say: (text) => said.push(text) });
  const reach = await find();
  const tried = await Promise.all(
    mutants.map(async (mutant, place) => ({
      ...mutant,
      ...(await tryMutant(mutant, reachingFiles(mutant, place, reach), {
        root,
        folder: root,
        reach,
        seconds: 3,
      })),
    })),
  );
  assert.deepEqual(
    tried.map(({ text, mutated, outcome, by, reaching }) => [
      `${text.slice(0, 16)} ${mutated}`,
      outcome,
      by?.replace(`${testFile} > `, ''),
      reaching.length,
    ]),
    [
      ['if (age < 18) th false', 'noticed', 'young', 2],
      ['if (age < 18) th <=', 'noticed', 'grown up', 2],
      ['if (age > 150) t false', 'not noticed', undefined, 1],
      ['if (age > 150) t >=', 'not noticed', undefined, 1],
      ['if (code > 9) th false', 'not noticed', undefined, 1],
      ['if (code > 9) th >=', 'not noticed', undefined, 1],
      ['return a > 1; >=', 'not reached', undefined, 0],
      ['while (a++ >= 0) >', 'noticed', 'a loop', 1],
      ['while (a++ >= 0) false', 'noticed', `${testFile}: took too long`, 1],
      ['while (a++ >= 0) >=', 'not noticed', undefined, 1],
      [`await state.use( ${LOST}`, 'noticed', 'a call without an await: Error: closed', 1],
    ],
  );
  assert.equal(shareNoticed(tried), 5 / 11);
  const report = reportOf(tried);
  assert.match(report, /age\.ts:4 guard, not noticed by 1 that reach it\n {4}if \(age > 150\)/);
  assert.match(report, /age\.ts:16 bound, not reached\n/);

  const passing = TESTS.replace(/^test\('broken'.*$/m, '');
  writeFileSync(join(root, testFile), passing);
  await find();
  const before = said.length;
  assert.deepEqual([...(await find()).keys()], [testFile]);
  assert.equal(said.length, before, 'what is known is not found again');
  writeFileSync(join(root, testFile), `${passing}test('old', () => assert.throws(() => checkAge(151)));`);
  assert.equal(Object.keys((await find()).get(testFile)?.tests ?? {}).length, 6);
});
