import { int32 } from './numbers.ts';

/*
 * Small colour profiles, made by hand (ICC.1).
 */

type Part = readonly [name: string, data: Buffer];

/** @param colours of its colours, and of what it tells them by: four letters each */
export function profile(colours: string, between: string, parts: readonly Part[]): Buffer {
  const head = Buffer.alloc(132 + 12 * parts.length);
  head.write(`${colours}${between}`, 16, 'latin1');
  head.write('acsp', 36, 'latin1');
  head.writeUInt32BE(parts.length, 128);
  let at = head.length;
  for (const [index, [name, data]] of parts.entries()) {
    head.write(name, 132 + 12 * index, 'latin1');
    head.writeUInt32BE(at, 136 + 12 * index);
    head.writeUInt32BE(data.length, 140 + 12 * index);
    at += data.length;
  }
  return Buffer.concat([head, ...parts.map(([, data]) => data)]);
}

/** A curve by points from 0 to 65,535; one alone is a power in parts of 256. */
export const curve = (...points: readonly number[]): Buffer =>
  padded(Buffer.concat([kind('curv'), int32(points.length), ...points.map(short)]));

/** A curve by a formula. @param form its number */
export const formula = (form: number, ...numbers: readonly number[]): Buffer =>
  Buffer.concat([kind('para'), short(form), short(0), ...numbers.map(fixed)]);

/** How much light a colour gives, of 1. */
export const lights = (value: number): Buffer =>
  Buffer.concat([kind('XYZ '), fixed(0), fixed(value), fixed(0)]);

/** A table of bytes, with curves that change nothing. @param light of each of its colours, from 0 to 255, the last number the fastest */
export function table(inputs: number, grid: number, light: readonly number[]): Buffer {
  const plain = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  return Buffer.concat([
    ...[kind('mft1'), Buffer.of(inputs, 3, grid, 0), Buffer.alloc(36)],
    ...Array.from({ length: inputs }, () => plain),
    ...light.map((value) => Buffer.of(value, 128, 128)),
    ...[plain, plain, plain],
  ]);
}

/** A table in parts: with curves before it and behind it. @param first of each number before, @param last of how light it is */
export function tableInParts(
  inputs: number,
  grid: number,
  light: readonly number[],
  { first = curve(), last = curve() } = {},
): Buffer {
  const before = Buffer.concat(Array.from({ length: inputs }, () => first));
  const behind = Buffer.concat([last, curve(), curve()]);
  const sizes = Buffer.alloc(16);
  sizes.fill(grid, 0, inputs);
  const colours = padded(
    Buffer.concat([sizes, Buffer.of(1, 0, 0, 0), ...light.map((value) => Buffer.of(value, 128, 128))]),
  );
  const start = 32;
  return Buffer.concat([
    ...[kind('mAB '), Buffer.of(inputs, 3, 0, 0), int32(start), int32(0), int32(0)],
    ...[int32(start + behind.length), int32(start + behind.length + colours.length), behind, colours, before],
  ]);
}

const kind = (name: string) => Buffer.from(`${name}\0\0\0\0`, 'latin1');
const padded = (data: Buffer) => Buffer.concat([data, Buffer.alloc(-data.length & 3)]);

const short = (value: number) => Buffer.of(value >> 8, value & 0xff);
const fixed = (value: number) => int32(Math.round(value * 65_536));
