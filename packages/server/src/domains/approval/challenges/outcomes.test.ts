import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { TestPerson } from '@symbolon/testkit/actors/actors';
import {
  type AskingService,
  asked,
  createAskingService,
  deny,
  enrolledPerson,
  poll,
} from '@symbolon/testkit/actors/second-factor';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { breakAnswers } from '@symbolon/testkit/platform/broken-answers';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { beforeNextWrite } from '@symbolon/testkit/platform/overtaking';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import { Availability } from '../../../core/availability.ts';
import { writesPaused } from '../../../db/paused-writes.ts';
import { Outcomes } from './outcomes.ts';

const LIFETIME_MS = 300_000;

onEachEngine('the outcome of a challenge', (platform) => {
  let service: AskingService;
  let person: TestPerson;
  before(async () => {
    service = await createAskingService(platform());
  });

  /** A challenge that its person denied. */
  const denied = async () => {
    person = await enrolledPerson(platform(), service);
    const { challenge_id } = await asked(platform(), service, person);
    assert.equal((await deny(platform(), person, challenge_id)).status, 200);
    return challenge_id;
  };

  const ref = () => ({ companyId: service.company.id, serviceId: service.id });

  /** Outcomes of a process whose writes can be made to fail. */
  const breakable = () => {
    const { database } = platform().context;
    const timers = new FakeTimers();
    let broken = false;
    const outcomes = new Outcomes({
      ...platform().context,
      database: {
        ...database,
        write: (work) => (broken ? Promise.reject(writesPaused()) : database.write(work)),
      },
      timers,
      availability: new Availability({ ...platform().context, timers }),
    });
    const fail = (on: boolean) => {
      broken = on;
    };
    return { outcomes, timers, fail };
  };

  test('is delivered once, and then it is gone', async () => {
    const id = await denied();
    const at = new Date(platform().clock.now()).toISOString();
    const first = await poll(platform(), service, id);
    assert.deepEqual([first.status, first.body], [200, { status: 'denied', completed_at: at }]);
    for (let again = 0; again < 2; again++) {
      const { status, body } = await poll(platform(), service, id);
      assert.deepEqual([status, body.error, body.error_key], [410, 'gone', 'twofa.result_consumed']);
    }
    proves('error:twofa.result_consumed');
  });

  test('is not delivered when another poll had it between the look and the note', async (t) => {
    const id = await denied();
    const { database } = platform().context;
    beforeNextWrite(t, platform(), () =>
      database.write((writer) =>
        writer.updateTable('two_factor_challenges').set({ delivered: 1 }).where('id', '=', id).execute(),
      ),
    );
    const { status, body } = await poll(platform(), service, id);
    assert.deepEqual([status, body.error_key], [410, 'twofa.result_consumed']);
  });

  test('of an unanswered challenge is that it expired', async () => {
    const asks = await enrolledPerson(platform(), service);
    const { challenge_id, expires_at } = await asked(platform(), service, asks);
    platform().clock.advance(LIFETIME_MS - 1);
    assert.equal((await poll(platform(), service, challenge_id)).body.status, 'pending');
    platform().clock.advance(1);
    const expired = await poll(platform(), service, challenge_id);
    assert.deepEqual(expired.body, { status: 'expired', completed_at: expires_at });
    assert.equal((await poll(platform(), service, challenge_id)).status, 410);
  });

  test('is delivered to one of 500 polls that come at once', async () => {
    const id = await denied();
    const answers = await Promise.all(Array.from({ length: 500 }, () => poll(platform(), service, id)));
    const told = answers.filter(({ status }) => status === 200);
    assert.equal(told.length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 410));
  });

  test('goes to the next poll when the socket breaks before the answer is handed over', async () => {
    const id = await denied();
    const path = `/api/service-2fa/challenges/${id}`;
    const stop = breakAnswers(platform());
    try {
      for (let round = 0; round < 5; round++)
        await assert.rejects(poll(platform(), service, id), /ECONNRESET/);
      // All of them take it one after the other, and all of them break.
      const burst = Array.from({ length: 50 }, () => poll(platform(), service, id));
      const broken = await Promise.allSettled(burst);
      assert.ok(broken.every(({ status }) => status === 'rejected'));
    } finally {
      stop();
    }
    // A client that hung up before its answer was made takes nothing either.
    const gone = await RawClient.open(platform().url);
    gone.send(path, service.dataToken);
    gone.socket.resetAndDestroy();
    assert.equal((await poll(platform(), service, id)).status, 200);
    assert.equal((await poll(platform(), service, id)).status, 410);
  });

  test('is delivered to the next poll when it could be given back only later', async () => {
    const id = await denied();
    const { outcomes, timers, fail } = breakable();
    const first = await outcomes.poll(ref(), id);
    const waiting = outcomes.poll(ref(), id);
    fail(true);
    first.handover?.failed();
    await assert.rejects(waiting, { key: 'twofa.unavailable' });
    await assert.rejects(outcomes.poll(ref(), id), { key: 'twofa.unavailable' });
    fail(false);
    const told = await eventually('it is given back', async () => {
      timers.advance(1_000);
      return outcomes.poll(ref(), id).catch(() => undefined);
    });
    assert.equal(told.result.status, 'denied');
    told.handover?.done();
  });

  test('counts as delivered when the process that was sending it is gone', async (t) => {
    if (platform().engine !== 'sqlite') return t.skip('processes that share a database: processes.test.ts');
    const id = await denied();
    assert.equal((await breakable().outcomes.poll(ref(), id)).result.status, 'denied');
    // It was killed before it knew whether the answer arrived; the next one has its database and not its memory.
    const after = breakable().outcomes;
    await assert.rejects(after.poll(ref(), id), { key: 'twofa.result_consumed' });
  });

  test('is delivered to the next poll when the one that has it fails, and to one alone', async () => {
    const id = await denied();
    const { outcomes } = breakable();
    const first = await outcomes.poll(ref(), id);
    const second = outcomes.poll(ref(), id);
    const third = outcomes.poll(ref(), id);
    first.handover?.failed();
    const taken = await Promise.race([second, third]);
    taken.handover?.done();
    const both = await Promise.allSettled([second, third]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  test('is not delivered while saving is paused, and a pending one is', async () => {
    const id = await denied();
    const asks = await enrolledPerson(platform(), service);
    const waiting = await asked(platform(), service, asks);
    const { maintenance, database } = platform().context;
    const pause = async (on: boolean) => {
      await database.write((writer) => maintenance.set(writer, 'writes_paused', on, null));
      await maintenance.apply();
    };
    await pause(true);
    try {
      const refused = await poll(platform(), service, id);
      assert.deepEqual([refused.status, refused.body.error_key], [503, 'twofa.unavailable']);
      assert.equal(refused.headers.get('retry-after'), '30');
      assert.equal((await poll(platform(), service, waiting.challenge_id)).body.status, 'pending');
    } finally {
      await pause(false);
    }
    assert.equal((await poll(platform(), service, id)).body.status, 'denied');
    proves('error:twofa.unavailable');
  });
});
