import type { TimedCall } from './calls.ts';
import type { Act } from './day.ts';

/** Counters that only grow, by name. */
export type Counters = Readonly<Record<string, number>>;

/**
 * Does an act so often.
 *
 * @param send makes calls and gives the bodies of their answers, in the order of the calls
 * @param read the counters
 * @returns how much they grew in the steps that are the act itself
 */
export async function metered(
  act: Act,
  count: number,
  send: (calls: readonly TimedCall[]) => Promise<readonly string[]>,
  read: () => Promise<Counters>,
): Promise<Counters> {
  await act.prepare?.(count);
  const grown: Record<string, number> = {};
  const steps = act.steps(count);
  try {
    let step = await steps.next();
    while (!step.done) {
      const { calls, prepares = false } = step.value;
      const before = prepares ? {} : await read();
      const bodies = await send(calls);
      const after = prepares ? {} : await read();
      for (const [name, value] of Object.entries(after))
        grown[name] = (grown[name] ?? 0) + value - (before[name] ?? 0);
      step = await steps.next(bodies.map((text) => (text === '' ? undefined : JSON.parse(text))));
    }
  } finally {
    await steps.return();
  }
  return grown;
}
