import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { createContext } from './context.ts';
import { systemClock } from './core/clock.ts';
import type { Config } from './core/config.ts';
import { takeFolder } from './db/folder-lock.ts';
import { BackupError, besideOf, refuseUsed, restoreBeside, takeBlobs } from './domains/operator/index.ts';
import type { Returned, ReturnSource } from './domains/regions/index.ts';
import { stopServing } from './roles/server.ts';

interface Options {
  readonly file: string;
  /** Private keys that open it. */
  readonly identities: readonly string[];
  /** Id or code of the company. */
  readonly company: string;
  /** Its id, where the rows that are there give way. */
  readonly replace?: string | undefined;
}

/**
 * Brings one company back from a backup, into an installation that does not run.
 * @throws {BackupError | ConfigError} with what to do; nothing is changed then
 */
export async function restoreCompany(
  config: Config,
  { file, identities, company, replace }: Options,
): Promise<Returned & { readonly backup: string }> {
  if (config.regions.size > 0)
    throw new BackupError('One company is restored alone where there is one region: here are several.');
  const { dataDir, databaseUrl, databaseDirectUrl = databaseUrl } = config;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = databaseUrl === undefined ? takeFolder(config) : () => {};
  try {
    if (databaseDirectUrl !== undefined) await refuseUsed(databaseDirectUrl);
    const folder = join(dataDir, `backup-${randomUUID()}`);
    const beside = besideOf(config, { file, identities, folder });
    return await restoreBeside(beside, async ({ database, manifest, file: plain }) => {
      const context = await createContext(config, { clock: systemClock, log: pino({ level: 'silent' }) });
      try {
        const source: ReturnSource = {
          database,
          createdAt: manifest.created_at,
          takeBlobs: (wanted, take) => takeBlobs(plain, wanted, take),
        };
        const brought = await context.regions.companyReturn?.bring(source, { company, replace });
        if (brought === undefined) throw new Error('There are several regions.');
        return { ...brought, backup: manifest.created_at };
      } finally {
        await stopServing(context);
      }
    });
  } finally {
    unlock();
  }
}
