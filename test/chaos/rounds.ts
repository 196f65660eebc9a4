import type { Random } from '@symbolon/testkit/platform/random';
import type { Engine } from '../../packages/server/src/db/database.ts';
import type { ChaosFault } from './faults/fault.ts';
import { type Round, runRound } from './runner.ts';
import type { Setting } from './support/installation.ts';
import { World } from './world.ts';

interface Rounds {
  readonly engine: Engine;
  readonly setting: Setting;
  readonly faults: readonly ChaosFault[];
  readonly random: Random;
  /** How long a fault lasts. */
  readonly seconds: number;
  /** From then on no round is begun but the first one, by `performance.now()`: the world alone may take as long. */
  readonly until: number;
  /** The faults again and again, all of them at least once; else each of them once. */
  readonly repeats?: boolean;
  readonly ended: (round: Round) => void;
  /** What the platform has logged is printed at the end. */
  readonly logged?: (line: string) => void;
  /** Why some faults cannot be made on this machine. */
  readonly missing?: (reason: string) => void;
}

/** One world with one fault after the other. */
export async function runRounds(rounds: Rounds): Promise<void> {
  const { engine, setting, faults, random, seconds, until, repeats = false } = rounds;
  const world = await World.create(engine, random.fork(), setting);
  // Disks would stay mounted and processes running otherwise.
  const interrupted = () => void world.end().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  try {
    for (const reason of world.installation.missing) rounds.missing?.(reason);
    do {
      for (const [place, fault] of faults.entries()) {
        if (!repeats && place > 0 && performance.now() > until) return;
        rounds.ended(await runRound(world, fault, random.fork(), seconds));
      }
    } while (repeats && performance.now() < until);
  } finally {
    if (rounds.logged !== undefined) {
      for (const { process: one } of [...world.installation.servers, ...world.installation.others]) {
        for (const line of one.lines) rounds.logged(line);
      }
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
    await world.end();
  }
}
