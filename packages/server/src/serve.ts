import { type AddressInfo, isIP } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { createContext } from './context.ts';
import { systemClock } from './core/clock.ts';
import type { Config } from './core/config.ts';
import { ConfigError } from './core/config-error.ts';
import { PlatformError } from './core/errors.ts';
import { ipv6Groups } from './core/ip-address.ts';
import { lockFolder } from './db/folder-lock.ts';
import type { WebhookPace } from './domains/delivery/index.ts';
import type { App } from './http/app.ts';
import { observeEventLoop } from './http/telemetry.ts';
import { isPublicAddress } from './outgoing/address.ts';
import { createForwarderContext } from './roles/forwarder/alone.ts';
import { createFrontDoorContext } from './roles/front-door.ts';
import { createServer, type Serving, stopServing } from './roles/server.ts';

/** An operator does not call the platform, and may not know what it refuses. */
function startError(error: unknown): unknown {
  const isAway = error instanceof PlatformError && error.key.startsWith('db.');
  if (!isAway) return error;
  const reason = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return new Error(`The database did not answer in time${reason}. Start again when it does.`, {
    cause: error,
  });
}

/** How long requests in hand may take when a process stops, and how long everything else; together under half a minute. */
const REQUESTS_MOST_MS = 10_000;
const STOP_MOST_MS = 15_000;

/** A platform that serves. */
export interface RunningPlatform {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  /** Finishes the requests in hand and closes everything, within half a minute: what takes longer is given up. */
  stop(): Promise<void>;
}

/**
 * Starts the platform with a configuration and resolves once it serves.
 * @param options.webhookPace for tests alone: wire 3.3 fixes how webhooks are timed
 */
export async function serve(
  config: Config,
  options: { webhookPace?: WebhookPace } = {},
): Promise<RunningPlatform> {
  const { roles } = config;
  checkPublicUrl(config);
  observeEventLoop();
  const isRegion = roles.has('region') || roles.has('worker');
  const isForwarder = !isRegion && !roles.has('front-door');
  const hasFolder = config.databaseUrl === undefined && !isForwarder;
  const release = hasFolder ? lockFolder(config.dataDir) : () => {};
  const log = pino({ level: config.logLevel, base: { region: config.region } });
  const deps = { clock: systemClock, log, ...options };
  const create = isRegion ? createContext : isForwarder ? createForwarderContext : createFrontDoorContext;
  const serving: Serving = await create(config, deps).catch((error: unknown) => {
    release();
    throw startError(error);
  });
  const { address } = serving.core;
  const app = isRegion && !roles.has('region') ? undefined : createServer(serving);
  if (app !== undefined) {
    const url = await listen(app, config, log).catch(async (error: unknown) => {
      await stopServing(serving);
      release();
      throw error;
    });
    address.publicUrl ||= url;
  }
  for (const worker of serving.domain.workers) {
    if (roles.has(worker.role ?? 'worker')) await worker.start();
  }
  return {
    url: address.publicUrl,
    async stop() {
      // Requests may be waiting for a mail server that says nothing.
      serving.core.mail.stop();
      const giveUp = (what: string) => log.error(`stopping took too long: ${what} given up`);
      const closed = app === undefined || (await within(REQUESTS_MOST_MS, app.close()));
      if (!closed) {
        giveUp('requests are');
        app?.server.closeAllConnections();
      }
      const stopped = await within(STOP_MOST_MS, stopServing(serving));
      if (!stopped) giveUp('work is');
      release();
    },
  };
}

/** Whether work ends in a time. Waiting keeps the process alive. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  return Promise.race([work.then(() => true), promise]).finally(() => clearTimeout(timer));
}

/**
 * Clients follow the base URL that they are told. Without a configured one it is the address that is listened on, which is
 * good for callers of this machine or its network alone.
 * @throws {ConfigError}
 */
export function checkPublicUrl({ host, publicUrl, regions, roles, frontDoorUrl }: Config): void {
  const listens = roles.has('region') || roles.has('front-door');
  if (!listens || publicUrl !== undefined || regions.size > 0 || frontDoorUrl !== undefined) return;
  const isAny = host === '0.0.0.0' || (isIP(host) === 6 && ipv6Groups(host).every((group) => group === 0));
  if (!isAny && !isPublicAddress(host)) return;
  throw new ConfigError(
    `SYMBOLON_PUBLIC_URL takes the base URL under which clients reach the platform, such as https://api.example.com: it listens on ${host}, not on this machine alone.`,
  );
}

/** Listens; gives the base URL. */
async function listen(app: App, config: Config, log: FastifyBaseLogger): Promise<string> {
  await app.listen({ host: config.host, port: config.port });
  const { port } = app.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const url = `http://${host}:${port}`;
  log.info({ url }, 'server listening');
  return url;
}
