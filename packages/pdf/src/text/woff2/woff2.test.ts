import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { type FontName, piecesOf } from '@symbolon/fonts';
import { someOf } from '@symbolon/testkit/thoroughness';
import { Blob, Face, Font } from 'harfbuzzjs';
import { fontOfWoff2 } from './font.ts';

const NAMES = [
  'noto-sans',
  'noto-sans-arabic',
  'noto-sans-khmer',
  'noto-sans-jp',
] as const satisfies FontName[];

/** Each form of a step (WOFF2 section 5.2, table of triplets), with the flag, the data and the step that it stands for. */
const STEPS: [number, number[], [number, number]][] = [
  [1, [10], [0, 10]],
  [2, [4], [0, -260]],
  [11, [7], [7, 0]],
  [12, [7], [-263, 0]],
  [20, [0x23], [-3, -4]],
  [83, [0x23], [51, 52]],
  [84, [9, 9], [-10, -10]],
  [119, [9, 9], [522, 522]],
  [120, [0x12, 0x34, 0x56], [-0x123, -0x456]],
  [127, [1, 0, 2, 0], [256, 512]],
  ...Array.from({ length: 300 }, (): [number, number[], [number, number]] => [11, [1], [1, 0]]),
];

const BOX = '0001000200030004';
/** The first with words and a scale, the second with bytes and a matrix; both with instructions. */
const COMPONENTS = '012900000005fffb4000' + '018000010102' + '4000000000004000';

test('outlines are written with the points that the file tells, and with their box', () => {
  const { glyf, loca } = tablesOf(fontOfWoff2(woff2(transformed())));
  const [end, flagsAt] = [glyf.readUInt16BE(10), 14];
  assert.equal(end, STEPS.length - 1);
  const { steps, box, at } = pointsOf(glyf, flagsAt, STEPS.length);
  assert.deepEqual(
    steps,
    STEPS.map(([, , step]) => step),
  );
  assert.deepEqual(
    [2, 4, 6, 8].map((place) => glyf.readInt16BE(place)),
    box,
  );
  // A glyph of others has its box, its components and its instructions; the third one is empty.
  const composite = loca.readUInt16BE(2) * 2;
  assert.equal(composite, at + (-at & 3));
  assert.equal(
    glyf.toString('hex', composite),
    `ffff${BOX}${COMPONENTS}0002b0b1`.padEnd(2 * (glyf.length - composite), '0'),
  );
  assert.deepEqual([loca.readUInt16BE(4), loca.readUInt16BE(6)], [glyf.length / 2, glyf.length / 2]);
});

test('what is no such font, or cut off, is refused', async () => {
  const whole = woff2(transformed());
  assert.throws(() => fontOfWoff2(Buffer.from('wOFF'.padEnd(60))), /no font/);
  for (const length of [10, 47, 50, whole.length - 20])
    assert.throws(() => fontOfWoff2(whole.subarray(0, length)));
});

test('every piece of the fonts that are shipped is read: the shaper finds the characters that it is for', async () => {
  for (const piece of someOf(NAMES.flatMap((name) => piecesOf(name)))) {
    const font = new Font(new Face(new Blob(fontOfWoff2(await readFile(piece.path)))));
    const known = piece.ranges.flatMap(([from, to]) => {
      for (let point = from; point <= to; point++) {
        const glyph = font.nominalGlyph(point);
        if (glyph) return glyph;
      }
      return [];
    });
    assert.ok(known.length > 0, piece.path);
    for (const glyph of known) assert.ok(font.glyphHAdvance(glyph) >= 0);
  }
});

/** A file with a simple glyph of many points, one made of two components, and an empty one. */
function transformed(): Buffer {
  const parts = [
    Buffer.from('0001ffff0000', 'hex'),
    Buffer.from([253, ...[STEPS.length >> 8, STEPS.length & 0xff]]),
    Buffer.from(STEPS.map(([flag]) => flag)),
    Buffer.concat([...STEPS.map(([, data]) => Buffer.from(data)), Buffer.from([0, 2])]),
    Buffer.from(COMPONENTS, 'hex'),
    Buffer.from(`40000000${BOX}`, 'hex'),
    Buffer.from('b0b1', 'hex'),
  ];
  const head = Buffer.alloc(8 + parts.length * 4);
  head.writeUInt16BE(3, 4);
  for (const [index, { length }] of parts.entries()) head.writeUInt32BE(length, 8 + index * 4);
  return Buffer.concat([head, ...parts]);
}

function woff2(glyf: Buffer): Buffer {
  const data = brotliCompressSync(glyf);
  const head = Buffer.alloc(48);
  head.write('wOF2', 'latin1');
  head.writeUInt16BE(2, 12);
  head.writeUInt32BE(data.length, 20);
  const length = [0x80 | (glyf.length >> 7), glyf.length & 0x7f];
  return Buffer.concat([head, Buffer.from([10, 1, ...length, 11, 1, 0]), data]);
}

function tablesOf(font: Uint8Array): { glyf: Buffer; loca: Buffer } {
  const file = Buffer.from(font);
  const [glyf, loca] = [0, 1].map((row) => {
    const at = file.readUInt32BE(12 + row * 16 + 8);
    return file.subarray(at, at + file.readUInt32BE(12 + row * 16 + 12));
  });
  assert.ok(glyf && loca);
  return { glyf, loca };
}

/** Reads a simple glyph as TrueType has it (OpenType, `glyf`). */
function pointsOf(glyf: Buffer, from: number, count: number) {
  const flags: number[] = [];
  let at = from;
  while (flags.length < count) {
    const flag = glyf.readUInt8(at++);
    const times = flag & 8 ? glyf.readUInt8(at++) : 0;
    for (let time = 0; time <= times; time++) flags.push(flag);
  }
  const read = (short: number, same: number) =>
    flags.map((flag) => {
      if (flag & short) return flag & same ? glyf.readUInt8(at++) : -glyf.readUInt8(at++);
      if (flag & same) return 0;
      at += 2;
      return glyf.readInt16BE(at - 2);
    });
  const [dx, dy] = [read(0x02, 0x10), read(0x04, 0x20)];
  const sums = (steps: number[]) => {
    let sum = 0;
    return steps.map((step) => (sum += step));
  };
  const [x, y] = [sums(dx), sums(dy)];
  const box = [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
  return { at, box, steps: dx.map((step, index) => [step, dy[index]]) };
}
