/** a b c d e f, as a PDF writes it. */
export type Matrix = readonly [number, number, number, number, number, number];
export type Point = readonly [number, number];
export type Segment = readonly [number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export function multiply(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [g, h, i, j, k, l] = outer;
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): Point {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** How far along the ray a segment crosses it; undefined where it does not. @param along of length one */
export function crossing(origin: Point, along: Point, [x1, y1, x2, y2]: Segment): number | undefined {
  const [ux, uy] = along;
  const side1 = (x1 - origin[0]) * -uy + (y1 - origin[1]) * ux;
  const side2 = (x2 - origin[0]) * -uy + (y2 - origin[1]) * ux;
  if (side1 === side2 || side1 > 0 === side2 > 0) return undefined;
  const part = side1 / (side1 - side2);
  const x = x1 + (x2 - x1) * part - origin[0];
  const y = y1 + (y2 - y1) * part - origin[1];
  return x * ux + y * uy;
}
