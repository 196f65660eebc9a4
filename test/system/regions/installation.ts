import { randomBytes } from 'node:crypto';
import { baseAt, freePort } from '@symbolon/testkit/platform/address';
import { openPlace } from '@symbolon/testkit/platform/places';
import { PlatformProcess } from '@symbolon/testkit/platform/process';

/** A front door, two regions and a worker for each, every one a process, on a PostgreSQL database for each of the three. */
export interface Installation {
  readonly frontDoor: string;
  readonly bases: Readonly<Record<'eu' | 'us', string>>;
  readonly processes: readonly PlatformProcess[];
  stop(): Promise<void>;
}

export async function startInstallation(): Promise<Installation> {
  const open = () => openPlace('postgres', 'empty');
  const places = { door: await open(), eu: await open(), us: await open() };
  const ports = { door: await freePort(), eu: await freePort(), us: await freePort() };
  const bases = { eu: baseAt(ports.eu), us: baseAt(ports.us) };
  const shared = {
    SYMBOLON_SECRET: randomBytes(32).toString('base64'),
    SYMBOLON_REGIONS: `eu=${bases.eu},us=${bases.us}`,
    SYMBOLON_FRONT_DOOR_URL: baseAt(ports.door),
    SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
  };
  const processOf = (role: string, place: 'door' | 'eu' | 'us', port?: number) =>
    PlatformProcess.create(
      {
        ...places[place].environment,
        ...shared,
        SYMBOLON_ROLES: role,
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
    for (const place of Object.values(places)) await place[Symbol.asyncDispose]();
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
