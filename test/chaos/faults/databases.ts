import { setTimeout as pause } from 'node:timers/promises';
import { STOP_MOST_MS } from '@symbolon/testkit/limits';
import pg from 'pg';
import type { World } from '../world.ts';
import { both, type ChaosFault } from './fault.ts';
import { all, startAgain } from './processes.ts';

const noDisk = ({ installation }: World) =>
  installation.disk === undefined ? 'no disk to break' : undefined;

async function asSuperuser(world: World, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: world.installation.postgres?.url });
  client.on('error', () => {});
  await client.connect();
  await work(client).finally(() => client.end().catch(() => undefined));
}

const TAKERS = 12;

/** Connects again and again until there is no free connection. */
async function takeConnections(world: World, taken: pg.Client[]): Promise<void> {
  for (;;) {
    const client = new pg.Client({
      connectionString: world.installation.postgres?.url,
      application_name: 'chaos',
    });
    client.on('error', () => {});
    try {
      await client.connect();
      taken.push(client);
    } catch {
      return;
    }
  }
}

/** Of the platform; those of the test go on. */
export async function endSessions(world: World): Promise<void> {
  if (world.installation.postgres === undefined) return;
  await asSuperuser(world, async (client) => {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> 'chaos'`,
    );
  }).catch(() => undefined);
}

export const databaseFaults: readonly ChaosFault[] = [
  ...(['fast', 'immediate'] as const).map(
    (mode): ChaosFault => ({
      name: `PostgreSQL restarts (${mode})`,
      engines: ['postgres'],
      async run(world) {
        const { postgres } = world.installation;
        await (mode === 'fast' ? postgres?.halt() : postgres?.kill());
        await postgres?.restart();
      },
    }),
  ),
  {
    name: 'PostgreSQL is away',
    engines: ['postgres'],
    async run(world, _random, seconds) {
      await world.installation.postgres?.halt();
      await pause(seconds * 1000);
      await world.installation.postgres?.restart();
    },
  },
  {
    name: 'backends of PostgreSQL are ended',
    engines: ['postgres'],
    async run(world, random, seconds) {
      const end = performance.now() + seconds * 1000;
      do {
        await asSuperuser(world, async (client) => {
          const { rows } = await client.query(
            `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
          );
          if (rows.length === 0) return;
          const { pid } = random.pick(rows);
          // A killed backend takes all others with it: PostgreSQL recovers as after a crash.
          if (random.chance(0.2)) process.kill(pid, 'SIGKILL');
          else await client.query('select pg_terminate_backend($1)', [pid]);
        }).catch(() => undefined);
        await pause(random.whole(100, 600));
      } while (performance.now() < end);
    },
  },
  {
    name: 'PostgreSQL has no free connection',
    engines: ['postgres'],
    async run(world, _random, seconds) {
      const taken: pg.Client[] = [];
      const end = performance.now() + seconds * 1000;
      await takeConnections(world, taken);
      do {
        // Those of the platform are ended, and many take them before it can connect again.
        await endSessions(world);
        await Promise.all(Array.from({ length: TAKERS }, () => takeConnections(world, taken)));
        await pause(200);
      } while (performance.now() < end);
      await Promise.all(taken.map((client) => client.end()));
    },
  },
  {
    name: 'the disk of the database is full',
    engines: both,
    stopsSaving: true,
    least: 7,
    missing: noDisk,
    async run(world, _random, seconds) {
      const { disk, postgres, servers } = world.installation;
      if (postgres === undefined) {
        // A journal that has grown would hold a lot before it needs room: a new one is started.
        for (const { process } of servers) {
          await process.stop(STOP_MOST_MS);
          await startAgain(process);
        }
      }
      await disk?.fill();
      const end = performance.now() + seconds * 1000;
      // What the platform frees is filled again.
      while (performance.now() < end) {
        await pause(200);
        await disk?.fill();
      }
      await disk?.free();
      if (postgres !== undefined && !(await answers(world))) {
        // It gave up: it does so when not even its journal has room.
        await postgres.kill();
        await postgres.restart();
      }
    },
  },
  {
    name: 'the disk of the database becomes read-only',
    engines: ['sqlite'],
    stopsSaving: true,
    least: 7,
    missing: (world) => noDisk(world) ?? (world.installation.disk?.breakIt ? undefined : 'no ext4'),
    async run(world, _random, seconds) {
      await world.installation.disk?.breakIt?.();
      await pause(seconds * 1000);
      for (const process of all(world)) await process.kill();
      await world.installation.disk?.repair();
      for (const process of all(world)) await startAgain(process);
    },
  },
  {
    name: 'Redis is away',
    engines: ['postgres'],
    missing: ({ installation }) => (installation.redis === undefined ? 'no Redis' : undefined),
    async run({ installation: { redis, toRedis } }, _random, seconds) {
      await redis?.kill();
      await pause(seconds * 500);
      await redis?.start();
      await pause(500);
      toRedis?.stall();
      await pause(seconds * 500);
      toRedis?.pass();
    },
  },
  {
    name: 'the mail server is silent',
    engines: both,
    async run(world, random, seconds) {
      const { mail } = world.installation;
      mail.silent = true;
      const end = performance.now() + seconds * 1000;
      const asked: Promise<unknown>[] = [];
      do {
        asked.push(world.inviteSomebody(`delegate-${random.whole(0, 1e9)}@example.com`));
        await pause(500);
      } while (performance.now() < end);
      await Promise.all(asked);
      mail.silent = false;
    },
  },
];

async function answers(world: World): Promise<boolean> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const well = await asSuperuser(world, async (client) => {
      await client.query('create table if not exists chaos (one int); drop table chaos');
    }).then(
      () => true,
      () => false,
    );
    if (well) return true;
    await pause(300);
  }
  return false;
}
