import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Event } from '@symbolon/protocol';
import { createService, dataToken, registerCompany, type TestService } from '@symbolon/testkit/actors/actors';
import { insidesOf } from '@symbolon/testkit/platform/insides';
import { engines, FakeClock, TestPlatform, UNLIMITED } from '@symbolon/testkit/platform/platform';
import { createPostgresDatabase } from '@symbolon/testkit/platform/postgres-databases';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import { insertConnections, insertPeople } from '@symbolon/testkit/platform/rows';
import { pino } from 'pino';
import { createContext } from '../../../context.ts';
import { readConfig } from '../../../core/config.ts';
import type { Engine } from '../../../db/database.ts';
import { createServer } from '../../../roles/server.ts';

const PATH = '/api/company-data/changes';
const PEOPLE = 30;
const EVENTS_OF_EACH = 12;
/** Makes a batch larger than any socket buffer. */
const PADDING = 'x'.repeat(20_000);

interface Told {
  person_user_id: string;
  /** Number of the event among those of its person. */
  n: number;
}

for (const engine of engines) {
  describe(`a server that dies while it answers (${engine})`, () => {
    test('a process that is killed loses no event and keeps the order of each connection', async (t) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'symbolon-crash-'));
      const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
      const environment = {
        ...UNLIMITED,
        SYMBOLON_DATA_DIR: dataDir,
        SYMBOLON_PORT: '0',
        SYMBOLON_LOG_LEVEL: 'silent',
        SYMBOLON_INSTANCE: 'one',
        ...(database === undefined ? {} : { DATABASE_URL: database.url }),
      };
      t.after(async () => {
        await database?.drop();
        await rm(dataDir, { recursive: true, force: true });
      });
      const { token, people } = await fillFeed(engine, environment);
      const seen = new Map(people.map((person) => [person, new Set<number>()]));
      const take = (changes: readonly Told[]) => {
        const lastHere = new Map<string, number>();
        for (const { person_user_id: person, n } of changes) {
          assert.ok(n > (lastHere.get(person) ?? -1), 'in order within an answer');
          lastHere.set(person, n);
          const before = seen.get(person);
          assert.ok(before);
          assert.ok(n <= before.size, 'nothing was passed over');
          before.add(n);
        }
      };

      const server = await PlatformProcess.create(environment);
      for (const limit of [500, 120, 70]) {
        await server.start();
        try {
          const whole = await RawClient.open(server.url);
          whole.send(`${PATH}?limit=25`, token);
          take(JSON.parse(await whole.read()).changes);
          const slow = await RawClient.open(server.url);
          slow.send(`${PATH}?limit=${limit}`, token);
          await once(slow.socket, 'data');
          slow.socket.pause();
          await server.kill();
          await Promise.all([whole.destroy(), slow.destroy()]);
        } finally {
          await server.kill();
        }
      }

      await server.start();
      try {
        const client = await RawClient.open(server.url);
        for (;;) {
          client.send(`${PATH}?limit=40`, token);
          const { changes } = JSON.parse(await client.read());
          if (changes.length === 0) break;
          take(changes);
        }
        await client.destroy();
      } finally {
        await server.kill();
      }
      for (const [person, numbers] of seen) assert.equal(numbers.size, EVENTS_OF_EACH, person);
    });
  });
}

/** Registers everything and queues the events, the people's mixed, with a platform in this process. */
async function fillFeed(engine: Engine, environment: Record<string, string>) {
  const config = readConfig(environment);
  // The server that follows goes by the real time.
  const clock = new FakeClock();
  clock.advance(Date.now() - clock.now());
  const serving = await createContext(config, { clock, log: pino({ level: 'silent' }) });
  const context = insidesOf(serving);
  const app = createServer(serving);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const platform = new TestPlatform({ engine, url, context, app, clock, dataDir: config.dataDir });
  try {
    const service = await createService(platform, await registerCompany(platform));
    const token = await dataToken(platform, service);
    const people = await insertPeople(platform, PEOPLE);
    const connections = await insertConnections(platform, service, people);
    for (let n = 0; n < EVENTS_OF_EACH; n++) {
      await context.database.write((writer) =>
        context.outbox.raise(
          writer,
          people.map((person, index) => event(service, person, connections[index] ?? '', n)),
        ),
      );
    }
    return { token, people: people.map((person) => person.id) };
  } finally {
    await app.close();
    await context.stop();
  }
}

function event(
  service: TestService,
  person: { id: string; share_code: string },
  connectionId: string,
  n: number,
) {
  return {
    event: Event.documentCreated,
    companyId: service.company.id,
    serviceId: service.id,
    customer: { id: person.id, type: 'person' as const, shareCode: person.share_code },
    connectionId,
    payload: { n, name: PADDING },
  };
}
