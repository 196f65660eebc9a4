import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { STOP_MOST_MS } from '@symbolon/testkit/limits';
import { both, type ChaosFault } from './fault.ts';
import { all, startAgain } from './processes.ts';

/** Where Debian's package `faketime` puts its library. */
const LIBRARY = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));

export const clockFaults: readonly ChaosFault[] = [
  {
    name: 'the clock of a process jumps',
    engines: both,
    least: 4,
    missing: () => (LIBRARY === undefined ? 'libfaketime is not installed (Debian: faketime)' : undefined),
    async run(world, random, seconds) {
      const folder = await mkdtemp(join(tmpdir(), 'symbolon-clock-'));
      const file = join(folder, 'offset');
      const process = random.pick(all(world));
      const restart = async (extra: Readonly<Record<string, string>>) => {
        await process.stop(STOP_MOST_MS);
        process.extra = extra;
        await startAgain(process);
      };
      // Times of events are no order any more.
      world.clockJumped = true;
      await writeFile(file, '+0s');
      await restart({
        LD_PRELOAD: LIBRARY ?? '',
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      });
      for (const offset of ['+3600s', '-3600s', '+0s']) {
        await writeFile(file, offset);
        await pause((seconds * 1000) / 3);
      }
      await restart({});
      await rm(folder, { recursive: true, force: true });
    },
  },
];
