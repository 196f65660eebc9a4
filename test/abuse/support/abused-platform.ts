import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TestEnvironment, TestPlatform, UNLIMITED } from '@symbolon/testkit/platform/platform';

const SCRIPT = fileURLToPath(new URL('./serve-process.ts', import.meta.url));

/** What an attack did to others. */
export interface Harm {
  /** The longest time for which work held the platform's thread, in milliseconds of processor time. */
  readonly heldMs: number;
  /** How long an honest client waited for each answer meanwhile, in milliseconds. */
  readonly waitsMs: readonly number[];
  /** Memory of the platform's process at the end. */
  readonly rss: number;
}

/** A platform in a process of its own, so that the attacker's work is not taken for the platform's. */
export interface AbusedPlatform {
  readonly url: string;
  /** For the actors of other tests; it has no insides. */
  readonly platform: TestPlatform;
  /** Runs an attack while an honest client asks for `GET /api/health` again and again. */
  during<T>(attack: () => Promise<T>): Promise<Harm & { readonly result: T }>;
  stop(): Promise<void>;
}

export async function startAbused(environment: TestEnvironment = {}): Promise<AbusedPlatform> {
  const dataDir = await mkdtemp(join(tmpdir(), 'symbolon-abuse-'));
  const child = fork(SCRIPT, {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...UNLIMITED,
      SYMBOLON_DATA_DIR: dataDir,
      SYMBOLON_PORT: '0',
      SYMBOLON_LOG_LEVEL: 'error',
      ...environment,
    },
  });
  const told = async <T>() => (await once(child, 'message'))[0] as T;
  const { url } = await told<{ url: string }>();
  const harm = async () => {
    const answer = told<{ longestMs: number; rss: number }>();
    child.send({});
    return answer;
  };
  const platform = new TestPlatform({
    engine: 'sqlite',
    url,
    dataDir,
    context: undefined as never,
    app: undefined as never,
    clock: undefined as never,
  });
  return {
    url,
    platform,
    async during(attack) {
      await harm();
      const honest = honestClient(url);
      try {
        const result = await attack();
        const waitsMs = await honest.stop();
        const { longestMs, rss } = await harm();
        return { result, heldMs: longestMs, waitsMs, rss };
      } finally {
        await honest.stop();
      }
    },
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Asks for the health of the platform over one connection until it is stopped; each refusal is an error. */
export function honestClient(url: string): { stop(): Promise<number[]> } {
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
