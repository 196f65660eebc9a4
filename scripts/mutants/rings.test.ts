import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { mutantsOf, type Probed } from './mutable.ts';
import { tryNearestFirst } from './rings.ts';

const DOMAINS = 'packages/server/src/domains';
const SOURCE = `
export function checkAge(age: number): void {
  if (age < 18) throw new Error('young');
  if (age > 150) throw new Error('old');
}
`;
const testOf = (age: number) => `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAge } from '${age < 18 ? './' : '../services/'}age.ts';
test('of ${age}', () => assert.throws(() => checkAge(${age})));
`;

test('tests of other domains are run only for what those of the domain do not notice', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'symbolon-rings-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const file = `${DOMAINS}/services/age.ts`;
  write('package.json', '{ "type": "module" }');
  write(file, SOURCE);
  write(`${DOMAINS}/services/age.test.ts`, testOf(17));
  write(`${DOMAINS}/flows/age.test.ts`, testOf(151));
  const all = mutantsOf(file, SOURCE).filter(({ kind }) => kind === 'guard');
  const [young, old] = all as [Probed, Probed];
  const outcomes = async (chosen: readonly Probed[], near: boolean) => {
    const said: string[] = [];
    const tried: (string | undefined)[][] = [];
    await tryNearestFirst(
      chosen,
      all,
      { root, folder: root, jobs: 1, fresh: false, near, say: (text) => said.push(text) },
      (mutant, { outcome, by }) =>
        tried.push([mutant.original, outcome, by?.slice(DOMAINS.length + 1), String(said.length)]),
    );
    return tried;
  };
  const noticed = ['age < 18', 'noticed', 'services/age.test.ts > of 17'];
  assert.deepEqual(await outcomes([young], false), [[...noticed, '2']]);
  assert.deepEqual(await outcomes([young, old], true), [
    [...noticed, '0'],
    ['age > 150', 'not reached', undefined, '0'],
  ]);
  assert.deepEqual(await outcomes([young, old], false), [
    [...noticed, '0'],
    ['age > 150', 'noticed', 'flows/age.test.ts > of 151', '2'],
  ]);
});
