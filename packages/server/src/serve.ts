import { type AddressInfo, isIP } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { type Clock, systemClock } from './core/clock.ts';
import type { Config } from './core/config.ts';
import { ConfigError } from './core/config-error.ts';
import { PlatformError } from './core/errors.ts';
import { eventLoop } from './core/event-loop.ts';
import { ipv6Groups } from './core/ip-address.ts';
import { sleep, systemTimers } from './core/timers.ts';
import type { TlsPair } from './core/tls-pair.ts';
import { keepsDatabase, takeFolder } from './db/folder-lock.ts';
import type { WebhookPace } from './domains/delivery/index.ts';
import type { App } from './http/app.ts';
import { startTelemetry } from './http/otlp.ts';
import { isPublicAddress } from './outgoing/address.ts';
import { openManagement } from './roles/management/index.ts';
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
const TELEMETRY_MOST_MS = 2_000;

/** A platform that serves. */
export interface RunningPlatform {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  /** Where probes are answered; undefined: nowhere. */
  readonly managementUrl: string | undefined;
  /** Finishes the requests in hand and closes everything, within half a minute: what takes longer is given up. */
  stop(): Promise<void>;
}

/**
 * Starts the platform with a configuration and resolves once it serves.
 * @param options.webhookPace for tests alone: wire 3.3 fixes how webhooks are timed
 * @param options.clock the time of the machine when left out; the demo lives through a month before it
 */
export async function serve(
  config: Config,
  options: { webhookPace?: WebhookPace; clock?: Clock } = {},
): Promise<RunningPlatform> {
  const { roles } = config;
  checkPublicUrl(config);
  eventLoop.start();
  const log = pino({ level: config.logLevel, base: { region: config.region } });
  const tls = await openTls(config, log);
  const telemetry = await startTelemetry(process.env);
  const isRegion = roles.has('region') || roles.has('worker');
  const isForwarder = !isRegion && !roles.has('front-door');
  const unlock = keepsDatabase(config) ? takeFolder(config) : () => {};
  // Probes are answered while the start waits for a database.
  const management = await openManagement(config.management, log).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const release = async () => {
    await management.stop();
    await tls?.stop();
    await within(TELEMETRY_MOST_MS, telemetry.stop());
    unlock();
  };
  const deps = { clock: systemClock, log, ...options };
  const serving: Serving = await createServing(isRegion, isForwarder, config, deps).catch(
    async (error: unknown) => {
      await release();
      throw startError(error);
    },
  );
  const { address } = serving.core;
  const app = isRegion && !roles.has('region') ? undefined : createServer(serving, { tls: tls?.context });
  if (app !== undefined) {
    const url = await listen(app, config, log).catch(async (error: unknown) => {
      await stopServing(serving);
      await release();
      throw error;
    });
    address.publicUrl ||= url;
    tls?.start((context) => (app.server as unknown as TlsServer).setSecureContext(context));
  }
  for (const worker of serving.domain.workers) {
    if (roles.has(worker.role ?? 'worker')) await worker.start();
  }
  if (tls !== undefined) addTls(serving, tls);
  management.serves(serving.core);
  return {
    url: address.publicUrl,
    managementUrl: management.url,
    async stop() {
      management.stopping();
      for (const worker of serving.domain.workers) worker.drain?.();
      if (config.management.drainMs > 0) {
        app?.drain();
        await sleep(systemTimers, config.management.drainMs, { keepsAlive: true });
      }
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
      await release();
    },
  };
}

/** What a process serves; of the roles that it does not have, nothing is loaded. */
async function createServing(
  isRegion: boolean,
  isForwarder: boolean,
  ...of: [Config, { clock: Clock; log: FastifyBaseLogger; webhookPace?: WebhookPace }]
): Promise<Serving> {
  if (isRegion) return (await import('./context.ts')).createContext(...of);
  if (isForwarder) return (await import('./roles/forwarder/alone.ts')).createForwarderContext(...of);
  return (await import('./roles/front-door.ts')).createFrontDoorContext(...of);
}

/** Of a process that listens and speaks TLS itself. @throws {ConfigError} for files that cannot be used */
async function openTls(
  { roles, tls }: Config,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
): Promise<TlsPair | undefined> {
  if (tls === undefined || (roles.size === 1 && roles.has('worker'))) return undefined;
  const { TlsPair } = await import('./core/tls-pair.ts');
  return TlsPair.open({ clock: systemClock, timers: systemTimers, log }, tls);
}

/** What is probed and measured, with the certificate. */
function addTls({ core }: Serving, tls: TlsPair): void {
  core.readiness.add([tls.probe]);
  core.instruments.certificate('tls', () => tls.expiresAt);
}

/** Whether work ends in a time. Waiting keeps the process alive. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  return Promise.race([work.then(() => true), promise]).finally(() => clearTimeout(timer));
}

/**
 * Clients follow the base URL that they receive. Without a configured one it is the address that is listened on, which is
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
  const url = `${config.tls === undefined ? 'http' : 'https'}://${host}:${port}`;
  log.info({ url }, 'server listening');
  return url;
}
