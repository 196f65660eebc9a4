import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SoFar, soFarQuery } from './so-far.ts';

/** A log with the entries 1 to `count`, in pages of three. */
function log(count: number) {
  const all = Array.from({ length: count }, (_, n) => n + 1);
  const asked: string[] = [];
  const idOf = (n: number) => String(n).padStart(3, '0');
  const page = async (before: string, most = 3): Promise<SoFar<number>> => {
    asked.push(before);
    const rows = all.filter((n) => before === '' || idOf(n) < before).reverse();
    const some = rows.slice(0, most);
    return { rows: some, next: rows.length > most ? idOf(some.at(-1) ?? 0) : null };
  };
  const read = (known?: SoFar<number>, until = '') =>
    soFarQuery({ key: ['portal', 'log'], idOf, page, atOnce: 5 }, until).read(known);
  return { all, asked, read, page };
}

test('a long list is read as far as the row to which one comes back', async () => {
  const { asked, read } = log(20);
  assert.deepEqual(await read(), { rows: [20, 19, 18], next: '018' });
  assert.deepEqual((await read(undefined, '011')).rows, [20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8]);
  assert.deepEqual(asked, ['', '', '018', '013']);
});

test('what came meanwhile joins what is known, each row once, and what is known is not read again', async () => {
  const { all, asked, read } = log(20);
  const known: SoFar<number> = { rows: [20, 19, 18, 17, 16], next: '016' };
  all.push(21);
  assert.deepEqual(await read(known), { rows: [21, 20, 19, 18, 17, 16], next: '016' });
  assert.deepEqual(asked.splice(0), ['']);
  // More than a page of them.
  for (let n = 22; n <= 28; n += 1) all.push(n);
  const { rows, next } = await read({ rows: [21, ...known.rows], next: '016' });
  assert.deepEqual([rows, next], [Array.from({ length: 13 }, (_, n) => 28 - n), '016']);
  assert.deepEqual(asked, ['', '026']);
});

test('of a list that went far ahead of what is known only the newest is read', async () => {
  const { asked, read } = log(100);
  const { rows, next } = await read({ rows: [20, 19, 18], next: '018' });
  assert.deepEqual([rows.at(0), rows.length, next], [100, 23, '078']);
  assert.equal(asked.length, 5);
});
