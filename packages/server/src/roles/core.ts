import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { folderBlobs, watchedBlobs } from '../core/blobs.ts';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { httpIdentityProvider } from '../core/identity-provider.ts';
import { createMailer, outboxTransport, smtpTransport } from '../core/mail.ts';
import type { Timers } from '../core/timers.ts';
import { tryFolder } from '../core/try-folder.ts';
import { assertSecret } from '../db/key-checks.ts';
import { openDatabase } from '../db/open.ts';
import { RegionSettings } from '../db/region-settings.ts';
import { isLasting, savingReason, trySaving, watchSaving } from '../db/saving.ts';
import type { Table } from '../db/table-registry.ts';
import type { Core } from '../domains/domain.ts';
import { createBase } from './base.ts';

/** The core of a process, and what only its roles use of it. */
export async function createCore(
  config: Config,
  deps: { clock: Clock; log: FastifyBaseLogger; timers?: Timers; tables?: readonly Table[] },
) {
  const base = await createBase(config, deps);
  const { clock, log, timers, ids, availability } = base;
  const opened = await openDatabase(config, log, base.instruments).catch(async (error: unknown) => {
    await base.stop();
    throw error;
  });
  const folder = config.databaseUrl === undefined ? config.dataDir : undefined;
  const saving = availability.add('saving', {
    title: 'database',
    probe: (wasAway) => trySaving(opened, { folder, wasAway, now: clock.now() }),
    reasonOf: savingReason,
    isLasting,
  });
  const database = watchSaving(opened, saving);
  await assertSecret(database, base.secrets.keys).catch(async (error: unknown) => {
    await base.stop();
    await database.stop();
    throw error;
  });
  const blobsFolder = config.blobsDir ?? join(config.dataDir, 'blobs');
  const s3 = config.s3 && (await import('../core/s3-blobs.ts')).s3Blobs(config.s3);
  const settings = new RegionSettings({ database, clock, timers, log, availability });
  const core: Core = {
    ...base,
    database,
    tables: deps.tables ?? [],
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
    // A process that does not listen has no port of its own.
    instance:
      config.instance ??
      `${hostname()}:${config.roles.has('region') ? config.port : `worker:${process.pid}`}`,
  };
  const { address, operatorOf } = base;
  return {
    ...core,
    address,
    operatorOf,
    async stop() {
      await settings.stop();
      await base.stop();
      await s3?.stop();
      await database.stop();
    },
  };
}
