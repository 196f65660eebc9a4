import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutEquivalent } from './equivalent.ts';
import { mutantsOf } from './mutable.ts';

test('a listed mutant is left out wherever its line stands; one that is gone is named', () => {
  const file = 'packages/server/src/core/some.ts';
  const mutants = mutantsOf(file, '\n  if (a > b) save();\nif (a) throw error;');
  const listed = {
    file,
    kind: 'bound',
    text: 'if (a > b) save();',
    reason: 'saving twice changes nothing',
  } as const;
  const gone = { ...listed, kind: 'guard' } as const;
  const { visible, gone: missing } = withoutEquivalent(mutants, [listed, gone]);
  assert.deepEqual(
    visible.map(({ kind }) => kind),
    ['guard'],
  );
  assert.deepEqual(missing, [gone]);
});
