import type { FastifyBaseLogger } from 'fastify';
import { AccessTokens } from '../access/access-token.ts';
import { Authenticator } from '../access/authenticator.ts';
import { companyOfClientId } from '../access/client-ids.ts';
import { Cookies } from '../access/cookies.ts';
import { memoryLimits, redisLimits } from '../access/limit-store.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { localRouting } from '../access/routing.ts';
import type { Clock } from '../core/clock.ts';
import { type Config, ConfigError } from '../core/config.ts';
import { createIds } from '../core/ids.ts';
import { KeyRing } from '../core/key-ring.ts';
import { createSecrets } from '../core/secrets.ts';
import { openDatabase } from '../db/open.ts';
import { RoutedGrant } from '../domains/clients/tokens/routed-grant.ts';
import { tokenRoutes } from '../domains/clients/tokens/routes.ts';
import { healthRoutes } from '../domains/operations/health/routes.ts';
import { docsRoutes } from '../domains/operator/docs/routes.ts';
import { createRegions } from '../domains/regions/directory/create.ts';
import { directoryRoutes } from '../domains/regions/directory/directory-routes.ts';
import { rebaseRoutes } from '../domains/regions/directory/rebase.ts';
import { frontDoorRoutes } from '../domains/regions/directory/routes.ts';
import { type App, createApp } from '../http/app.ts';
import { noMaintenance } from '../http/maintenance.ts';

/** Every collaborator of a front door that is no region. */
export type FrontDoorContext = Awaited<ReturnType<typeof createFrontDoorContext>>;

export async function createFrontDoorContext(config: Config, deps: { clock: Clock; log: FastifyBaseLogger }) {
  const { clock, log } = deps;
  const ids = createIds(clock);
  const secrets = createSecrets(new KeyRing(config.secret, config.dataDir));
  const database = await openDatabase(config);
  const address = { publicUrl: config.publicUrl ?? config.frontDoorUrl ?? '' };
  const limitStore =
    config.redisUrl === undefined
      ? memoryLimits
      : await redisLimits(config.redisUrl, { region: 'front-door', log });
  const { regions, peerTokens, peers, directoryService, directory } = createRegions({
    config,
    clock,
    log,
    database,
    secrets,
    ownBase: () => address.publicUrl,
  });
  if (peers === undefined || directoryService === undefined) {
    throw new ConfigError('SYMBOLON_REGIONS takes the regions to which this front door leads.');
  }
  const tokens = new AccessTokens({ key: secrets.tokenKey, region: config.region, clock });
  const authenticator = new Authenticator({
    tokens,
    clock,
    peers: peerTokens,
    routing: localRouting(config.region),
    isOperator: () => false,
    // Only regions are let in here.
    identities: {
      client: async () => undefined,
      person: async () => undefined,
      portalSession: async () => undefined,
      antiForgery: () => false,
    },
  });
  return {
    config,
    clock,
    log,
    ids,
    secrets,
    database,
    address,
    regions,
    peers,
    directoryService,
    directory,
    tokens,
    authenticator,
    cookies: new Cookies(() => address.publicUrl.startsWith('https:')),
    rateLimits: new RateLimits(config.rateLimits, limitStore),
    grant: new RoutedGrant({ directory, peers, regions }),
    async stop() {
      await peers.stop();
      await limitStore.stop();
      await database.stop();
    },
  };
}

/** The front door where it is no region: it knows every home, and holds no data (wire 5.2). */
export function createFrontDoor(context: FrontDoorContext): App {
  const app = createApp({
    authenticator: context.authenticator,
    cookies: context.cookies,
    rateLimits: context.rateLimits,
    routing: context.regions,
    maintenance: noMaintenance,
    ids: context.ids,
    log: context.log,
    trustProxy: context.config.trustProxy,
    checkResponses: false,
  });
  app.register(async (instance) => {
    const scope = instance as unknown as App;
    healthRoutes(scope, {
      maintenance: { state: undefined },
      check: async () => {
        await context.directory.homeOf({ kind: 'company', id: '' });
      },
    });
    tokenRoutes(scope, {
      grant: context.grant,
      clients: {
        exists: async (clientId) => {
          const id = companyOfClientId(clientId);
          return id !== undefined && (await context.directory.homeOf({ kind: 'company', id })) !== undefined;
        },
      },
    });
    frontDoorRoutes(scope, { regions: context.regions, issuer: () => context.address.publicUrl });
    directoryRoutes(scope, { directory: context.directoryService });
    docsRoutes(scope, { document: () => documentOfRegions(context) });
    rebaseRoutes(scope, context);
  });
  return app;
}

/** The document of the regions, with their bases as its servers. */
async function documentOfRegions({ regions, peers }: FrontDoorContext): Promise<object> {
  const [region = ''] = regions.names;
  const document = await peers.ask<object>({ region }, { method: 'GET', path: '/openapi.json' });
  return {
    ...document,
    servers: regions.names.map((name) => ({ url: regions.apiUrl(name), description: name })),
  };
}
