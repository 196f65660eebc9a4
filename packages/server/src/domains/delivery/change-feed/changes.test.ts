import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, describe, test } from 'node:test';
import { Event, type EventName, eventNames, limits } from '@symbolon/protocol';
import { createService, dataToken, registerCompany, type TestService } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import {
  dropAnswer,
  insertConnections,
  insertCustomer,
  insertPeople,
  putAnswer,
} from '@symbolon/testkit/platform/rows';
import fc from 'fast-check';
import { pino } from 'pino';
import { collapseKey } from '../../../events/collapse.ts';
import type { Claim } from './claims.ts';
import { feeds } from './event-queues.ts';
import { LeaseClaims } from './lease-claims.ts';

const ROWS = [
  { slug: 'mail', label: 'E-mail', type: 'email' },
  { slug: 'phone', label: 'Phone', type: 'phone' },
];
const ATTESTED = {
  verified_hash: 'b'.repeat(64),
  verified_salt: 'salt',
  verified_at: '2026-01-01T00:00:00.000Z',
  verified_method: 'email_code',
  verified_provider: 'platform',
  verification_id: 'v-1',
};
const PATH = '/api/company-data/changes';

interface Setting {
  service: TestService;
  token: string;
}

async function setUp(platform: TestPlatform): Promise<Setting> {
  const service = await createService(platform, await registerCompany(platform), ROWS);
  return { service, token: await dataToken(platform, service) };
}

/** Raises one event for each of `count` new people. */
async function fill(platform: TestPlatform, service: TestService, count: number, value?: string) {
  const people = await insertPeople(platform, count);
  const connections = await insertConnections(platform, service, people);
  for (const [index, person] of people.entries()) {
    const connectionId = connections[index] ?? '';
    const slug = 'mail';
    if (value !== undefined) await putAnswer(platform, service, { connectionId, slug }, { value });
    const event = value === undefined ? Event.connectionCreated : Event.fieldUpdated;
    await raise(platform, service, { connectionId, person }, event, value === undefined ? {} : { slug });
  }
  return people.map((person) => person.id);
}

const peopleOf = (changes: readonly { person_user_id: string }[]) =>
  changes.map((change) => change.person_user_id);

onEachEngine('the change feed', (platform) => {
  const drain = async (token: string, query = '') =>
    (await platform().must('GET', `${PATH}${query}`, { token })).changes;
  const waiting = async (service: TestService) => {
    const rows = await platform()
      .context.database.reader.selectFrom('changes')
      .select('id')
      .where('service_id', '=', service.id)
      .execute();
    return rows.length;
  };
  const emptied = (service: TestService) =>
    eventually('the feed is empty', async () => ((await waiting(service)) === 0 ? true : undefined));
  /** Drains until something comes. */
  const redrained = (token: string) =>
    eventually('the rows come again', async () => {
      const changes = await drain(token, '?limit=500');
      return changes.length > 0 ? changes : undefined;
    });

  describe('bodies', () => {
    let service: TestService;
    let token: string;
    let customer: Awaited<ReturnType<typeof insertCustomer>>;
    before(async () => {
      ({ service, token } = await setUp(platform()));
      customer = await insertCustomer(platform(), service);
    });
    const tell = (event: EventName, more: Parameters<typeof raise>[4] = {}) =>
      raise(platform(), service, customer, event, more);
    const slot = () => ({ connectionId: customer.connectionId, slug: 'mail' });
    const common = (event: string) => ({
      event,
      person_user_id: customer.person.id,
      share_code: customer.person.share_code,
      at: new Date(platform().clock.now()).toISOString(),
      customer_type: 'person',
    });
    const only = async () => {
      const changes = await drain(token);
      assert.equal(changes.length, 1);
      const { id, ...members } = changes[0];
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.equal(Object.keys(changes[0])[0], 'id');
      return members;
    };
    const same = (actual: object, expected: object) =>
      assert.equal(JSON.stringify(actual), JSON.stringify(expected));

    test('an empty feed is an empty array, absent in XML, and nothing is cached', async () => {
      const answer = await platform().call('GET', PATH, { token });
      assert.equal(answer.text, '{"changes":[]}');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const xml = await platform().call('GET', PATH, { token, headers: { accept: 'application/xml' } });
      assert.equal(xml.text, '<?xml version="1.0" encoding="UTF-8"?><response></response>');
      assert.equal((await platform().call('HEAD', PATH, { token })).status, 405);
    });

    test('connection events have the common members alone', async () => {
      await tell(Event.connectionCreated);
      same(await only(), common('connection_created'));
      await tell(Event.connectionDeleted);
      same(await only(), common('connection_deleted'));
    });

    test('consent events have the slug and no value', async () => {
      await putAnswer(platform(), service, slot(), { value: 'wrapper' });
      for (const event of [Event.consentAccepted, Event.consentDeclined]) {
        await tell(event, { slug: 'mail' });
        same(await only(), { ...common(event), slug: 'mail' });
      }
    });

    test('field events tell what the slot holds as at delivery, whatever was raised', async () => {
      for (const raised of [Event.fieldUpdated, Event.fieldDeleted]) {
        await tell(raised, { slug: 'mail' });
        await putAnswer(platform(), service, slot(), { value: 'new', live: false, verification: ATTESTED });
        same(await only(), {
          ...common('field_updated'),
          slug: 'mail',
          live: false,
          value: 'new',
          ...ATTESTED,
        });
        await tell(raised, { slug: 'mail' });
        await dropAnswer(platform(), service, slot());
        same(await only(), { ...common('field_deleted'), slug: 'mail' });
      }
    });

    test('a binary answer is named by its address', async () => {
      await putAnswer(platform(), service, slot(), { value: null });
      await tell(Event.fieldUpdated, { slug: 'mail' });
      same(await only(), {
        ...common('field_updated'),
        slug: 'mail',
        live: true,
        value_url: `/api/company-data/connections/${customer.connectionId}/slots/${service.rows.mail}/file`,
      });
    });

    test('other events have the members they were raised with', async () => {
      await tell(Event.connectionRequestAccepted, { payload: { request_id: 'r-1' } });
      same(await only(), { ...common('connection_request_accepted'), request_id: 'r-1' });
      await tell(Event.messageReceived, { payload: { message_id: 'm-1' } });
      same(await only(), {
        ...common('message_received'),
        connection_id: customer.connectionId,
        message_id: 'm-1',
      });
    });

    test('the change feed can be read as XML', async () => {
      await tell(Event.connectionCreated);
      const { text } = await platform().call('GET', PATH, { token, headers: { accept: 'application/xml' } });
      assert.match(
        text,
        /<response><changes><item><id>[^<]+<\/id><event>connection_created<\/event><person_user_id>[^<]+<\/person_user_id><share_code>[^<]+<\/share_code><at>[^<]+<\/at><customer_type>person<\/customer_type><\/item><\/changes><\/response>$/,
      );
    });
  });

  test('drains oldest first: 100 by default, 500 at most', async () => {
    const { service, token } = await setUp(platform());
    const people = await fill(platform(), service, 130);
    assert.deepEqual(peopleOf(await drain(token)), people.slice(0, 100));
    assert.deepEqual(peopleOf(await drain(token, '?limit=7')), people.slice(100, 107));
    assert.deepEqual(peopleOf(await drain(token, '?limit=500')), people.slice(107));
    assert.deepEqual(await drain(token), []);
    await emptied(service);
    proves('limit:pageDefault', 'limit:pageMost');
    for (const query of ['limit=0', 'limit=501', 'limit=all']) {
      const { status, body } = await platform().call('GET', `${PATH}?${query}`, { token });
      assert.equal(status, 400);
      assert.equal(body.error_key, 'request.invalid');
    }
  });

  test('tells its company how far it is behind, and gives nothing away by it', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, ROWS);
    const read = (by = company.token) =>
      platform().call('GET', `/api/services/${service.id}/changes`, { token: by });
    assert.deepEqual((await read()).body, { backlog: 0, oldest_backlog_at: null });
    await fill(platform(), service, 2);
    const { oldest_backlog_at: oldest } = (await read()).body;
    assert.ok(Math.abs(Date.parse(oldest) - platform().clock.now()) < 60_000, oldest);
    await fill(platform(), service, limits.feedCountMost);
    assert.deepEqual((await read()).body, { backlog: limits.feedCountMost, oldest_backlog_at: oldest });
    proves('route:GET /api/services/{id}/changes', 'limit:feedCountMost');
    const other = await read((await registerCompany(platform())).token);
    assert.deepEqual([other.status, other.body.error_key], [404, 'services.not_found']);
  });

  test('an unknown webhook has no backlog', async () => {
    const { token } = await setUp(platform());
    const { status, body } = await platform().call('GET', `${PATH}?webhook_id=nothing`, { token });
    assert.equal(status, 404);
    assert.equal(body.error_key, 'company_data.webhook_not_found');
  });

  test('a data client drains only the feed of its own service', async () => {
    const { service, token } = await setUp(platform());
    const other = await setUp(platform());
    const people = await fill(platform(), service, 2);
    assert.deepEqual(await drain(other.token), []);
    assert.deepEqual(peopleOf(await drain(token)), people);
  });

  test('drains at the same time never get the same row', async () => {
    const { service, token } = await setUp(platform());
    const people = await fill(platform(), service, 150);
    const drained = await Promise.all(Array.from({ length: 12 }, () => drain(token, '?limit=13')));
    const seen = drained.flatMap(peopleOf);
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(seen.toSorted(), people.toSorted());
    assert.deepEqual(await drain(token), []);
    await emptied(service);
  });

  test('after any events, a drain gives the latest of each identity in the order of the last raise', async () => {
    const { service, token } = await setUp(platform());
    const customers = [
      await insertCustomer(platform(), service),
      await insertCustomer(platform(), service),
      await insertCustomer(platform(), service),
    ] as const;
    for (const { connectionId } of customers) {
      await putAnswer(platform(), service, { connectionId, slug: 'mail' }, { value: 'held' });
    }
    const anEvent = fc.record({
      customer: fc.integer({ min: 0, max: customers.length - 1 }),
      event: fc.constantFrom(...eventNames),
      slug: fc.constantFrom('mail', 'phone'),
      documentId: fc.constantFrom('document-1', 'document-2'),
    });
    const ofSlot: readonly EventName[] = [
      Event.fieldUpdated,
      Event.fieldDeleted,
      Event.consentAccepted,
      Event.consentDeclined,
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(anEvent, { maxLength: 25 }), async (events) => {
        const latest = new Map<
          string,
          { n: number; event: string; person: string; slug: string | undefined }
        >();
        for (const [n, raised] of events.entries()) {
          const customer = customers[raised.customer] ?? customers[0];
          const slug = ofSlot.includes(raised.event) ? raised.slug : undefined;
          const ofDocument = raised.event === Event.documentStatusChanged;
          await raise(platform(), service, customer, raised.event, {
            ...(slug === undefined ? {} : { slug }),
            ...(ofDocument ? { documentId: raised.documentId } : {}),
            payload: { n },
          });
          const key = collapseKey(raised.event, {
            id: String(n),
            customerId: customer.person.id,
            connectionId: customer.connectionId,
            requestFieldId: slug ?? null,
            ...(ofDocument ? { documentId: raised.documentId } : {}),
          });
          const ofField = raised.event === Event.fieldUpdated || raised.event === Event.fieldDeleted;
          const event = !ofField ? raised.event : slug === 'mail' ? Event.fieldUpdated : Event.fieldDeleted;
          latest.set(key, { n, event, person: customer.person.id, slug });
        }
        const expected = [...latest.values()].sort((a, b) => a.n - b.n);
        const changes = await drain(token, '?limit=500');
        assert.deepEqual(
          changes.map((change: { event: string; person_user_id: string; slug?: string }) => ({
            event: change.event,
            person: change.person_user_id,
            slug: change.slug,
          })),
          expected.map(({ event, person, slug }) => ({ event, person, slug })),
        );
        assert.equal(new Set(changes.map((change: { id: string }) => change.id)).size, changes.length);
      }),
      { numRuns: 30 },
    );
  });

  describe('drain without loss', () => {
    const large = 'x'.repeat(20_000);
    const many = '?limit=500';

    test('all comes again when the client reads one chunk and goes away', async () => {
      const { service, token } = await setUp(platform());
      const people = await fill(platform(), service, 120, large);
      const client = await RawClient.open(platform().url);
      client.send(`${PATH}${many}`, token);
      await once(client.socket, 'data');
      client.socket.pause();
      const other = await platform().context.changes.drainFeed(service.id, { clientId: 'other', most: 500 });
      assert.deepEqual(other.events, [], 'no other drain gets what is being sent');
      await client.destroy();
      assert.deepEqual(peopleOf(await redrained(token)), people);
      assert.deepEqual(await drain(token), []);
      await emptied(service);
    });

    test('all comes again when the client sends its request and goes away', async () => {
      const { service, token } = await setUp(platform());
      const people = await fill(platform(), service, 20);
      for (let round = 0; round < 10; round++) {
        const client = await RawClient.open(platform().url);
        client.send(`${PATH}${many}`, token);
        await client.destroy();
      }
      // Each of those requests may still be on its way: rows come as they are released.
      const seen = new Set<string>();
      await eventually('the rows come again', async () => {
        for (const id of peopleOf(await drain(token, many))) seen.add(id);
        return seen.size === people.length ? true : undefined;
      });
      assert.deepEqual(await drain(token), []);
      await emptied(service);
    });

    test('nothing comes again when the client has read all and closes', async () => {
      const { service, token } = await setUp(platform());
      const people = await fill(platform(), service, 120, large);
      const client = await RawClient.open(platform().url);
      client.send(`${PATH}${many}`, token);
      const body = JSON.parse(await client.read());
      client.socket.end();
      assert.deepEqual(peopleOf(body.changes), people);
      assert.deepEqual(await drain(token, many), []);
      await emptied(service);
      assert.deepEqual(await drain(token, many), []);
    });

    test('nothing comes again when the client asked the server to close', async () => {
      const { service, token } = await setUp(platform());
      await fill(platform(), service, 3);
      const client = await RawClient.open(platform().url);
      client.send(PATH, token, ['Connection: close']);
      assert.equal(JSON.parse(await client.read()).changes.length, 3);
      await once(client.socket.resume(), 'close');
      assert.deepEqual(await drain(token), []);
      await emptied(service);
    });

    test('a state that changes while it is being sent comes after', async () => {
      const { service, token } = await setUp(platform());
      const customer = await insertCustomer(platform(), service);
      const slot = { connectionId: customer.connectionId, slug: 'mail' };
      await putAnswer(platform(), service, slot, { value: 'old' });
      await raise(platform(), service, customer, Event.fieldUpdated, { slug: 'mail' });
      const sending = await platform().context.changes.drainFeed(service.id, {
        clientId: 'other',
        most: 100,
      });
      await putAnswer(platform(), service, slot, { value: 'new' });
      await raise(platform(), service, customer, Event.fieldUpdated, { slug: 'mail' });
      const [after] = await drain(token);
      assert.equal(sending.events[0]?.value, 'old');
      assert.equal(after.value, 'new');
      assert.notEqual(after.id, sending.events[0]?.id);
      await sending.release();
      assert.deepEqual(await drain(token), [], 'the old state does not come after the new one');
    });
  });

  describe('leases', () => {
    const instance = (owner: string, timers = new FakeTimers()) => {
      const { availability, database, log } = platform().context;
      const { clock } = platform();
      const deps = { availability, database, clock, timers, log, queues: feeds, owner };
      return { claims: new LeaseClaims(deps), timers };
    };
    const ids = ({ rows }: Claim) => rows.map((row) => row.customer_id);
    const from = ({ id }: TestService, most: number) => ({ queue: id, clientId: 'client', most });
    const onlyPostgres = (t: { skip(reason: string): void }) => {
      if (platform().engine === 'postgres') return true;
      t.skip('several processes share PostgreSQL alone');
      return false;
    };

    test('claims of a dead process run out, and end at once when it restarts', async (t) => {
      if (!onlyPostgres(t)) return;
      const { service } = await setUp(platform());
      const people = await fill(platform(), service, 6);
      const first = instance('first').claims;
      const second = instance('second').claims;
      assert.deepEqual(ids(await first.claim(from(service, 4))), people.slice(0, 4));
      assert.deepEqual(ids(await second.claim(from(service, 4))), people.slice(4));
      await instance('first').claims.start();
      assert.deepEqual(ids(await second.claim(from(service, 9))), people.slice(0, 4));
      platform().clock.advance(9_999);
      assert.deepEqual(ids(await first.claim(from(service, 9))), []);
      platform().clock.advance(1);
      assert.deepEqual(ids(await first.claim(from(service, 9))), people);
    });

    test('claims are renewed only while their rows are being sent', async (t) => {
      if (!onlyPostgres(t)) return;
      const { service } = await setUp(platform());
      const people = await fill(platform(), service, 2);
      const { claims, timers } = instance('first');
      const other = instance('other').claims;
      await claims.start();
      const claim = await claims.claim(from(service, 9));
      for (let step = 0; step < 5; step++) {
        platform().clock.advance(3_000);
        timers.advance(3_000);
        await eventually('the renewal', () => (timers.size > 0 ? true : undefined));
        assert.deepEqual(ids(await other.claim(from(service, 9))), []);
      }
      await claim.release();
      assert.deepEqual(ids(await other.claim(from(service, 9))), people);
      timers.advance(3_000);
      assert.equal(timers.size, 0);
    });

    test('renewing claims is tried again after it failed', async (t) => {
      if (!onlyPostgres(t)) return;
      const { service } = await setUp(platform());
      await fill(platform(), service, 1);
      const { database } = platform().context;
      const timers = new FakeTimers();
      let broken = false;
      const claims = new LeaseClaims({
        database: {
          ...database,
          write: async (work) => {
            if (broken) throw new Error('no database');
            return database.write(work);
          },
        },
        clock: platform().clock,
        timers,
        log: pino({ level: 'silent' }),
        availability: platform().context.availability,
        queues: feeds,
        owner: 'unlucky',
      });
      await claims.start();
      await claims.claim(from(service, 9));
      broken = true;
      timers.advance(3_000);
      await eventually('the next try', () => (timers.size > 0 ? true : undefined));
      broken = false;
      await claims.stop();
      assert.equal(timers.size, 0);
    });
  });
});
