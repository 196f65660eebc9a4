import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { readConfig as ReadConfig, serve as Serve } from '@symbolon/server';
import { answering } from './answering.ts';

/*
 * The platform as `symbolon serve` runs it, of this tree or of another one (BENCH_SOURCE), with the delay of its event loop
 * since the last question.
 */
const source = process.env.BENCH_SOURCE;
const server = source === undefined ? '@symbolon/server' : `${source}/packages/server/src/index.ts`;
const { readConfig, serve } = (await import(server)) as {
  readConfig: typeof ReadConfig;
  serve: typeof Serve;
};

const RESOLUTION_MS = 2;
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();
const platform = await serve(readConfig(process.env));
answering(platform.url, {
  answer: async () => {
    // The histogram counts from one of its ticks to the next.
    const longest = Math.max(0, histogram.max / 1e6 - RESOLUTION_MS);
    histogram.reset();
    // It counts from its first tick after that: whoever asked begins only then.
    await sleep(5 * RESOLUTION_MS);
    return longest;
  },
  stop: () => platform.stop(),
});
