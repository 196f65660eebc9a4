import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainOf, mutantsOf, mutate, withProbes } from './mutable.ts';

const FILE = 'packages/server/src/domains/services/keys/keys.ts';
const found = (source: string) =>
  mutantsOf(FILE, source).map(({ kind, original, mutated }) => [kind, original, mutated]);

test('a condition that leads to a refusal becomes false', () => {
  assert.deepEqual(found(`if (a === b) throw error;`), [['guard', 'a === b', 'false']]);
  assert.deepEqual(found(`if (a) { await log(); throw error; }`), [
    ['guard', 'a', 'false'],
    ['await', 'await log()', 'void new Promise((later) => setTimeout(later, 50)).then(async () => (log()))'],
  ]);
  for (const refusal of [
    `'expired'`,
    'false',
    'refused(1)',
    'this.#fail()',
    'new WireError()',
    '{ refused: 1 }',
  ]) {
    assert.deepEqual(found(`function f() { if (a) return ${refusal}; }`), [['guard', 'a', 'false']], refusal);
  }
  for (const answer of ['', 'rows', '[]', 'undefined', 'read(1)']) {
    assert.deepEqual(found(`function f() { if (a) return ${answer}; }`), [], answer);
  }
});

test('a bound moves by one, in conditions and in queries', () => {
  assert.deepEqual(found(`const isOld: boolean = (a as number /* < */) <= b;`), [['bound', '<=', '<']]);
  assert.deepEqual(found(`rows.where('at', '>', now);`), [['bound', `'>'`, `'>='`]]);
  assert.deepEqual(found(`log('a', '>'); map<Key>(1);`), []);
  assert.deepEqual(found(`for (let i = 0; i < 2; i += 1) {}`), [], 'a loop');
  assert.deepEqual(found(`names.sort((a, b) => (a < b ? -1 : 1));`), [], 'an order');
  assert.deepEqual(found(`const isLate = performance.now() - at > 9;`), [], 'the real clock');
});

test('an error becomes one of another status', () => {
  assert.deepEqual(found(`throw new PlatformError('services.not_found', { details });`), [
    ['error', `'services.not_found'`, `'services.key_reused'`],
  ]);
  assert.deepEqual(found(`new PlatformError(a ? 'services.key_reused' : key);`), [
    ['error', `'services.key_reused'`, `'request.not_found'`],
  ]);
});

test('only what stands for itself is not waited for', () => {
  assert.deepEqual(found(`const row = await read();`), []);
  assert.deepEqual(
    found(`await lock(engine, writer, 'services', ids);`),
    [],
    'nothing on the embedded engine',
  );
  assert.deepEqual(found(`if (a) await write(1);`), [
    [
      'await',
      'await write(1)',
      'void new Promise((later) => setTimeout(later, 50)).then(async () => (write(1)))',
    ],
  ]);
});

test('a mutant is named by its text and not by its line', () => {
  const [one, two] = mutantsOf(FILE, `/* ü€😀 */\nif (a > b) save();\nif (a > b) save();`);
  const [moved] = mutantsOf(FILE, `\n\nif (a > b) save();`);
  assert.equal(one?.id, moved?.id);
  assert.notEqual(one?.id, two?.id);
  assert.deepEqual([one?.line, one?.text, moved?.line], [2, 'if (a > b) save();', 3]);
});

test('a source with probes does what it did, and says what it reached', () => {
  const source = `if (left.length < 2 && left[0] > 1) throw new Error('few'); save(left.length >= 2);`;
  const mutants = mutantsOf(FILE, source);
  const reached = (left: readonly number[]) => {
    globalThis.reachedPlaces = new Uint8Array(10);
    const saved: boolean[] = [];
    new Function('left', 'save', withProbes(source, mutants, 5))(left, (value: boolean) => saved.push(value));
    return { saved, reached: [...reachedPlaces.keys()].filter((place) => reachedPlaces[place]) };
  };
  assert.equal(mutants.length, 4);
  assert.deepEqual(reached([0, 1]), { saved: [true], reached: [5, 6, 8] });
  assert.deepEqual(reached([1]), { saved: [false], reached: [5, 6, 7, 8] });
  assert.throws(() => reached([2]), { message: 'few' });
});

test('a mutant is put where it belongs', () => {
  const source = `if (a <= b) throw error;`;
  assert.deepEqual(
    mutantsOf(FILE, source).map((mutant) => mutate(source, mutant)),
    [`if (false) throw error;`, `if (a < b) throw error;`],
  );
});

test('the domain of a file', () => {
  assert.equal(domainOf(FILE), 'services');
  assert.equal(domainOf('packages/server/src/http/app.ts'), 'http');
  assert.equal(domainOf('packages/server/src/serve.ts'), 'server');
});
