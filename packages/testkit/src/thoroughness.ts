/** The size of the run: `all` repeats at length what a usual run tries on fewer examples (docs/testing.md). */
export const SIZE_VARIABLE = 'SYMBOLON_TEST_SIZE';

export const isAtLength = process.env[SIZE_VARIABLE] === 'all';

/** @returns how often something is tried: less in a usual run */
export const rounds = (usual: number, atLength: number): number => (isAtLength ? atLength : usual);

/**
 * Every third of some examples in a usual run, all of them at length.
 *
 * @param turn with which of them to begin: whoever counts on tries every example somewhere
 */
export function someOf<T>(examples: readonly T[], turn = 0): readonly T[] {
  return isAtLength ? examples : examples.filter((_, index) => (index + turn) % 3 === 0);
}
