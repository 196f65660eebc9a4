import { Worker } from '../core/worker.ts';
import type { Core, Sweep } from '../domains/domain.ts';

const PAUSE_MS = 10 * 60_000;

/**
 * Runs sweeps one after the other. One that fails is logged, unless what it needs is away, and the others run all the same.
 * @returns what each returned, by its name, and the first failure
 */
export async function sweepAll(
  sweeps: readonly Sweep[],
  { log, availability }: Pick<Core, 'log' | 'availability'>,
  stopping: AbortSignal = new AbortController().signal,
): Promise<{ results: Map<string, unknown>; failure?: unknown }> {
  const results = new Map<string, unknown>();
  const failures: unknown[] = [];
  for (const sweep of sweeps) {
    if (stopping.aborted) break;
    try {
      results.set(sweep.name, await sweep.run(stopping));
    } catch (error) {
      failures.push(error);
      if (availability.explains(error)) continue;
      log.error({ err: error, sweep: sweep.name }, 'a sweep failed; it runs again later');
    }
  }
  return { results, ...(failures.length === 0 ? {} : { failure: failures[0] }) };
}

/** Deletes at once what has outlived its time. @returns how many rows of change feeds @throws what the first sweep that failed throws */
export async function purge(
  core: Pick<Core, 'log' | 'availability'>,
  sweeps: readonly Sweep[],
): Promise<number> {
  const { results, failure } = await sweepAll(sweeps, core);
  if (failure !== undefined) throw failure;
  return Number(results.get('changes'));
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
      if (!maintenance.workPaused) await sweepAll(sweeps, core, stopping);
    },
  });
}
