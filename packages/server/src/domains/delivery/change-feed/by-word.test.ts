import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Event } from '@symbolon/protocol';
import {
  createService,
  createWebhook,
  dataToken,
  registerCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { pino } from 'pino';
import { BY_WORD_MS, type Claim, type Claims } from './claims.ts';
import { backlogs, feeds } from './event-queues.ts';
import { LeaseClaims } from './lease-claims.ts';
import { MemoryClaims } from './memory-claims.ts';

const PATH = '/api/company-data/changes';

onEachEngine('a client that confirms with `after`', (platform) => {
  const instance = (owner: string): Claims => {
    const { database } = platform().context;
    const { clock } = platform();
    const deps = {
      database,
      clock,
      timers: new FakeTimers(),
      log: pino({ level: 'silent' }),
      availability: { isAway: () => false, explains: () => false },
      queues: feeds,
      owner,
    };
    return platform().engine === 'sqlite' ? new MemoryClaims(deps) : new LeaseClaims(deps);
  };
  /** A service with so many events in its feed, and in the backlog of a webhook that is bad. */
  async function scene(count: number) {
    const service = await createService(platform(), await registerCompany(platform()));
    const { database, outbox } = platform().context;
    const { id: webhook } = await createWebhook(platform(), service, {
      url: 'https://unreachable.invalid/hook',
      enabled: false,
    });
    await database.write((writer) =>
      writer
        .updateTable('webhooks')
        .set({ health: 'bad', probe_at: platform().clock.now() + 600_000, enabled: 1 })
        .where('id', '=', webhook)
        .execute(),
    );
    const { person, connectionId } = await insertCustomer(platform(), service);
    await database.write((writer) =>
      outbox.raise(
        writer,
        Array.from({ length: count }, (_, n) => ({
          event: Event.documentCreated,
          companyId: service.company.id,
          serviceId: service.id,
          customer: { id: person.id, type: 'person' as const, shareCode: person.share_code },
          connectionId,
          payload: { n: n + 1 },
        })),
      ),
    );
    return { service, webhook: String(webhook) };
  }
  const numbers = (events: readonly { n: number }[]) => events.map(({ n }) => n);
  const numbersOf = ({ rows }: Claim) => rows.map(({ payload }) => JSON.parse(payload).n as number);
  const idOf = ({ rows }: Claim, n: number) =>
    rows.find(({ payload }) => JSON.parse(payload).n === n)?.id ?? '?';
  const from = ({ id }: TestService, most: number, after?: string, clientId = 'one') => ({
    queue: id,
    clientId,
    most,
    after,
  });

  for (const channel of ['feed', 'backlog'] as const) {
    test(`deletes up to the event it names and gets the oldest that are left, from the ${channel}`, async () => {
      const { service, webhook } = await scene(6);
      const token = await dataToken(platform(), service);
      const of = channel === 'feed' ? '' : `&webhook_id=${webhook}`;
      const drain = async (query: string) => {
        const answer = await platform().call('GET', `${PATH}?${query}${of}`, { token });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.headers.get('cache-control'), 'no-store');
        assert.equal(answer.headers.get('x-accel-buffering'), 'no');
        return answer.body.changes as { id: string; n: number }[];
      };
      const left = async () => {
        const { reader } = platform().context.database;
        const rows =
          channel === 'feed'
            ? await reader.selectFrom('changes').select('id').where('feed', '=', service.id).execute()
            : await reader
                .selectFrom('webhook_events')
                .select('id')
                .where('webhook_id', '=', webhook)
                .execute();
        return rows.length;
      };
      const first = await drain('limit=4&after=');
      assert.deepEqual(numbers(first), [1, 2, 3, 4]);
      assert.deepEqual(numbers(await drain('limit=2&after=')), [1, 2], 'nothing seen yet');
      const gone = '00000000-0000-7000-8000-000000000000';
      assert.deepEqual(numbers(await drain(`limit=4&after=${gone}`)), [1, 2, 3, 4]);
      const none = platform().call('GET', `${PATH}?limit=4&after=unknown${of}`, { token });
      assert.deepEqual(await refusalOf(none), [400, 'request.invalid']);
      assert.equal(await left(), 6);
      assert.deepEqual(numbers(await drain(`limit=3&after=${first[1]?.id}`)), [3, 4, 5]);
      assert.equal(await left(), 4);
      assert.deepEqual(
        numbers(await drain(`limit=3&after=${first[1]?.id}`)),
        [3, 4, 5],
        'it is not among them',
      );
      // A drain without `after` gets what is left, too, and confirms nothing of what the client has by word.
      const rest = await drain('');
      assert.deepEqual(numbers(rest), [3, 4, 5, 6]);
      assert.deepEqual(
        numbers(await drain(`after=${rest[0]?.id}`)),
        [4, 5, 6],
        'also what was given without',
      );
      assert.deepEqual(await drain(`after=${rest[3]?.id}`), []);
      assert.equal(await left(), 0);
    });
  }

  describe('claims', () => {
    test('keep what a client has from others for a minute; its word counts until they have it', async () => {
      const { service } = await scene(3);
      const claims = instance('one');
      const first = await claims.claim(from(service, 2, ''));
      assert.deepEqual(numbersOf(await claims.claim(from(service, 9, '', 'two'))), [3]);
      platform().clock.advance(BY_WORD_MS);
      assert.deepEqual(numbersOf(await claims.claim(from(service, 1, undefined, 'two'))), [1]);
      const next = await claims.claim(from(service, 9, idOf(first, 2)));
      assert.deepEqual(numbersOf(next), [3], '1 is on its way to another');
    });

    test('of several answers at once: a word confirms nothing that came only into a later one', async () => {
      const { service } = await scene(4);
      const claims = instance('one');
      const other = await claims.claim(from(service, 1, undefined, 'two'));
      const seen = await claims.claim(from(service, 2, ''));
      assert.deepEqual(numbersOf(seen), [2, 3]);
      await other.release();
      const late = await claims.claim(from(service, 3, ''));
      assert.deepEqual(numbersOf(late), [1, 2, 3], 'a repeated call whose answer is lost');
      assert.deepEqual(numbersOf(await claims.claim(from(service, 9, idOf(seen, 3)))), [1, 4]);
    });

    test('drains of one client with `after` at the same time give the same rows', async () => {
      const { service } = await scene(40);
      const claims = instance('one');
      const all = await Promise.all(Array.from({ length: 8 }, () => claims.claim(from(service, 10, ''))));
      const oldest = Array.from({ length: 10 }, (_, index) => index + 1);
      for (const claim of all) assert.deepEqual(numbersOf(claim), oldest);
    });

    test('that were left to silence delete nothing that the client was given again', async () => {
      const { service } = await scene(3);
      const claims = instance('one');
      const silent = await claims.claim(from(service, 3));
      assert.deepEqual(numbersOf(await claims.claim(from(service, 9, idOf(silent, 1)))), [2, 3]);
      await silent.confirm();
      assert.deepEqual(numbersOf(await claims.claim(from(service, 9, ''))), [2, 3]);
    });

    test('rows that a client has by `after` do not count as being sent', async () => {
      const { service } = await scene(2);
      const claims = instance('one');
      await claims.claim(from(service, 1, ''));
      assert.equal(await claims.settled([service.id]), true);
      const silent = await claims.claim(from(service, 9, undefined, 'two'));
      assert.equal(await claims.settled([service.id]), false);
      await silent.release();
      assert.equal(await claims.settled([service.id]), true);
    });

    test('of another process: the word is taken there; the embedded database gives the rows again', async () => {
      const { service } = await scene(4);
      for (const byWord of [true, false]) {
        const first = instance('first');
        const given = await first.claim(from(service, 2, byWord ? '' : undefined));
        await instance('first').start();
        const next = await instance('second').claim(from(service, 2, idOf(given, byWord ? 1 : 2)));
        const shared = platform().engine === 'postgres';
        if (byWord) assert.deepEqual(numbersOf(next), shared ? [2, 3] : [1, 2]);
        // What a process was sending silently when it died was not handed over for certain.
        else assert.deepEqual(numbersOf(next), shared ? [2, 3] : [1, 2]);
      }
    });

    test('of a backlog are another channel with ids of its own', async () => {
      const { service, webhook } = await scene(2);
      const claims = instance('one');
      const given = await claims.claim(from(service, 9, ''));
      const { backlogClaims } = platform().context;
      assert.equal(backlogs === feeds, false);
      const parked = await backlogClaims.claim({
        queue: webhook,
        clientId: 'one',
        most: 9,
        after: idOf(given, 2),
      });
      assert.deepEqual(numbersOf(parked), [1, 2]);
    });
  });
});
