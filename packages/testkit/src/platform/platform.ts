import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe } from 'node:test';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { createContext } from '../../../server/src/context.ts';
import type { Clock } from '../../../server/src/core/clock.ts';
import { readConfig } from '../../../server/src/core/config.ts';
import type { Engine } from '../../../server/src/db/database.ts';
import type { App } from '../../../server/src/http/app.ts';
import { createServer, stopServing } from '../../../server/src/roles/server.ts';
import { observe } from '../evidence/evidence.ts';
import { CALL_MOST_MS } from '../limits.ts';
import { type Callable, PlatformAt } from './calls.ts';
import './cheap-passwords.ts';
import { engines, usualEngines } from './engines.ts';
import { type Insides, insidesOf } from './insides.ts';
import { refuseLateWrites } from './late-writes.ts';
import { openPlace } from './places.ts';
import './quick-cryptography.ts';

export { OPERATOR } from './places.ts';
export { UNLIMITED } from './rates.ts';

/** A clock that starts at a fixed time and moves only by `advance`. */
export class FakeClock implements Clock {
  #now = Date.UTC(2026, 0, 31, 9, 30);
  now(): number {
    return this.#now;
  }
  /** @param ms milliseconds */
  advance(ms: number): void {
    this.#now += ms;
  }
}

/** The time of the machine, which processes and browsers beside the platform have. */
export class PresentClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

/** A platform that serves on a real socket, with its database, its clock and its insides at hand. */
export interface TestPlatform extends Callable {
  readonly engine: Engine;
  readonly context: Insides;
  readonly app: App;
  readonly clock: FakeClock;
  readonly dataDir: string;
}

/** One that whoever started it stops. */
export type RunningPlatform = TestPlatform & AsyncDisposable & { stop(): Promise<void> };

/** Overrides of the environment for one platform. */
export type TestEnvironment = Readonly<Record<string, string>>;

/**
 * Starts a platform on a fresh database of the engine. `stop` removes both.
 * @param insteadOf how webhooks are timed and connect, and the log, where a test decides that
 */
export async function startPlatform(
  engine: Engine,
  environment: TestEnvironment = {},
  clock = new FakeClock(),
  insteadOf: Pick<Parameters<typeof createContext>[1], 'webhookPace' | 'outgoing'> & {
    log?: FastifyBaseLogger;
  } = {},
): Promise<RunningPlatform> {
  const place = await openPlace(engine);
  const config = readConfig({ ...place.environment, SYMBOLON_PORT: '0', ...environment });
  const serving = await createContext(config, {
    clock,
    log: pino({ level: config.logLevel }),
    ...insteadOf,
  });
  const context = insidesOf(serving);
  refuseLateWrites(context.database);
  const app = createServer(serving, { checkResponses: true, answersWithin: CALL_MOST_MS });
  observe(app);
  // A test that works for minutes comes back to connections that no timer has closed meanwhile.
  app.server.keepAliveTimeout = 0;
  app.server.headersTimeout = 0;
  app.server.requestTimeout = 0;
  await app.listen({ host: config.host, port: config.port });
  const url = `http://${config.host}:${(app.server.address() as AddressInfo).port}`;
  context.address.publicUrl ||= url;
  const stop = async () => {
    await app.close();
    await stopServing(serving);
    await place[Symbol.asyncDispose]();
  };
  const { dataDir } = config;
  const own = { engine, context, app, clock, dataDir, stop, [Symbol.asyncDispose]: stop };
  return Object.assign(new PlatformAt(url), own);
}

/**
 * Declares tests of a platform. It starts before the first of them and stops after the last. They run on the embedded
 * engine; with `npm test -- --all`, on every engine. What is about SQL, locks or concurrency: `onEachEngine`.
 *
 * @example
 * onPlatform('renaming a service', (platform) => {
 *   test('changes its name', async () => { await platform().call('PUT', …); });
 * });
 */
export function onPlatform(
  title: string,
  declare: (platform: () => TestPlatform) => void,
  environment?: TestEnvironment,
): void {
  on<RunningPlatform>(usualEngines, title, (engine) => startPlatform(engine, environment), declare);
}

/** The same for tests that are about SQL, locks or concurrency: they always run on every engine. */
export function onEachEngine(
  title: string,
  declare: (platform: () => TestPlatform) => void,
  environment?: TestEnvironment,
): void {
  on<RunningPlatform>(engines, title, (engine) => startPlatform(engine, environment), declare);
}

/** Declares tests of what starts on each of these engines before the first of them, and stops after the last. */
export function on<T extends { stop(): Promise<void> }>(
  which: readonly Engine[],
  title: string,
  start: (engine: Engine) => Promise<T>,
  declare: (running: () => T) => void,
): void {
  for (const engine of which) {
    describe(`${title} (${engine})`, () => {
      let running: T | undefined;
      before(async () => {
        running = await start(engine);
      });
      after(() => running?.stop());
      declare(() => running ?? assert.fail('Nothing has started.'));
    });
  }
}
