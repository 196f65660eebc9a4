import type { Context } from '../context.ts';
import { Worker } from './worker.ts';

const SWEEP_PAUSE_MS = 10 * 60_000;

/** The work that goes on beside requests, not yet started. */
export function createWorkers({
  changePurge,
  staleQueues,
  portal,
  verification,
  timers,
  log,
}: Context): Worker[] {
  return [
    new Worker({
      name: 'sweep',
      pauseMs: SWEEP_PAUSE_MS,
      timers,
      log,
      async work(stopping) {
        await portal.dropExpiredSessions();
        await verification.dropExpiredCodes();
        await changePurge.run(stopping);
        await staleQueues.run(stopping);
      },
    }),
  ];
}
