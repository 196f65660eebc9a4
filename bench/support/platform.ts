import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformAt } from '@symbolon/testkit/platform/calls';
import { UNLIMITED } from '@symbolon/testkit/platform/rates';
import { Child, type Usage } from './child.ts';
import { sized } from './setting.ts';

/** Limits off; everything else as the docs recommend: behind a reverse proxy. */
const ENVIRONMENT = {
  ...UNLIMITED,
  DATABASE_URL: '',
  SYMBOLON_TRUST_PROXY: 'true',
  SYMBOLON_HOST: '127.0.0.1',
  SYMBOLON_PORT: '0',
  SYMBOLON_MANAGEMENT_ADDRESS: 'off',
  SYMBOLON_LOG_LEVEL: sized('info', 'silent'),
};

/** The headers that a reverse proxy adds to what a client sends. */
export const FORWARDED = {
  'x-forwarded-for': '192.0.2.17',
  'x-forwarded-proto': 'https',
  'x-real-ip': '192.0.2.17',
};

/** The environment of a platform over a data folder. */
export function platformEnvironment(dataDir: string): Record<string, string> {
  return { ...ENVIRONMENT, SYMBOLON_DATA_DIR: dataDir };
}

/** A folder that is gone after the benchmark. */
export async function dataFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'symbolon-bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** What held an event loop longest. */
export interface LoopDelay {
  /** The longest delay, in milliseconds: whatever held the loop, a busy machine too. */
  readonly ms: number;
  /** The most processor time of the thread in one turn of the loop, in milliseconds. */
  readonly cpuMs: number;
}

/** The platform in a process of its own, on the embedded database. */
export class Platform extends PlatformAt implements AsyncDisposable {
  readonly dataDir: string;
  readonly #child: Child<string>;

  private constructor(child: Child<string>, dataDir: string) {
    super(child.ready);
    this.#child = child;
    this.dataDir = dataDir;
  }

  /** With BENCH_PROFILE, what it does from the first question for its usage on is written to that folder as a processor profile. */
  static async start(
    dataDir: string,
    environment: Record<string, string> = {},
    script = 'platform.ts',
  ): Promise<Platform> {
    const child = await Child.start<string>(script, [], {
      env: { ...platformEnvironment(dataDir), ...environment, PROFILE_TO: process.env.BENCH_PROFILE ?? '' },
    });
    return new Platform(child, dataDir);
  }

  /** Of its event loop since the last question. Of `scale-platform.ts` alone. */
  loopDelay(): Promise<LoopDelay> {
    return this.#child.ask({ loop: true });
  }

  /** Makes the calls under a path take so much more. Of `budget-platform.ts` alone. */
  slowDown(path: string, micros: number): Promise<unknown> {
    return this.#child.ask({ path, micros });
  }

  usage(): Promise<Usage> {
    return this.#child.usage();
  }

  kill(): Promise<void> {
    return this.#child.kill();
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
