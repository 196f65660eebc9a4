import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Begins the line by which a process tells that it stood still, before the milliseconds. */
export const STALLED = 'stalled ';
/** Begins the line by which a process tells how long a transaction took. */
export const SLOW_DATABASE = 'slow database ';

const LOOK_MS = 50;
/** A third of the time in which an answer must come in the tests of faults: less cannot break an exchange. */
const STALL_MS = 500;

/**
 * Tells when this process stood still: a machine that has too much to do looks from inside like a peer that is slow. The
 * function it gives ends that.
 * @param report how long it was, just now
 */
export function watchStalls(report: (ms: number) => void): () => void {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - last > LOOK_MS + STALL_MS) report(now - last);
    last = now;
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const ASK_MS = 100;
/** Two of these and the pauses around them fit into the time for which a lease that was renewed is good there. */
const SLOW_MS = 300;

/**
 * Tells when a transaction of this process took long, by a connection of its own: a machine that has too much to do slows
 * each step of it, though the process never stands still. Leases that cannot be renewed in time pass to other processes.
 * The function it gives ends that.
 * @param report how long it was, just now
 */
export function watchDatabase(url: string, report: (ms: number) => void): () => Promise<void> {
  const stopping = new AbortController();
  const watched = (async () => {
    while (!stopping.signal.aborted)
      await askAgainAndAgain(url, report, stopping.signal).catch(() => pause(ASK_MS));
  })();
  return async () => {
    stopping.abort();
    await watched;
  };
}

/** Until it is stopped, or the database is gone. */
async function askAgainAndAgain(
  url: string,
  report: (ms: number) => void,
  stopping: AbortSignal,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // The statement in hand fails too.
  client.on('error', () => {});
  try {
    await client.connect();
    while (!stopping.aborted) {
      const began = performance.now();
      // As many steps as the renewal of a lease has.
      for (const step of ['begin', 'select pg_current_xact_id()', 'commit']) await client.query(step);
      const ms = performance.now() - began;
      if (ms > SLOW_MS) report(ms);
      await pause(ASK_MS);
    }
  } finally {
    await client.end().catch(() => {});
  }
}
