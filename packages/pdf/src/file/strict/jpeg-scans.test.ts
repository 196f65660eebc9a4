import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unclear } from '../raw/tokens.ts';
import { checkScans } from './jpeg-scans.ts';

const segment = (mark: number, ...bytes: readonly number[]) => [0xff, mark, 0, bytes.length + 2, ...bytes];
/** Of one code, 0, for a block that is even. */
const codes = [0, 16].flatMap((kind) => segment(0xc4, kind, 1, ...new Array<number>(16).fill(0)));
/** Sixteen by sixteen dots: four blocks of one colour, or four and two behind each other. */
const jpeg = (
  frame: number,
  colours: readonly number[],
  scans: readonly (readonly number[])[],
  restart = 0,
) =>
  Uint8Array.from([
    ...[0xff, 0xd8, ...codes, ...segment(0xdd, 0, restart)],
    ...segment(frame, 8, 0, 16, 0, 16, colours.length, ...colours.flatMap((sides, id) => [id, sides, 0])),
    ...scans.flat(),
    ...[0xff, 0xd9],
  ]);
const scan = (ids: readonly number[], last: number, ...rows: readonly number[]) => [
  ...segment(0xda, ids.length, ...ids.flatMap((id) => [id, 0]), 0, last, 0),
  ...rows,
];

test('the codes of a picture are walked over in each way in which they stand', () => {
  const whole = [
    jpeg(0xc0, [0x11], [scan([0], 63, 0)]),
    jpeg(0xc0, [0x22, 0x11, 0x11], [scan([0, 1, 2], 63, 0, 15)]),
    jpeg(0xc0, [0x22, 0x11], [scan([0], 63, 0), scan([1], 63, 63)]),
    jpeg(0xc0, [0x11], [scan([0], 63, 15, 0xff, 0xd0, 15)], 2),
    jpeg(0xc2, [0x11], [scan([0], 0, 15)]),
  ];
  for (const [index, data] of whole.entries()) assert.doesNotThrow(() => checkScans(data), `${index}`);
});

test('codes that are missing are found', () => {
  const cut = [
    jpeg(0xc0, [0x11], [scan([0], 63)]),
    jpeg(0xc0, [0x22, 0x11, 0x11], [scan([0, 1, 2], 63, 0)]),
    jpeg(0xc0, [0x22, 0x11], [scan([0], 63, 0)]),
    jpeg(0xc0, [0x11], [scan([0], 63, 15)], 2),
    jpeg(0xc0, [0x11], [scan([0], 63, 15, 0xff, 0xd1, 15)], 2),
    jpeg(0xc0, [0x11], [scan([0], 63, 0x80)]),
    jpeg(0xc2, [0x11], [scan([0], 0)]),
    jpeg(0xc0, [0x11], []),
    jpeg(0xc0, [0x11], [scan([], 63, 0)]),
  ];
  for (const [index, data] of cut.entries()) assert.throws(() => checkScans(data), Unclear, `${index}`);
});
