import { Cursor, Sink } from './cursor.ts';
import { boxOf, readPoints, writePoints } from './points.ts';

/** The outlines of the glyphs, and where each begins. */
export interface Outlines {
  readonly glyf: Uint8Array;
  readonly loca: Uint8Array;
}

/** Of a component of a glyph that is made of others (OpenType, `glyf`). */
const COMPONENT = { words: 0x1, scale: 0x8, more: 0x20, twoScales: 0x40, matrix: 0x80, instructions: 0x100 };
const COMPOSITE = 0xffff;

/** The parts of the transformed table, each with one kind of data of all glyphs. */
interface Parts {
  readonly contours: Cursor;
  readonly points: Cursor;
  readonly flags: Cursor;
  readonly steps: Cursor;
  readonly components: Cursor;
  /** A bit for each glyph that tells its box, and the boxes. */
  readonly boxed: Uint8Array;
  readonly boxes: Cursor;
  readonly instructions: Cursor;
}

/** Writes the outlines of all glyphs as TrueType has them (WOFF2 section 5.1). */
export function outlinesOf(transformed: Uint8Array): Outlines {
  const table = new Cursor(transformed);
  table.u16();
  if (table.u16() !== 0) throw new Error('The font has overlaps that are not read here');
  const count = table.u16();
  const isLong = table.u16() === 1;
  const parts = partsOf(table, count);
  const glyf = new Sink(2 * transformed.length);
  const loca = new Sink(4 * (count + 1));
  for (let index = 0; index <= count; index++) {
    if (isLong) loca.u16(glyf.length >>> 16);
    loca.u16(isLong ? glyf.length : glyf.length / 2);
    if (index < count) writeGlyph(glyf, parts, index);
  }
  return { glyf: glyf.bytes, loca: loca.bytes };
}

function partsOf(table: Cursor, count: number): Parts {
  const lengths = Array.from({ length: 7 }, () => table.u32());
  const [contours = 0, points = 0, flags = 0, steps = 0, components = 0, boxes = 0, instructions = 0] =
    lengths;
  const part = (length: number) => new Cursor(table.take(length));
  const bits = 4 * Math.ceil(count / 32);
  return {
    contours: part(contours),
    points: part(points),
    flags: part(flags),
    steps: part(steps),
    components: part(components),
    boxed: table.take(bits),
    boxes: part(boxes - bits),
    instructions: part(instructions),
  };
}

function writeGlyph(glyf: Sink, parts: Parts, index: number): void {
  const contours = parts.contours.u16();
  if (contours === 0) return;
  const isBoxed = (((parts.boxed[index >> 3] ?? 0) << (index & 7)) & 0x80) !== 0;
  const box = isBoxed ? parts.boxes.take(8) : undefined;
  glyf.u16(contours);
  if (contours === COMPOSITE) writeComposite(glyf, parts, box);
  else writeSimple(glyf, parts, contours, box);
  glyf.pad();
}

function writeSimple(glyf: Sink, parts: Parts, contours: number, box: Uint8Array | undefined): void {
  const ends: number[] = [];
  let count = 0;
  while (ends.length < contours) {
    count += parts.points.short();
    ends.push(count - 1);
  }
  const points = readPoints(count, parts.flags, parts.steps);
  if (box) glyf.put(box);
  else for (const side of boxOf(points)) glyf.u16(side);
  for (const end of ends) glyf.u16(end);
  writeInstructions(glyf, parts);
  writePoints(glyf, points);
}

function writeComposite(glyf: Sink, parts: Parts, box: Uint8Array | undefined): void {
  if (!box) throw new Error('The font has a glyph of other glyphs without a box');
  glyf.put(box);
  let all = 0;
  for (let flags: number = COMPONENT.more; flags & COMPONENT.more; all |= flags) {
    flags = parts.components.u16();
    glyf.u16(flags);
    glyf.put(parts.components.take(2 + (flags & COMPONENT.words ? 4 : 2) + transformLength(flags)));
  }
  if (all & COMPONENT.instructions) writeInstructions(glyf, parts);
}

function transformLength(flags: number): number {
  if (flags & COMPONENT.scale) return 2;
  if (flags & COMPONENT.twoScales) return 4;
  return flags & COMPONENT.matrix ? 8 : 0;
}

function writeInstructions(glyf: Sink, { steps, instructions }: Parts): void {
  const length = steps.short();
  glyf.u16(length);
  glyf.put(instructions.take(length));
}
