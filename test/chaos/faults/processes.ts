import { setTimeout as pause } from 'node:timers/promises';
import { ENDED_MS, START_MOST_MS, STOP_MOST_MS } from '@symbolon/testkit/limits';
import type { PlatformProcess } from '@symbolon/testkit/platform/process';
import type { World } from '../world.ts';
import { both, type ChaosFault } from './fault.ts';

const START_ATTEMPTS = 20;

/** Until it serves: a start that fails while something is away is tried again, as a supervisor would. */
export async function startAgain(process: PlatformProcess): Promise<void> {
  for (let attempt = 1; !process.running; attempt++) {
    const impatience = setTimeout(() => void process.kill(), START_MOST_MS);
    const served = await process.tryToStart().finally(() => clearTimeout(impatience));
    if (served) return;
    if (attempt === START_ATTEMPTS)
      throw new Error(`${process.name} does not start: ${process.endings.at(-1)}`);
    await pause(500);
  }
}

export const all = ({ installation: { servers, others } }: World) =>
  [...servers, ...others].map(({ process }) => process);

export const calm: ChaosFault = {
  name: 'calm',
  engines: both,
  harmless: true,
  run: (_world, _random, seconds) => pause(seconds * 1000),
};

export const killed: ChaosFault = {
  name: 'processes are killed',
  engines: both,
  async run(world, random, seconds) {
    const end = performance.now() + seconds * 1000;
    do {
      const process = random.pick(all(world));
      await pause(random.whole(100, 900));
      await process.kill();
      await pause(random.whole(0, 300));
      await startAgain(process);
    } while (performance.now() < end);
  },
};

export const processFaults: readonly ChaosFault[] = [
  calm,
  killed,
  {
    name: 'processes are killed while they start',
    engines: both,
    async run(world, random, seconds) {
      const end = performance.now() + seconds * 1000;
      const process = random.pick(all(world));
      await process.kill();
      do {
        const started = process.tryToStart();
        await pause(random.whole(100, 2500));
        await process.kill();
        await started;
      } while (performance.now() < end);
      await startAgain(process);
    },
  },
  {
    name: 'processes are stopped in order',
    engines: both,
    async run(world, random, seconds) {
      const end = performance.now() + seconds * 1000;
      do {
        const process = random.pick(all(world));
        await pause(random.whole(300, 1000));
        if (!(await process.stop(STOP_MOST_MS))) {
          world.seen.push({ kind: 'wrong', text: `${process.name} did not end within 30 s of SIGTERM` });
        }
        await startAgain(process);
      } while (performance.now() < end);
    },
  },
  {
    name: 'processes are frozen',
    engines: both,
    freezes: true,
    least: 4,
    async run(world, random, seconds) {
      const process = random.pick(all(world));
      process.freeze();
      await pause(seconds * 1000);
      process.thaw();
    },
  },
  {
    name: 'a host vanishes in the middle of its transactions',
    engines: ['postgres'],
    freezes: true,
    least: 12,
    async run(world, random, seconds) {
      const lost = random.pick(world.installation.servers);
      // No end of a connection gets through: the database does not learn of it.
      lost.toDatabase?.stall();
      lost.toDatabase?.silence();
      lost.process.freeze();
      const from = performance.now();
      const other = world.installation.servers.findIndex((server) => server !== lost);
      await pause(seconds * 1000);
      const saved = world.acknowledged.filter(({ at, server }) => server === other && at > from + ENDED_MS);
      if (saved.length === 0) {
        const text = `nothing was saved by the server that is well, from ${ENDED_MS} ms on`;
        world.seen.push({ kind: 'wrong', text });
      }
      await lost.process.kill();
      lost.toDatabase?.pass();
      await startAgain(lost.process);
    },
  },
];
