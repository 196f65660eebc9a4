import { createHash, timingSafeEqual } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { AccessTokens } from '../access/access-token.ts';
import { Cookies } from '../access/cookies.ts';
import { FailureLimit } from '../access/failure-limit.ts';
import { memoryLimits, redisLimits } from '../access/limit-store.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { Availability } from '../core/availability.ts';
import { folderBlobs, watchedBlobs } from '../core/blobs.ts';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { httpIdentityProvider } from '../core/identity-provider.ts';
import { createIds } from '../core/ids.ts';
import { isLoopbackHost } from '../core/ip-address.ts';
import { KeyRing } from '../core/key-ring.ts';
import { createMailer, outboxTransport, smtpTransport } from '../core/mail.ts';
import { Regions } from '../core/regions.ts';
import { s3Blobs } from '../core/s3-blobs.ts';
import { createSecrets } from '../core/secrets.ts';
import { systemTimers, type Timers } from '../core/timers.ts';
import { tryFolder } from '../core/try-folder.ts';
import { assertSecret } from '../db/key-checks.ts';
import { openDatabase } from '../db/open.ts';
import { RegionSettings } from '../db/region-settings.ts';
import { savingReason, trySaving, watchSaving } from '../db/saving.ts';
import type { Table } from '../db/table-registry.ts';
import type { Core } from '../domains/domain.ts';

/** The core of a process, and what only its roles use of it. */
export async function createCore(
  config: Config,
  deps: { clock: Clock; log: FastifyBaseLogger; timers?: Timers },
) {
  const { clock, log, timers = systemTimers } = deps;
  const isRegion = config.roles.has('region') || config.roles.has('worker');
  const ids = createIds(clock);
  const secrets = createSecrets(new KeyRing(config.secret, config.dataDir));
  const availability = new Availability({ clock, timers, log });
  const opened = await openDatabase(config, log);
  const folder = config.databaseUrl === undefined ? config.dataDir : undefined;
  const saving = availability.add('saving', {
    title: 'database',
    probe: () => trySaving(opened, folder, clock.now()),
    reasonOf: savingReason,
  });
  const database = watchSaving(opened, saving);
  await assertSecret(database, secrets.keys).catch(async (error: unknown) => {
    await database.stop();
    throw error;
  });
  const region = isRegion ? config.region : 'front-door';
  const limitStore =
    config.redisUrl === undefined
      ? memoryLimits
      : await redisLimits(config.redisUrl, { region, availability });
  const configured = isRegion ? config.regions.get(config.region) : config.frontDoorUrl;
  const address = { publicUrl: config.publicUrl ?? configured ?? '' };
  const isConfigured = address.publicUrl !== '';
  const publicUrl = () => address.publicUrl;
  // The token is in the configuration, not in the database: its hash needs no key.
  const operatorHash = config.operatorToken === undefined ? undefined : digest(config.operatorToken);
  const tables: Table[] = [];
  const blobsFolder = config.blobsDir ?? join(config.dataDir, 'blobs');
  const s3 = config.s3 === undefined ? undefined : s3Blobs(config.s3);
  const settings = new RegionSettings({ database, clock, timers, log, availability });
  // A caller on this machine is told the name by which it called.
  const urlFor = (host: string | undefined) =>
    isConfigured || !isLoopbackHost(host) ? address.publicUrl : `http://${host}`;
  const core: Core = {
    config,
    clock,
    ids,
    timers,
    log,
    secrets,
    regions: new Regions({ config, ownBase: publicUrl }),
    database,
    availability,
    tables,
    settings,
    blobStore:
      s3 === undefined
        ? watchedBlobs(folderBlobs(blobsFolder, { clock, ids }), availability, () => tryFolder(blobsFolder))
        : watchedBlobs(s3, availability, () => s3.probe()),
    mail: createMailer(
      config.smtpUrl === undefined
        ? outboxTransport(join(config.dataDir, 'outbox'), config.mailFrom, ids)
        : smtpTransport(config.smtpUrl, config.mailFrom),
      { availability, timers },
    ),
    identityProvider: config.identityProvider && httpIdentityProvider(config.identityProvider, { clock }),
    limitStore,
    tokens: new AccessTokens({ keys: secrets.keys, region: config.region, clock }),
    // Browsers are at the front door, whatever leads from there to a region.
    cookies: new Cookies(() => (config.frontDoorUrl ?? address.publicUrl).startsWith('https:')),
    // A process that does not listen has no port of its own.
    instance:
      config.instance ??
      `${hostname()}:${config.roles.has('region') ? config.port : `worker:${process.pid}`}`,
    publicUrl,
    urlFor,
    issuerFor: (host) => config.frontDoorUrl ?? urlFor(host),
    rateLimits: new RateLimits(config.rateLimits, limitStore),
    failures: new FailureLimit(config.rateLimits, limitStore),
  };
  return {
    ...core,
    tables,
    address,
    isOperator: (token: string) => operatorHash !== undefined && timingSafeEqual(digest(token), operatorHash),
    async stop() {
      availability.stop();
      await settings.stop();
      await limitStore.stop();
      await s3?.stop();
      await database.stop();
    },
  };
}

const digest = (token: string) => createHash('sha256').update(token).digest();
