import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operand } from './content-reader.ts';
import { ImageEntries, imageDataEnd } from './inline-image.ts';

const inflate = () => assert.fail('nothing is inflated');
const endOf = (data: Buffer, entries: [string, Operand][]) => {
  const size: [string, Operand][] = [
    ['W', number(1)],
    ['H', number(1)],
    ['IM', { kind: 'B', name: 'true' }],
  ];
  const all = new ImageEntries([...size, ...entries].map(([key, value]) => [key, [value]]));
  return imageDataEnd(Buffer.concat([data, Buffer.from('\nEI Q and more text')]), 0, all, {
    inflate,
    spend() {},
  });
};
const filter = (name: string): [string, Operand] => ['F', { kind: 'M', name }];
const number = (value: number): Operand => ({ kind: 'N', value });
const bits = (text: string) =>
  Buffer.from((text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));

test('a JPEG ends at its mark: not in a segment, not at escaped bytes and restarts', () => {
  const codes = ['00', '10'].map((kind) => `ffc40014${kind}01${'00'.repeat(16)}`).join('');
  const marks = `ffd8fffe0006ffd9ffd9ffdd00040001ffc0000b080001000901011100${codes}ffda0008010100003f00`;
  const jpeg = Buffer.from(`${marks}03ff00ffd003ffd9`, 'hex');
  const wide = [filter('DCT'), ['W', number(9)]] as [string, Operand][];
  assert.equal(endOf(jpeg, wide), jpeg.length + 3);
  const cut = [jpeg.subarray(0, -2), jpeg.subarray(2), Buffer.concat([jpeg, jpeg])];
  for (const one of [...cut, Buffer.from(`${marks}03ff00ffd0ffd9`, 'hex')])
    assert.throws(() => endOf(one, wide), { name: 'Unclear' });
  assert.throws(() => endOf(jpeg, [filter('DCT')]), { name: 'Unclear' });
});

test('LZW ends at its mark, with codes that grow in either way', () => {
  for (const early of [1, 0]) {
    let packed = (256).toString(2);
    for (let next = 258; next < 1500; next++) {
      const width = Math.floor(Math.log2(next - 1 + early)) + 1;
      packed += (next % 250).toString(2).padStart(Math.max(9, next === 258 ? 9 : width), '0');
    }
    packed += (257).toString(2).padStart(11, '0');
    const data = bits(packed);
    const parameters: Operand = { kind: 'D', entries: new Map([['EarlyChange', number(early)]]) };
    assert.equal(endOf(data, [filter('LZW'), ['DP', parameters]]), data.length + 3);
    const other: Operand = { kind: 'D', entries: new Map([['EarlyChange', number(1 - early)]]) };
    assert.throws(() => endOf(data, [filter('LZW'), ['DP', other]]), { name: 'Unclear' });
  }
});

test('a picture by ITU-T T.6 ends behind its rows', () => {
  const end = '000000000001'.repeat(2);
  const parameters = (entries: Record<string, number>): Operand => ({
    kind: 'D',
    entries: new Map(Object.entries(entries).map(([key, value]) => [key, number(value)])),
  });
  const read = (rows: string, entries: Record<string, number> = { K: -1, Columns: 80 }) =>
    endOf(bits(rows), [filter('CCF'), ['W', number(80)], ['H', number(2)], ['DP', parameters(entries)]]);
  // 70 white and 3 black, then white; below, the end of the black one pixel to the left, and white.
  const rows = `001${'11011'}${'1110'}${'10'}1${'1'}${'010'}1`;
  assert.equal(read(rows + end), Math.ceil((rows + end).length / 8) + 3);
  // The same rows by passing over the black above.
  const passed = `001${'11011'}${'1110'}${'10'}1${'0001'}1`;
  assert.equal(read(passed + end), Math.ceil((passed + end).length / 8) + 3);
  for (const wrong of [
    rows,
    rows.slice(0, -1) + end,
    `${rows}1${end}`,
    `001${'11011'.repeat(2)}${'1110'}${end}`,
  ])
    assert.throws(() => read(wrong), { name: 'Unclear' });
  for (const others of [{ Columns: 80 }, { K: -1, Columns: 81 }, { K: -1, Columns: 80, Rows: 3 }])
    assert.throws(() => read(rows + end, others), { name: 'Unclear' });
});
