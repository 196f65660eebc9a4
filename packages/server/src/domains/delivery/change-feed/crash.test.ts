import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Event } from '@symbolon/protocol';
import type { TestService } from '@symbolon/testkit/actors/actors';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { engines } from '@symbolon/testkit/platform/engines';
import { openPlace } from '@symbolon/testkit/platform/places';
import { PresentClock, startPlatform, type TestEnvironment } from '@symbolon/testkit/platform/platform';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import { insertConnections, insertPeople } from '@symbolon/testkit/platform/rows';
import { rounds } from '@symbolon/testkit/thoroughness';
import type { Engine } from '../../../db/database.ts';

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
    test('a process that is killed loses no event and keeps the order of each connection', async () => {
      await using place = await openPlace(engine);
      const environment = { ...place.environment, SYMBOLON_PORT: '0', SYMBOLON_INSTANCE: 'one' };
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

      await using server = await PlatformProcess.create(environment);
      for (const limit of [500, 120, 70].slice(0, rounds(1, 3))) {
        await server.start();
        const whole = await RawClient.open(server.url);
        whole.send(`${PATH}?limit=25`, token);
        take(JSON.parse(await whole.read()).changes);
        const slow = await RawClient.open(server.url);
        slow.send(`${PATH}?limit=${limit}`, token);
        await once(slow.socket, 'data');
        slow.socket.pause();
        await server.kill();
        await Promise.all([whole.destroy(), slow.destroy()]);
      }

      await server.start();
      const client = await RawClient.open(server.url);
      for (;;) {
        client.send(`${PATH}?limit=40`, token);
        const { changes } = JSON.parse(await client.read());
        if (changes.length === 0) break;
        take(changes);
      }
      await client.destroy();
      for (const [person, numbers] of seen) assert.equal(numbers.size, EVENTS_OF_EACH, person);
    });
  });
}

/** Registers everything and queues the events, the people's mixed, with a platform in this process. */
async function fillFeed(engine: Engine, environment: TestEnvironment) {
  // The server that follows goes by the real time.
  await using platform = await startPlatform(engine, environment, new PresentClock());
  const { service, token } = await openShop(platform);
  const people = await insertPeople(platform, PEOPLE);
  const connections = await insertConnections(platform, service, people);
  const { database, outbox } = platform.context;
  for (let n = 0; n < EVENTS_OF_EACH; n++) {
    const events = people.map((person, index) => event(service, person, connections[index] ?? '', n));
    await database.write((writer) => outbox.raise(writer, events));
  }
  return { token, people: people.map((person) => person.id) };
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
