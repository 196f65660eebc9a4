/** The smallest setting: each benchmark shows that it starts, measures and prints, and its figures mean nothing. */
export const SMALL = process.argv.includes('--small');

/** A number of a benchmark's setting: as it measures, and the least with which it still runs. */
export function sized<Setting>(usual: Setting, small: Setting): Setting {
  return SMALL ? small : usual;
}

/** Rounds of a benchmark. */
export function rounds(usual: number): number {
  return Number(process.env.BENCH_ROUNDS ?? sized(usual, 1));
}

/** Rounds before those, which are thrown away. */
export function warmUps(usual: number): number {
  return sized(usual, 0);
}
