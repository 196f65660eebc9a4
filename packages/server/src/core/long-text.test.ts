import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joined, LONG, LongText } from './long-text.ts';

test('a long text goes out in slices, which together are its bytes', async () => {
  // Halves of a pair stand where slices would end.
  const text = `a${'\u{1F600}'.repeat(LONG)}`;
  const bytes = new TextEncoder().encode('ü'.repeat(LONG));
  const long = new LongText([text, bytes, '']);
  const slices = await Array.fromAsync(long.slices());
  assert.ok(slices.length >= 4);
  assert.equal(Buffer.concat(slices).toString(), text + 'ü'.repeat(LONG));
  assert.equal(Buffer.concat(slices).length, long.bytes);
});

test('others have their turns between slices', async () => {
  let turns = 0;
  const other = setInterval(() => turns++, 0);
  for await (const _ of new LongText(['a'.repeat(100 * LONG)]).slices());
  clearInterval(other);
  assert.ok(turns > 0);
});

test('what is short is one text', () => {
  assert.equal(joined(['a', Buffer.from('ü')]), 'aü');
  assert.ok(joined(['a'.repeat(LONG)]) instanceof LongText);
});
