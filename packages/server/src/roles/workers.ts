import type { Context } from '../context.ts';
import { Worker } from '../core/worker.ts';
import type { Name } from '../domains/regions/directory/directory.ts';

const SWEEP_PAUSE_MS = 10 * 60_000;
/** Whoever asked for a move waits for it to begin, and a company that is held for it to end. */
const MOVES_PAUSE_MS = 1000;
const CLAIMS_PAUSE_MS = 60_000;

/** The work that goes on beside requests, not yet started. */
export function createWorkers(context: Context): Worker[] {
  const { maintenance, timers, log, introductions, nameIntroductions, companyMoves } = context;
  return [
    ...(companyMoves === undefined
      ? []
      : [
          new Worker({
            name: 'moves',
            pauseMs: MOVES_PAUSE_MS,
            timers,
            log,
            async work(stopping) {
              if (!maintenance.holding) await companyMoves.departures.run(stopping);
            },
          }),
        ]),
    ...(introductions === undefined
      ? []
      : [
          new Worker({
            name: 'introductions',
            pauseMs: SWEEP_PAUSE_MS,
            timers,
            log,
            async work(stopping) {
              await nameIntroductions.run(stopping);
              await introductions.run(stopping);
            },
          }),
        ]),
    new Worker({
      name: 'sweep',
      pauseMs: SWEEP_PAUSE_MS,
      timers,
      log,
      async work(stopping) {
        // What cannot be saved is swept next time.
        if (!maintenance.holding) await sweep(context, stopping);
      },
    }),
  ];
}

/** What goes on beside requests at the front door. */
export function createFrontDoorWorkers({
  directoryService,
  peers,
  timers,
  log,
}: Pick<Context, 'directoryService' | 'peers' | 'timers' | 'log'>): Worker[] {
  if (directoryService === undefined || peers === undefined) return [];
  return [
    new Worker({
      name: 'claims',
      pauseMs: CLAIMS_PAUSE_MS,
      timers,
      log,
      work: () =>
        directoryService.settleClaims(async (region, owner, names) => {
          const path = '/internal/names/held';
          const { held } = await peers.ask<{ held: Name[] }>(
            { region },
            { method: 'POST', path, body: { owner, names } },
          );
          return held;
        }),
    }),
  ];
}

/** Deletes what has outlived its time, and tells who is to be told; gives how many rows of the feed went. */
export async function sweep(
  {
    changePurge,
    staleQueues,
    blobs,
    portal,
    accountDeletion,
    verification,
    moves,
    slotCheck,
    companyMoves,
  }: Context,
  stopping: AbortSignal = new AbortController().signal,
): Promise<number> {
  await portal.dropExpired();
  await verification.dropExpiredCodes();
  await moves.dropExpired();
  const rows = await changePurge.run(stopping);
  await staleQueues.run(stopping);
  await accountDeletion.run(stopping);
  await blobs.sweep(stopping);
  // Last: these ask other regions.
  await slotCheck.run(stopping);
  await companyMoves?.arrivals.sweep();
  await companyMoves?.holds.tidy();
  return rows;
}
