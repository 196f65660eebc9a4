import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { Config } from './config.ts';
import { createContext } from './context.ts';
import type { WebhookPace } from './features/webhooks/pace.ts';
import { systemClock } from './ports/clock.ts';
import { createRegion } from './roles/region.ts';
import { createWorkers } from './workers/workers.ts';

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
  const context = await createContext(config, { clock: systemClock, log, ...options });
  const app = createRegion(context);
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await context.stop();
    throw error;
  }
  const { port } = app.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  context.address.publicUrl ||= `http://${host}:${port}`;
  const workers = createWorkers(context);
  for (const worker of workers) worker.start();
  await context.dispatcher.start();
  return {
    url: context.address.publicUrl,
    async stop() {
      await app.close();
      // Saving may be paused: what was delivered is written down all the same.
      context.maintenance.stop();
      await Promise.all([...workers.map((worker) => worker.stop()), context.dispatcher.stop()]);
      await context.sender.stop();
      await context.stop();
    },
  };
}
