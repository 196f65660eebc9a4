import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { readConfig as ReadConfig, serve as Serve } from '@symbolon/server';
import type { LoopDelay } from '../platform.ts';
import { answering, childEnvironment } from './answering.ts';

/*
 * The platform as `symbolon serve` runs it, of this tree or of another one (BENCH_SOURCE), with the delay of its event loop
 * since the last question.
 */
const source = childEnvironment().BENCH_SOURCE;
const server = source === undefined ? '@symbolon/server' : `${source}/packages/server/src/index.ts`;
const { readConfig, serve } = (await import(server)) as {
  readConfig: typeof ReadConfig;
  serve: typeof Serve;
};

const RESOLUTION_MS = 2;
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();
const platform = await serve(readConfig(childEnvironment()));

/** The most processor time that one turn of the loop took: what other programs on the machine take is not in it. */
let longestTurn = 0;
let before = threadTime();
setInterval(() => {
  const now = threadTime();
  longestTurn = Math.max(longestTurn, now - before);
  before = now;
}, RESOLUTION_MS).unref();

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

answering(platform.url, {
  answer: async (): Promise<LoopDelay> => {
    // The turn that is counted last is over; the histogram counts from one of its ticks to the next.
    await sleep(2 * RESOLUTION_MS);
    const delay = { ms: Math.max(0, histogram.max / 1e6 - RESOLUTION_MS), cpuMs: longestTurn };
    histogram.reset();
    // It counts from its second tick after that: callers begin only then.
    await sleep(5 * RESOLUTION_MS);
    longestTurn = 0;
    before = threadTime();
    return delay;
  },
  stop: () => platform.stop(),
});
