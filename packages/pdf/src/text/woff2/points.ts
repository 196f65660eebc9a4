import type { Cursor, Sink } from './cursor.ts';

/** The steps from point to point of a glyph. */
export interface Points {
  readonly onCurve: Uint8Array;
  readonly dx: Int16Array;
  readonly dy: Int16Array;
}

/** Of a step in one direction, in the flag of a point: one byte long; none, or upwards where it is one byte long. */
const X = { short: 0x02, same: 0x10 };
const Y = { short: 0x04, same: 0x20 };
const REPEATED = 0x08;
const MOST_REPEATED = 255;

/** Reads the points of one glyph (WOFF2 section 5.2). */
export function readPoints(count: number, flags: Cursor, data: Cursor): Points {
  const points = { onCurve: new Uint8Array(count), dx: new Int16Array(count), dy: new Int16Array(count) };
  for (let index = 0; index < count; index++) {
    const flag = flags.u8();
    points.onCurve[index] = flag < 0x80 ? 1 : 0;
    readStep(points, index, flag & 0x7f, data);
  }
  return points;
}

function readStep({ dx, dy }: Points, index: number, kind: number, data: Cursor): void {
  const right = kind & 1 ? 1 : -1;
  const up = kind & 2 ? 1 : -1;
  const first = data.u8();
  if (kind < 10) dy[index] = right * (((kind & 14) << 7) + first);
  else if (kind < 20) dx[index] = right * ((((kind - 10) & 14) << 7) + first);
  else if (kind < 84) {
    dx[index] = right * (1 + ((kind - 20) & 0x30) + (first >> 4));
    dy[index] = up * (1 + (((kind - 20) & 0x0c) << 2) + (first & 0x0f));
  } else if (kind < 120) {
    dx[index] = right * (1 + (Math.floor((kind - 84) / 12) << 8) + first);
    dy[index] = up * (1 + ((((kind - 84) % 12) >> 2) << 8) + data.u8());
  } else if (kind < 124) {
    const second = data.u8();
    dx[index] = right * ((first << 4) + (second >> 4));
    dy[index] = up * (((second & 0x0f) << 8) + data.u8());
  } else {
    dx[index] = right * ((first << 8) + data.u8());
    dy[index] = up * data.u16();
  }
}

/** The box that a glyph fills: least x and y, greatest x and y. */
export function boxOf({ dx, dy }: Points): number[] {
  const box = [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number];
  let [x, y] = [0, 0];
  for (const [index, step] of dx.entries()) {
    x += step;
    y += dy[index] ?? 0;
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

/** The flags, then the steps to the side, then those upwards. A flag that comes again is counted, and no step takes no room. */
export function writePoints(glyf: Sink, points: Points): void {
  writeFlags(glyf, points);
  for (const step of points.dx) writeStep(glyf, step);
  for (const step of points.dy) writeStep(glyf, step);
}

function writeFlags(glyf: Sink, { onCurve, dx, dy }: Points): void {
  for (let index = 0; index < onCurve.length; ) {
    const flag = flagAt(index);
    const from = index++;
    while (index < onCurve.length && index - from <= MOST_REPEATED && flagAt(index) === flag) index++;
    const repeated = index - from - 1;
    glyf.u8(repeated > 0 ? flag | REPEATED : flag);
    if (repeated > 0) glyf.u8(repeated);
  }

  function flagAt(index: number): number {
    return (onCurve[index] ?? 0) | flagOf(dx[index] ?? 0, X) | flagOf(dy[index] ?? 0, Y);
  }
}

function flagOf(step: number, { short, same }: typeof X): number {
  if (step === 0) return same;
  if (step <= -0x100 || step >= 0x100) return 0;
  return step > 0 ? short | same : short;
}

function writeStep(glyf: Sink, step: number): void {
  if (step <= -0x100 || step >= 0x100) glyf.u16(step);
  else if (step !== 0) glyf.u8(Math.abs(step));
}
