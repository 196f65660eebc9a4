import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { createContext } from '../../../server/src/context.ts';
import type { Clock } from '../../../server/src/core/clock.ts';
import { type Config, readConfig } from '../../../server/src/core/config.ts';
import type { Engine } from '../../../server/src/db/database.ts';
import type { App } from '../../../server/src/http/app.ts';
import { createServer, stopServing } from '../../../server/src/roles/server.ts';
import { observe } from '../evidence/evidence.ts';
import { PlatformAt } from './calls.ts';
import './cheap-passwords.ts';
import { engines, usualEngines } from './engines.ts';
import { type Insides, insidesOf } from './insides.ts';
import { refuseLateWrites } from './late-writes.ts';
import { createMigratedDatabase } from './postgres-databases.ts';
import { placeMigratedDatabase } from './sqlite-databases.ts';

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

/** A platform that serves on a real socket, with its database, its clock and its insides at hand. */
export class TestPlatform extends PlatformAt {
  readonly engine: Engine;
  readonly context: Insides;
  readonly app: App;
  readonly clock: FakeClock;
  readonly dataDir: string;

  constructor(parts: {
    engine: Engine;
    url: string;
    context: Insides;
    app: App;
    clock: FakeClock;
    dataDir: string;
  }) {
    super(parts.url);
    this.engine = parts.engine;
    this.context = parts.context;
    this.app = parts.app;
    this.clock = parts.clock;
    this.dataDir = parts.dataDir;
  }
}

/**
 * Overrides of the environment for one platform. Unless a test sets them, limits are off and accounts are registered in one
 * call.
 */
export type TestEnvironment = Readonly<Record<string, string>>;

export const UNLIMITED: TestEnvironment = {
  SYMBOLON_CONNECTIONS_PER_ADDRESS: '0',
  SYMBOLON_RATE_TOKEN: '0',
  SYMBOLON_RATE_EXCHANGES: '0',
  SYMBOLON_RATE_CHANGES: '0',
  SYMBOLON_RATE_FIELDS: '0',
  SYMBOLON_RATE_REFERENCE: '0',
  SYMBOLON_RATE_CONNECTIONS: '0',
  SYMBOLON_RATE_REGISTRATION: '0',
  SYMBOLON_RATE_POLLS: '0',
  SYMBOLON_RATE_UNOPENED: '0',
  SYMBOLON_RATE_CONSENT: '0',
  SYMBOLON_RATE_PLUGINS: '0',
  SYMBOLON_RATE_PAGES: '0',
  SYMBOLON_RATE_DEFAULT: '0',
  SYMBOLON_RATE_FAILURES: '0',
  SYMBOLON_RATE_UNKNOWN_CODES: '0',
  SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'true',
};

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
): Promise<TestPlatform & { stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'symbolon-test-'));
  const database = engine === 'postgres' ? await createMigratedDatabase() : undefined;
  if (engine === 'sqlite') await placeMigratedDatabase(dataDir);
  const config: Config = readConfig({
    ...UNLIMITED,
    SYMBOLON_DATA_DIR: dataDir,
    SYMBOLON_PORT: '0',
    SYMBOLON_LOG_LEVEL: 'error',
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
    ...environment,
  });
  const serving = await createContext(config, {
    clock,
    log: pino({ level: config.logLevel }),
    ...insteadOf,
  });
  const context = insidesOf(serving);
  refuseLateWrites(context.database);
  const app = createServer(serving, { checkResponses: true });
  observe(app);
  // A test that works for minutes comes back to connections that no timer has closed meanwhile.
  app.server.keepAliveTimeout = 0;
  await app.listen({ host: config.host, port: config.port });
  const url = `http://${config.host}:${(app.server.address() as AddressInfo).port}`;
  context.address.publicUrl ||= url;
  const platform = new TestPlatform({ engine, url, context, app, clock, dataDir });
  return Object.assign(platform, {
    async stop() {
      await app.close();
      await stopServing(serving);
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  });
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
  on(usualEngines, title, declare, environment);
}

/** The same for tests that are about SQL, locks or concurrency: they always run on every engine. */
export function onEachEngine(
  title: string,
  declare: (platform: () => TestPlatform) => void,
  environment?: TestEnvironment,
): void {
  on(engines, title, declare, environment);
}

function on(
  which: readonly Engine[],
  title: string,
  declare: (platform: () => TestPlatform) => void,
  environment: TestEnvironment | undefined,
): void {
  for (const engine of which) {
    describe(`${title} (${engine})`, () => {
      let running: Awaited<ReturnType<typeof startPlatform>> | undefined;
      before(async () => {
        running = await startPlatform(engine, environment);
      });
      after(async () => {
        await running?.stop();
      });
      declare(() => {
        if (running === undefined) throw new Error('The platform has not started.');
        return running;
      });
    });
  }
}
