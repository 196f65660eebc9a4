import type { FastifyBaseLogger } from 'fastify';
import { Authenticator } from '../access/authenticator.ts';
import { noHomesElsewhere } from '../access/routing.ts';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { ConfigError } from '../core/config-error.ts';
import { noteSecret } from '../db/key-checks.ts';
import { sealRoutes } from '../domains/agreements/index.ts';
import { metadataRoutes, tokenRoutes } from '../domains/clients/index.ts';
import { combine, type Domain } from '../domains/domain.ts';
import { createHealth } from '../domains/operations/index.ts';
import { createBackups, createPages, docsRoutes, noAdminRoutes } from '../domains/operator/index.ts';
import { openFrontDoor } from '../domains/regions/index.ts';
import { noMaintenance } from '../http/admission.ts';
import { createCore } from './core.ts';
import { addProbes } from './management/probes.ts';

/** A front door that is no region: it knows every home and stores no data of customers (wire 5.2). */
export async function createFrontDoorContext(config: Config, deps: { clock: Clock; log: FastifyBaseLogger }) {
  if (config.regions.size === 0) {
    throw new ConfigError('SYMBOLON_REGIONS takes the regions to which this front door leads.');
  }
  const core = await createCore(config, deps);
  const backups = createBackups(core).domain;
  try {
    await noteSecret(core.database, core.secrets.keys, core.clock);
    await core.settings.start();
    await backups.prepare?.();
  } catch (error) {
    await core.stop();
    throw error;
  }
  const { opened, domain: regions, ...routed } = openFrontDoor(core);
  const calls: Domain = {
    routes(app) {
      tokenRoutes(app, { ...core, ...routed });
      metadataRoutes(app, { ...core, ...routed });
      sealRoutes(app, routed);
      docsRoutes(app, routed);
      noAdminRoutes(app);
    },
  };
  const health = createHealth(core, { maintenance: { state: undefined } });
  const domain = combine(health, calls, regions, createPages(core), backups);
  addProbes(core, domain);
  core.database.started();
  const authenticator = new Authenticator({
    ...core,
    peers: opened.peerTokens,
    homes: noHomesElsewhere,
    operatorOf: () => undefined,
    // Only regions are let in here.
    identities: {
      client: async () => undefined,
      person: async () => undefined,
      signIn: async () => undefined,
      portalSession: async () => undefined,
      eventTicket: async () => undefined,
      personSession: async () => undefined,
    },
  });
  return {
    core,
    authenticator,
    opened,
    maintenance: { ...noMaintenance, stop() {} },
    domain,
  };
}
