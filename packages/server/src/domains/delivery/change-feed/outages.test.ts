import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Event } from '@symbolon/protocol';
import { createService, dataToken, registerCompany, type TestService } from '@symbolon/testkit/actors/actors';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { makeReadOnly } from '@symbolon/testkit/platform/outages';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { pino } from 'pino';
import { writesPaused } from '../../../db/paused-writes.ts';
import type { Claim, Claims } from './claims.ts';
import { feeds } from './event-queues.ts';
import { LeaseClaims } from './lease-claims.ts';
import { MemoryClaims } from './memory-claims.ts';

onEachEngine(
  'a feed whose rows cannot be deleted',
  (platform) => {
    async function scene(count: number): Promise<TestService> {
      const service = await createService(platform(), await registerCompany(platform()));
      const { database, outbox } = platform().context;
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
      return service;
    }

    /** Claims on a database whose writes fail while `broken`. */
    function breakable() {
      const { database } = platform().context;
      const state = { broken: false };
      const timers = new FakeTimers();
      const deps = {
        database: {
          ...database,
          write: <T>(work: Parameters<typeof database.write<T>>[0]) =>
            state.broken ? Promise.reject(writesPaused()) : database.write(work),
        },
        clock: platform().clock,
        timers,
        log: pino({ level: 'silent' }),
        availability: { isAway: () => false, explains: () => false },
        queues: feeds,
        owner: 'one',
      };
      const claims: Claims = platform().engine === 'sqlite' ? new MemoryClaims(deps) : new LeaseClaims(deps);
      return { claims, state, timers };
    }

    const numbersOf = ({ rows }: Claim) => rows.map(({ payload }) => JSON.parse(payload).n as number);
    const paused = { key: 'db.writes_paused', status: 503, headers: { 'retry-after': '30' } };

    test('is refused, and later gives nothing again that has arrived', async () => {
      const { id: queue } = await scene(4);
      const { claims, state } = breakable();
      const from = { queue, clientId: 'one', most: 2 };
      const first = await claims.claim(from);
      assert.deepEqual(numbersOf(first), [1, 2]);
      state.broken = true;
      await first.confirm();
      for (let again = 0; again < 3; again++) await assert.rejects(claims.claim(from), paused);
      state.broken = false;
      assert.deepEqual(numbersOf(await claims.claim(from)), [3, 4]);
    });

    test('deletes what has arrived as soon as it can, also without a drain', async () => {
      const { id: queue } = await scene(2);
      const { claims, state, timers } = breakable();
      const first = await claims.claim({ queue, clientId: 'one', most: 2 });
      state.broken = true;
      await first.confirm();
      timers.advance(1_000);
      assert.equal(await claims.settled([queue]), false);
      state.broken = false;
      await eventually('the rows are deleted', async () => {
        timers.advance(1_000);
        return (await claims.settled([queue])) ? true : undefined;
      });
      const left = await platform()
        .context.database.reader.selectFrom('changes')
        .select('id')
        .where('feed', '=', queue)
        .execute();
      assert.deepEqual(left, []);
    });

    test('keeps the word of a client that it could not follow', async () => {
      const { id: queue } = await scene(4);
      const { claims, state } = breakable();
      const from = { queue, clientId: 'one', most: 2 };
      const { rows } = await claims.claim({ ...from, after: '' });
      const after = rows[1]?.id ?? '';
      state.broken = true;
      await assert.rejects(claims.claim({ ...from, after }), paused);
      state.broken = false;
      assert.deepEqual(numbersOf(await claims.claim({ ...from, after })), [3, 4]);
    });

    test('answers 503 over HTTP for as long as nothing can be saved', async () => {
      const service = await scene(3);
      const token = await dataToken(platform(), service);
      const drain = (query: string) =>
        platform().call('GET', `/api/company-data/changes?${query}`, { token });
      const first = await drain('limit=1');
      assert.equal(first.body.changes.length, 1);
      const end = await makeReadOnly(platform());
      // Confirms the first, by silence: that cannot be saved.
      const seen = new Set<string>([first.body.changes[0].id]);
      for (let again = 0; again < 20; again++) {
        const answer = await drain('limit=1');
        if (answer.status === 200) {
          const [event] = answer.body.changes;
          assert.ok(!seen.has(event.id), 'the same event again');
          seen.add(event.id);
        } else {
          assert.equal(answer.headers.get('retry-after') !== null, true, answer.text);
        }
      }
      const refused = await drain('after=');
      assert.deepEqual([refused.status, refused.body.error_key], [503, 'db.writes_paused']);
      await end();
      const rest = await eventually('a drain is answered', async () => {
        const answer = await drain('limit=10');
        return answer.status === 200 ? (answer.body.changes as { id: string }[]) : undefined;
      });
      for (const { id } of rest) assert.ok(!seen.has(id), 'the same event again');
      assert.equal(rest.length + seen.size, 3);
    });
  },
  { SYMBOLON_LOG_LEVEL: 'silent' },
);
