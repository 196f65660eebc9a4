import assert from 'node:assert/strict';
import { test } from 'node:test';
import { referredTo } from './references.ts';
import { RawReader, Unclear } from './tokens.ts';

test('references are found in whatever way they are written, and nothing else is', () => {
  for (const [text, numbers] of [
    ['[1 0 R 22 0 R]', [1, 22]],
    ['/A 3\t0\r\nR', [3]],
    ['4 %who knows\n 0%1 0 R\nR', [4, 1]],
    ['% 5 0 R stands in a comment', [5]],
    ['6 0 Rx 7 0 R. 8 0 obj 612 792 12345678901 0 R', []],
    [`9 %${'x'.repeat(1000)}\n0 R`, [9]],
  ] as const)
    assert.deepEqual(referredTo(text).sort(), [...numbers].sort(), text);
});

/* Each takes hours where what stands behind every number is gone through again, and a moment where it is not. */
test('what is written to be read for ever is read once', () => {
  for (const unit of ['%1\n', '1%', '1 ', '1 %\n', '1 0 '])
    assert.deepEqual(referredTo(unit.repeat(1_000_000 / unit.length)), [], unit);
  assert.throws(() => new RawReader(`<</A ${'1'.repeat(1_000_000)}x>>`).dict(), Unclear);
});
