import type { Probed } from './mutable.ts';
import { DISTANCES, distanceOf, reachingFiles } from './plan.ts';
import { eachOf } from './processes.ts';
import { findReach } from './reach.ts';
import { type Trial, tryMutant } from './trial.ts';

interface Settings extends Omit<Parameters<typeof findReach>[1], 'isWanted'> {
  /** Leaves out the tests of other domains than that of the mutant. */
  readonly near: boolean;
  /** Of processor time, that a process may use beside what its tests took without a mutant. */
  readonly seconds?: number;
}

/**
 * Tries mutants on the tests beside them, what these do not notice on those of their domains, and the rest on all others. What
 * tests reach is found out only for those that are needed.
 * @param all of which the places of `chosen` are numbered
 * @param done called with the outcome of each
 */
export async function tryNearestFirst(
  chosen: readonly Probed[],
  all: readonly Probed[],
  settings: Settings,
  done: (mutant: Probed, trial: Trial) => void,
): Promise<void> {
  const distances = DISTANCES.filter((distance) => distance < 2 || !settings.near);
  let left = new Map<Probed, Trial>(
    chosen.map((mutant) => [mutant, { outcome: 'not reached', reaching: [], tried: [] }]),
  );
  for (const distance of distances) {
    const wanted = [...left.keys()];
    const reach = await findReach(all, {
      ...settings,
      fresh: settings.fresh && distance === 0,
      isWanted: (file) => wanted.some((mutant) => distanceOf(mutant, file) === distance),
    });
    const next = new Map<Probed, Trial>();
    await eachOf([...left], settings.jobs, async ([mutant, before]) => {
      const files = reachingFiles(mutant, all.indexOf(mutant), reach).filter(
        (file) => file.distance === distance,
      );
      const trial = after(before, await tryMutant(mutant, files, { ...settings, reach }));
      if (trial.outcome === 'noticed' || distance === distances.at(-1)) done(mutant, trial);
      else next.set(mutant, trial);
    });
    left = next;
  }
}

function after(before: Trial, now: Trial): Trial {
  return {
    ...now,
    outcome: now.outcome === 'not reached' ? before.outcome : now.outcome,
    reaching: [...before.reaching, ...now.reaching],
    tried: [...before.tried, ...now.tried],
  };
}
