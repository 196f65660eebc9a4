import type { Runtime } from '../http/runtime.ts';

/** A clock that moves only when the code sleeps or a test calls `pass`; sleeping returns at once. */
export function fakeClock(start = Date.parse('2026-01-31T09:30:00.000Z')) {
  let now = start;
  const slept: number[] = [];
  const runtime: Partial<Runtime> = {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
    random: () => 0,
  };
  return {
    runtime,
    slept,
    pass: (ms: number) => {
      now += ms;
    },
  };
}
