import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseAt, freePort } from '@symbolon/testkit/platform/address';
import { UNLIMITED } from '@symbolon/testkit/platform/platform';
import { createPostgresDatabase } from '@symbolon/testkit/platform/postgres-databases';
import { PlatformProcess } from '@symbolon/testkit/platform/process';

export const OPERATOR_TOKEN = 'operator-of-the-platform-under-test';

/** A front door, two regions and a worker for each, every one a process, on a PostgreSQL database for each of the three. */
export interface Installation {
  readonly frontDoor: string;
  readonly bases: Readonly<Record<'eu' | 'us', string>>;
  readonly processes: readonly PlatformProcess[];
  stop(): Promise<void>;
}

export async function startInstallation(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-regions-'));
  const databases = {
    door: await createPostgresDatabase(),
    eu: await createPostgresDatabase(),
    us: await createPostgresDatabase(),
  };
  const ports = { door: await freePort(), eu: await freePort(), us: await freePort() };
  const bases = { eu: baseAt(ports.eu), us: baseAt(ports.us) };
  const shared = {
    SYMBOLON_SECRET: randomBytes(32).toString('base64'),
    SYMBOLON_REGIONS: `eu=${bases.eu},us=${bases.us}`,
    SYMBOLON_FRONT_DOOR_URL: baseAt(ports.door),
    SYMBOLON_OPERATOR_TOKEN: OPERATOR_TOKEN,
    SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
    SYMBOLON_LOG_LEVEL: process.env.SYMBOLON_LOG_LEVEL ?? 'error',
    ...UNLIMITED,
  };
  const processOf = (role: string, place: 'door' | 'eu' | 'us', port?: number) =>
    PlatformProcess.create(
      {
        ...shared,
        SYMBOLON_ROLES: role,
        SYMBOLON_DATA_DIR: join(folder, place),
        DATABASE_URL: databases[place].url,
        ...(place === 'door' ? {} : { SYMBOLON_REGION: place }),
      },
      port === undefined ? {} : { port },
    );
  const processes = [
    await processOf('front-door', 'door', ports.door),
    await processOf('region', 'eu', ports.eu),
    await processOf('region', 'us', ports.us),
    await processOf('worker', 'eu'),
    await processOf('worker', 'us'),
  ];
  const stop = async () => {
    await Promise.all(processes.map((running) => running.stop()));
    for (const database of Object.values(databases)) await database.drop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(processes.slice(0, 3).map((starting) => starting.start()));
    await Promise.all(processes.slice(3).map((starting) => starting.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { frontDoor: baseAt(ports.door), bases, processes, stop };
}
