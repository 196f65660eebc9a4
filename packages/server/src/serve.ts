import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { createContext } from './context.ts';
import { systemClock } from './core/clock.ts';
import type { Config } from './core/config.ts';
import { systemTimers } from './core/timers.ts';
import type { WebhookPace } from './domains/delivery/webhooks/pace.ts';
import type { App } from './http/app.ts';
import { createFrontDoor, createFrontDoorContext } from './roles/front-door.ts';
import { createRegion } from './roles/region.ts';
import { createFrontDoorWorkers, createWorkers } from './roles/workers.ts';

/** A platform that serves. */
export interface RunningPlatform {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  /** Finishes the requests in hand and closes everything. */
  stop(): Promise<void>;
}

/**
 * Starts the platform with a configuration and resolves once it serves.
 * @param options.webhookPace for tests alone: the specification fixes how webhooks are timed
 */
export async function serve(
  config: Config,
  options: { webhookPace?: WebhookPace } = {},
): Promise<RunningPlatform> {
  const log = pino({ level: config.logLevel, base: { region: config.region } });
  const { roles } = config;
  if (!roles.has('region') && !roles.has('worker')) return serveFrontDoor(config, log);
  const context = await createContext(config, { clock: systemClock, log, ...options });
  const app = roles.has('region') ? createRegion(context) : undefined;
  if (app !== undefined) {
    const url = await listen(app, config, log).catch(async (error: unknown) => {
      await context.stop();
      throw error;
    });
    context.address.publicUrl ||= url;
  }
  const workers = [
    ...(roles.has('worker') ? createWorkers(context) : []),
    ...(roles.has('front-door') ? createFrontDoorWorkers(context) : []),
  ];
  for (const worker of workers) worker.start();
  if (roles.has('worker')) {
    await context.dispatcher.start();
    await context.messageSender?.start();
  }
  return {
    url: context.address.publicUrl,
    async stop() {
      await app?.close();
      // Saving may be paused: what was delivered is written down all the same.
      context.maintenance.stop();
      await Promise.all([
        ...workers.map((worker) => worker.stop()),
        context.dispatcher.stop(),
        context.messageSender?.stop(),
      ]);
      await context.sender.stop();
      await context.stop();
    },
  };
}

/** A front door that is no region. */
async function serveFrontDoor(config: Config, log: FastifyBaseLogger): Promise<RunningPlatform> {
  const context = await createFrontDoorContext(config, { clock: systemClock, log });
  const app = createFrontDoor(context);
  const url = await listen(app, config, log).catch(async (error: unknown) => {
    await context.stop();
    throw error;
  });
  context.address.publicUrl ||= url;
  const workers = createFrontDoorWorkers({ ...context, timers: systemTimers });
  for (const worker of workers) worker.start();
  return {
    url: context.address.publicUrl,
    async stop() {
      await app.close();
      await Promise.all(workers.map((worker) => worker.stop()));
      await context.stop();
    },
  };
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
