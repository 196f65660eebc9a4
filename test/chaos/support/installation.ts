import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMAND } from '@symbolon/testkit/cli/command';
import { baseAt, freePort, HOST } from '@symbolon/testkit/platform/address';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import { ratesOf } from '@symbolon/testkit/platform/rates';
import { mailServer, SILENT } from '@symbolon/testkit/servers/mail-server';
import { type Postgres, startPostgres } from '@symbolon/testkit/servers/postgres';
import { startRedis, type TestRedis } from '@symbolon/testkit/servers/redis';
import { TcpProxy } from '@symbolon/testkit/servers/tcp-proxy';
import pg from 'pg';
import type { Engine } from '../../../packages/server/src/db/database.ts';
import { type Disk, ext4Disk, noDisks } from './disks.ts';

const DISK_MEGABYTES = 700;

/** A process that people can call, with the proxies on its ways. */
export interface Member {
  readonly process: PlatformProcess;
  /** Where clients call it; a worker answers no client. */
  readonly edge: TcpProxy | undefined;
  /** On the way to PostgreSQL. */
  readonly toDatabase: TcpProxy | undefined;
}

/** `one`: a region on one database. `regions`: two of them, each with its own people, and a front door. */
export type Setting = 'one' | 'regions';

export const OPERATOR_TOKEN = 'operator-of-the-platform-under-chaos';

/** A platform on one machine, with everything that it needs at hand to be broken. */
export interface Installation {
  readonly engine: Engine;
  readonly setting: Setting;
  /** Those that people and companies call: of one region all alike, else one for each region. */
  readonly servers: readonly Member[];
  /** Processes that serve no data: a worker, a front door. */
  readonly others: readonly Member[];
  /** The ways between the regions. */
  readonly links: readonly TcpProxy[];
  readonly mail: Awaited<ReturnType<typeof startMail>>;
  /** Undefined where disks cannot be broken. The database is on it. */
  readonly disk: Disk | undefined;
  readonly postgres: Postgres | undefined;
  readonly redis: TestRedis | undefined;
  /** Before Redis. */
  readonly toRedis: TcpProxy | undefined;
  /** What cannot be broken here, and why. */
  readonly missing: readonly string[];
  /** The target of a redirect to another base; undefined: nowhere. */
  serverOf(base: string): number | undefined;
  end(): Promise<void>;
}

/** Starts everything. */
export async function install(engine: Engine, setting: Setting): Promise<Installation> {
  const missing: string[] = [];
  const ending: (() => unknown)[] = [];
  const end = async () => {
    for (const step of ending.reverse()) await step();
  };
  try {
    const reason = await noDisks();
    const disk = reason === false ? await ext4Disk(DISK_MEGABYTES) : undefined;
    if (disk === undefined) missing.push(`disks: ${reason || 'loop devices are missing'}`);
    else ending.push(() => disk.remove());
    const folder = await mkdtemp(join(disk?.folder ?? tmpdir(), 'symbolon-chaos-'));
    ending.push(() => rm(folder, { recursive: true, force: true }).catch(() => undefined));
    const mail = await startMail();
    ending.push(() => mail.stop());
    const postgres = engine === 'postgres' ? await startPostgresOn(disk) : undefined;
    ending.push(() => postgres?.stop());
    const redis = engine === 'postgres' && setting === 'one' ? await startRedis() : undefined;
    const toRedis = redis && (await TcpProxy.start(HOST, Number(new URL(redis.url).port)));
    if (redis === undefined && engine === 'postgres' && setting === 'one')
      missing.push('Redis is not installed');
    ending.push(
      () => redis?.kill(),
      () => toRedis?.stop(),
    );
    const shared = {
      // Calls are counted, in Redis where there is one, and no client reaches a limit.
      ...ratesOf(1_000_000),
      SYMBOLON_CONNECTIONS_PER_ADDRESS: '0',
      SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'true',
      SYMBOLON_SECRET: randomBytes(32).toString('base64'),
      SYMBOLON_SMTP_URL: mail.url,
      SYMBOLON_OPERATOR_TOKEN: OPERATOR_TOKEN,
      SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
      SYMBOLON_LOG_LEVEL: 'info',
      ...(toRedis && { SYMBOLON_REDIS_URL: `redis://${toRedis.address}` }),
    };
    const maker: Maker = { shared, folder, postgres, ending };
    const made = await (setting === 'one' ? oneRegion(maker) : twoRegions(maker));
    for (const { process } of [...made.servers, ...made.others]) await process.start();
    const { servers } = made;
    const serverOf = (base: string) => {
      const port = Number(new URL(base).port);
      const found = servers.findIndex(({ edge, process }) => edge?.port === port || process.port === port);
      return found >= 0 ? found : made.leadsTo?.get(port);
    };
    return { engine, setting, ...made, mail, disk, postgres, redis, toRedis, missing, serverOf, end };
  } catch (error) {
    await end();
    throw error;
  }
}

interface Maker {
  readonly shared: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly postgres: Postgres | undefined;
  readonly ending: (() => unknown)[];
}

interface Made {
  readonly servers: readonly Member[];
  readonly others: readonly Member[];
  readonly links: readonly TcpProxy[];
  /** The server to which the port of a link leads. */
  readonly leadsTo?: ReadonlyMap<number, number>;
}

async function startPostgresOn(disk: Disk | undefined): Promise<Postgres> {
  const postgres = await startPostgres({
    durable: true,
    ...(disk !== undefined && { folder: disk.folder }),
    settings: { max_connections: '90', wal_recycle: 'off', max_wal_size: '64MB' },
  });
  if (postgres === undefined) throw new Error('PostgreSQL is not installed.');
  return postgres;
}

async function oneRegion(maker: Maker): Promise<Made> {
  const environment = { SYMBOLON_DATA_DIR: join(maker.folder, 'data') };
  const make = (name: string, roles: string) => member(maker, { name, roles, environment });
  if (maker.postgres === undefined) {
    return { servers: [await make('server', 'front-door,region,worker')], others: [], links: [] };
  }
  return {
    servers: [await make('first', 'front-door,region'), await make('second', 'front-door,region')],
    others: [await make('worker', 'worker')],
    links: [],
  };
}

async function twoRegions(maker: Maker): Promise<Made> {
  const ports = { door: await freePort(), eu: await freePort(), us: await freePort() };
  const edges = { eu: await TcpProxy.start(HOST, ports.eu), us: await TcpProxy.start(HOST, ports.us) };
  const links = { eu: await TcpProxy.start(HOST, ports.eu), us: await TcpProxy.start(HOST, ports.us) };
  maker.ending.push(
    () => links.eu.stop(),
    () => links.us.stop(),
  );
  const place = async (name: 'door' | 'eu' | 'us', roles: string, eu: TcpProxy, us: TcpProxy) =>
    member(maker, {
      name,
      roles,
      port: ports[name],
      edge: name === 'door' ? undefined : edges[name],
      database: name,
      environment: {
        SYMBOLON_DATA_DIR: join(maker.folder, name),
        SYMBOLON_REGIONS: `eu=${baseAt(eu.port)},us=${baseAt(us.port)}`,
        SYMBOLON_FRONT_DOOR_URL: baseAt(ports.door),
        ...(name !== 'door' && { SYMBOLON_REGION: name }),
      },
    });
  // Each region reaches the other one by its own link; clients and the front door go by the edges.
  const door = await place('door', 'front-door', edges.eu, edges.us);
  const eu = await place('eu', 'region,worker', edges.eu, links.us);
  const us = await place('us', 'region,worker', links.eu, edges.us);
  const leadsTo = new Map([
    [links.eu.port, 0],
    [links.us.port, 1],
  ]);
  return { servers: [eu, us], others: [door], links: [links.eu, links.us], leadsTo };
}

async function member(
  { shared, postgres, ending }: Maker,
  parts: {
    name: string;
    roles: string;
    environment: Readonly<Record<string, string>>;
    port?: number;
    edge?: TcpProxy | undefined;
    database?: string;
  },
): Promise<Member> {
  const { name, roles, database = 'postgres' } = parts;
  const port = parts.port ?? (await freePort());
  const toDatabase = postgres && (await TcpProxy.start(HOST, postgres.port));
  const edge = parts.edge ?? (roles.includes('region') ? await TcpProxy.start(HOST, port) : undefined);
  if (postgres !== undefined && database !== 'postgres') await createDatabase(postgres, database);
  const environment = {
    ...shared,
    ...parts.environment,
    SYMBOLON_ROLES: roles,
    SYMBOLON_INSTANCE: name,
    ...(edge && { SYMBOLON_PUBLIC_URL: baseAt(edge.port) }),
    ...(toDatabase && { DATABASE_URL: `postgres://symbolon@${toDatabase.address}/${database}` }),
  };
  const process = await PlatformProcess.create(environment, { script: COMMAND, args: ['serve'], name, port });
  ending.push(async () => {
    await process.kill();
    await toDatabase?.stop();
    await edge?.stop();
  });
  return { process, edge, toDatabase };
}

async function createDatabase({ url }: Postgres, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
}

/** Takes every mail, or greets and then says nothing more. */
async function startMail() {
  const mail = {
    silent: false,
    url: '',
    stop: () => Promise.resolve(),
  };
  const server = await mailServer(() => (mail.silent ? SILENT : undefined));
  return Object.assign(mail, { url: server.url, stop: () => server[Symbol.asyncDispose]() });
}
