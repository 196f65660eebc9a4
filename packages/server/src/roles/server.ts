import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import type { Authenticator } from '../access/authenticator.ts';
import type { BlobKeeper } from '../core/large-text.ts';
import type { Core, Domain } from '../domains/domain.ts';
import type { Maintenance } from '../http/admission.ts';
import { type App, createApp } from '../http/app.ts';
import { boundHandlers } from '../http/deadlines.ts';
import { SecurityLog } from '../http/security-log.ts';

/** What a process serves: a region, a front door or a forwarder. */
export interface Serving {
  readonly core: Pick<
    Core,
    | 'availability'
    | 'config'
    | 'cookies'
    | 'failures'
    | 'ids'
    | 'instruments'
    | 'log'
    | 'issuer'
    | 'rateLimits'
    | 'readiness'
    | 'regions'
    | 'secrets'
    | 'timers'
  > & {
    readonly mail: Pick<Core['mail'], 'stop'>;
    readonly address: { publicUrl: string };
    stop(): Promise<void>;
  };
  readonly authenticator: Authenticator;
  readonly maintenance: Maintenance & { stop(): void };
  readonly domain: Required<Domain>;
  /** Where large members of bodies are stored; others take none in. */
  readonly blobs?: BlobKeeper;
}

const noBlobs: BlobKeeper = {
  keepStream: () => Promise.reject(new Error('This process stores no files.')),
};

/** The web server of a process: its domains' hooks, then their routes. */
export function createServer(
  { core, authenticator, maintenance, domain, blobs = noBlobs }: Serving,
  options: { checkResponses?: boolean; answersWithin?: number; tls?: SecureContextOptions | undefined } = {},
): App {
  const app = createApp({
    ...core,
    authenticator,
    securityLog: new SecurityLog(core),
    corsOrigins: core.config.corsOrigins,
    trustedProxies: core.config.trustedProxies,
    connections: core.config.connections,
    largeBodies: { folder: { path: join(core.config.dataDir, 'uploads'), ids: core.ids }, blobs },
    answersWithin: options.answersWithin,
    tls: options.tls,
    checkResponses: options.checkResponses ?? false,
    maintenance,
  });
  domain.hooks(app);
  boundHandlers(app);
  app.register(async (instance) => domain.routes(instance as unknown as App));
  return app;
}

/**
 * Stops what a process did beside serving, then everything else. A part that cannot be stopped in order, as a database that
 * is away keeps it from, does not keep the others from it.
 */
export async function stopServing({ core, maintenance, domain }: Serving): Promise<void> {
  const attempt = async (what: string, stop: () => unknown) => {
    try {
      await stop();
    } catch (error) {
      const isExplained = core.availability.explains(error);
      core.log[isExplained ? 'debug' : 'error']({ err: error, what }, 'stopping in order failed');
    }
  };
  // Saving may be paused: what was delivered is written down all the same.
  maintenance.stop();
  core.mail.stop();
  await Promise.all(domain.workers.map((worker) => attempt('worker', () => worker.stop())));
  await attempt('domains', () => domain.stop());
  await attempt('core', () => core.stop());
}
