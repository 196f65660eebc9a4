import { Worker } from '../core/worker.ts';
import type { Core, Sweep } from '../domains/domain.ts';

const PAUSE_MS = 10 * 60_000;

/** Runs sweeps one after the other; returns what each returned, by its name. */
export async function sweepAll(
  sweeps: readonly Sweep[],
  stopping: AbortSignal = new AbortController().signal,
): Promise<Map<string, unknown>> {
  const results = new Map<string, unknown>();
  for (const sweep of sweeps) results.set(sweep.name, await sweep.run(stopping));
  return results;
}

/** Sweeps again and again; what cannot be saved now is swept next time. */
export function sweepWorker(
  core: Core,
  { maintenance }: { maintenance: { readonly workPaused: boolean } },
  sweeps: readonly Sweep[],
): Worker {
  return new Worker({
    ...core,
    name: 'sweep',
    pauseMs: PAUSE_MS,
    async work(stopping) {
      if (!maintenance.workPaused) await sweepAll(sweeps, stopping);
    },
  });
}
