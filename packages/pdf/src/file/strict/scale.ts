/** How many points a unit has, in the directions in which it has the fewest and the most. */
export type Scale = readonly [least: number, most: number];

/** The part of a matrix that does not move. */
type Turn = readonly number[];

/** Of a scale, as a power of two: none that is smaller or larger makes a difference. */
const FARTHEST = 16;

/** How many times as long a unit becomes, of the two the one that becomes longer. */
export const mostScale = ([a = 1, b = 0, c = 0, d = 1]: Turn): number =>
  Math.max(Math.hypot(a, b), Math.hypot(c, d));

/** A scale behind a matrix. */
export function scaled([least, most]: Scale, matrix: Turn): Scale {
  const [a = 1, b = 0, c = 0, d = 1] = matrix;
  const longer = mostScale(matrix);
  return [longer === 0 ? 0 : (least * Math.abs(a * d - b * c)) / longer, most * longer];
}

/** Close enough, and few enough for forms to be read once for each. */
export const nearlyAs = ([least, most]: Scale): Scale => [powerOfTwo(least), powerOfTwo(most)];

const powerOfTwo = (scale: number) =>
  2 ** Math.max(-FARTHEST, Math.min(FARTHEST, Math.round(Math.log2(scale))));
