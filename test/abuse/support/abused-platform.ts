import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Callable } from '@symbolon/testkit/platform/calls';
import { openPlace } from '@symbolon/testkit/platform/places';
import type { TestEnvironment } from '@symbolon/testkit/platform/platform';
import { PlatformProcess, processScript } from '@symbolon/testkit/platform/process';

/** What an attack did to others. */
export interface Harm {
  /**
   * The longest time for which work held the platform's thread, in milliseconds of processor time of a usual machine: on one whose memory is
   * slower, as that of some virtual machines is by the time, as many fewer.
   */
  readonly heldMs: number;
  /** How long an honest client waited for each answer meanwhile, in milliseconds. */
  readonly waitsMs: readonly number[];
  /** Memory of the platform's process at the end. */
  readonly rss: number;
}

/** A platform in a process of its own, so that the attacker's work is not taken for the platform's. */
export interface AbusedPlatform extends Callable {
  /** Runs an attack while an honest client asks for `GET /api/health` again and again. */
  during<T>(attack: () => Promise<T>): Promise<Harm & { readonly result: T }>;
  end(): Promise<void>;
}

export async function startAbused(environment: TestEnvironment = {}): Promise<AbusedPlatform> {
  const place = await openPlace('sqlite');
  const script = processScript('measured');
  const platform = await PlatformProcess.create({ ...place.environment, ...environment }, { script });
  await platform.start();
  /** Since it was asked last. */
  const harm = () =>
    new Promise<Pick<Harm, 'heldMs' | 'rss'>>((resolve) => {
      platform.hears.set('held ', (told) => {
        const [heldMs = 0, rss = 0] = told.split(' ').map(Number);
        resolve({ heldMs, rss });
      });
      platform.signal('SIGWINCH');
    });
  return Object.assign(platform, {
    async during<T>(attack: () => Promise<T>) {
      await harm();
      const honest = honestClient(platform.url);
      try {
        const result = await attack();
        const waitsMs = await honest.stop();
        const { heldMs, rss } = await harm();
        return { result, waitsMs, heldMs: heldMs / slowness(), rss };
      } finally {
        await honest.stop();
      }
    },
    async end() {
      await platform.stop();
      await place[Symbol.asyncDispose]();
    },
  });
}

const FRESH_BYTES = 8 * 2 ** 20;
/** What a usual machine takes at most to fill so many bytes for the first time. */
const USUAL_MS = 5;

/** How many times longer this machine takes just now for memory that it has not used yet; 1 on a usual one. */
function slowness(): number {
  // All are kept until the end, so that each is new.
  const fills = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    const bytes = Buffer.alloc(FRESH_BYTES, 1);
    const { user, system } = process.cpuUsage(before);
    return { bytes, ms: (user + system) / 1000 };
  });
  return Math.max(1, Math.max(...fills.map(({ ms }) => ms)) / USUAL_MS);
}

/** Asks for the health of the platform over one connection until it is stopped; each refusal is an error. */
function honestClient(url: string): { stop(): Promise<number[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const waitsMs: number[] = [];
  let isStopping = false;
  const asking = (async () => {
    do {
      const start = performance.now();
      await new Promise<void>((resolve, reject) => {
        request(`${url}/api/health`, { agent }, (response) => {
          if (response.statusCode !== 200) reject(new Error(`GET /api/health: ${response.statusCode}`));
          response.resume().once('end', resolve);
        })
          .once('error', reject)
          .end();
      });
      waitsMs.push(performance.now() - start);
    } while (!isStopping);
  })();
  asking.catch(() => {});
  return {
    async stop() {
      isStopping = true;
      await asking;
      agent.destroy();
      return waitsMs;
    },
  };
}

/** How often an attack is tried that seems to hold the thread for too long. */
const ATTEMPTS = 8;
/** Before the next one: a machine is slow for some seconds at a time. */
const PAUSE_MS = 1_000;

/**
 * Tries an attack again whose measure is above its bound: cores that others use are slow now and then, and what the platform itself
 * holds its thread for shows each time.
 */
export async function calmest<T extends { heldMs: number }>(
  mostMs: number,
  attack: () => Promise<T>,
): Promise<T> {
  let least = await attack();
  for (let attempt = 2; least.heldMs > mostMs && attempt <= ATTEMPTS; attempt++) {
    await setTimeout(PAUSE_MS);
    const seen = await attack();
    if (seen.heldMs < least.heldMs) least = seen;
  }
  return least;
}

/** The greatest of many numbers. */
export const greatest = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 0);

/** Resolves once so many of the connections are closed. */
export async function closed(sockets: readonly Socket[], count: number): Promise<void> {
  let missing = count - sockets.filter((socket) => socket.closed).length;
  if (missing <= 0) return;
  await new Promise<void>((resolve) => {
    for (const socket of sockets) {
      socket.once('close', () => {
        if (--missing === 0) resolve();
      });
    }
  });
}
