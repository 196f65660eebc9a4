import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { decodeFile } from './base64.ts';

const PIECE = 256 * 1024;

test('a file comes out of base64 as it went in, around the size of a piece', async () => {
  for (const size of [0, 1, 2, 3, 4, (PIECE / 4) * 3 - 1, (PIECE / 4) * 3, (PIECE / 4) * 3 + 1, PIECE * 2]) {
    const bytes = randomBytes(size);
    // Compared as bytes: the difference that a failed deepEqual prints would take all memory.
    assert.ok((await decodeFile(bytes.toString('base64')))?.equals(bytes), String(size));
  }
});

test('what is no strict base64 is refused, in whichever piece it is', async () => {
  for (const bad of [
    'A',
    'AA',
    'AAA',
    'AAAB\n',
    'AA-_',
    'AA==AAAA',
    '====',
    'AB==',
    'AAA=AAA=',
    'AA A',
    'ÄÄÄÄ',
  ]) {
    // Not the bytes themselves: a failure would print them.
    const isRefused = async (text: string) => (await decodeFile(text)) === undefined;
    assert.ok(await isRefused(bad), bad);
    assert.ok(await isRefused('A'.repeat(PIECE) + bad), bad);
    if (!/^A+$/.test(bad)) assert.ok(await isRefused(bad + 'A'.repeat(2 * PIECE - bad.length)), bad);
  }
});

test('decoding lets others in between', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++);
  await decodeFile('A'.repeat(40 * PIECE));
  clearInterval(timer);
  assert.ok(turns > 0);
});
