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
import { observe, PREPARATION_HEADER } from '../evidence/evidence.ts';
import './cheap-passwords.ts';
import { engines, usualEngines } from './engines.ts';
import { type Insides, insidesOf } from './insides.ts';
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

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any;
}

export interface Call {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A platform that serves on a real socket, with its database, its clock and its insides at hand. */
export class TestPlatform {
  readonly engine: Engine;
  readonly url: string;
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
    this.engine = parts.engine;
    this.url = parts.url;
    this.context = parts.context;
    this.app = parts.app;
    this.clock = parts.clock;
    this.dataDir = parts.dataDir;
  }

  /** One HTTP call; `body` goes as JSON unless it is text, form parameters or a file. */
  async call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const headers: Record<string, string> = { ...call.headers };
    if (call.token !== undefined) headers.authorization = `Bearer ${call.token}`;
    const raw =
      typeof call.body === 'string' ||
      call.body instanceof URLSearchParams ||
      call.body instanceof Uint8Array;
    if (call.body !== undefined && !raw) headers['content-type'] ??= 'application/json';
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers,
      ...(call.body === undefined
        ? {}
        : {
            body: raw
              ? (call.body as string | URLSearchParams | Uint8Array<ArrayBuffer>)
              : JSON.stringify(call.body),
          }),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    // It has no end; what it says is the matter of `listen` in event-stream.ts.
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {}
    return { status: response.status, headers: response.headers, text, body };
  }

  /** Like `call`, and throws unless the answer is a 2xx: for the steps that lead to what is tested. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  async must(method: string, path: string, call: Call = {}): Promise<any> {
    const headers = { ...call.headers, [PREPARATION_HEADER]: '1' };
    const answer = await this.call(method, path, { ...call, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
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
  const app = createServer(serving, { checkResponses: true });
  observe(app);
  await app.listen({ host: '127.0.0.1', port: config.port });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
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
