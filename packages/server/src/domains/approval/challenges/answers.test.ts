import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import {
  type AskingService,
  approve,
  ask,
  asked,
  cardsOf,
  createAskingService,
  deny,
  enrol,
  enrolledPerson,
  enrollmentsOf,
  otherDigits,
  poll,
  setNumberMatching,
} from '@symbolon/testkit/actors/second-factor';
import { proves } from '@symbolon/testkit/evidence/evidence';
import type { Answer } from '@symbolon/testkit/platform/calls';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { forgetEvents } from '@symbolon/testkit/platform/raised-events';

const LIFETIME_MS = 300_000;
const MINUTE_MS = 60_000;
const refusal = ({ status, body }: Answer) => [status, body.error_key];

onPlatform('a challenge', (platform) => {
  const changes = async (service: AskingService) => {
    const { changes } = await platform().must('GET', '/api/company-data/changes', {
      token: service.dataToken,
    });
    return changes as Record<string, unknown>[];
  };
  const statusOf = async (service: AskingService, id: string) =>
    (await poll(platform(), service, id)).body.status;

  describe('each row of its table of states', () => {
    let service: AskingService;
    let person: TestPerson;
    before(async () => {
      service = await createAskingService(platform());
    });
    const pending = async (more = {}) => {
      await forgetEvents(platform());
      person = await enrolledPerson(platform(), service);
      return asked(platform(), service, person, more);
    };
    /** Checks that the end of a challenge raised its event, is delivered once and cannot be changed any more. */
    const isOver = async (id: string, status: string, event: boolean) => {
      const at = new Date(platform().clock.now()).toISOString();
      const raised = await changes(service);
      const told = { challenge_id: id, status, completed_at: at };
      assert.deepEqual(
        raised.map(({ id: _, ...body }) => body),
        event
          ? [
              {
                event: '2fa_challenge_completed',
                person_user_id: person.id,
                share_code: person.shareCode,
                customer_type: 'person',
                at,
                ...told,
              },
            ]
          : [],
      );
      if (event) proves('event:2fa_challenge_completed');
      assert.deepEqual(await cardsOf(platform(), person), []);
      for (const late of [approve, deny]) {
        const answer = await late(platform(), person, id);
        // Of a deleted enrolment there is still the challenge.
        assert.deepEqual([...refusal(answer), answer.body.status], [409, 'twofa.not_pending', status]);
      }
      proves('error:twofa.not_pending');
      const first = await poll(platform(), service, id);
      assert.deepEqual(first.body, { status, completed_at: at });
      assert.deepEqual(refusal(await poll(platform(), service, id)), [410, 'twofa.result_consumed']);
      proves('state:challenge.outcome-consumed');
    };

    test('none to pending: a service asks', async () => {
      const { challenge_id } = await pending();
      assert.equal(await statusOf(service, challenge_id), 'pending');
      assert.deepEqual(await changes(service), []);
      proves('state:challenge.none-pending');
    });

    test('pending to approved', async () => {
      const { challenge_id } = await pending();
      const answer = await approve(platform(), person, challenge_id);
      assert.deepEqual([answer.status, answer.body], [200, { status: 'approved' }]);
      await isOver(challenge_id, 'approved', true);
      proves('state:challenge.pending-approved');
    });

    test('pending to denied', async () => {
      const { challenge_id } = await pending();
      const answer = await deny(platform(), person, challenge_id);
      assert.deepEqual([answer.status, answer.body], [200, { status: 'denied' }]);
      await isOver(challenge_id, 'denied', true);
      proves('state:challenge.pending-denied');
    });

    test('pending to denied by three wrong entries', async () => {
      await setNumberMatching(platform(), service, true);
      const { challenge_id, matching_digits } = await pending();
      await setNumberMatching(platform(), service, false);
      for (const left of [2, 1, 0]) {
        const wrong = await approve(platform(), person, challenge_id, {
          digits: otherDigits(matching_digits, left + 1),
        });
        assert.deepEqual([...refusal(wrong), wrong.body.tries_left], [400, 'twofa.digits_wrong', left]);
      }
      proves('error:twofa.digits_wrong', 'limit:wrongDigitsMost');
      await isOver(challenge_id, 'denied', true);
      proves('state:challenge.wrong-digits-denied');
    });

    test('pending to expired, without an event', async () => {
      const { challenge_id } = await pending();
      platform().clock.advance(LIFETIME_MS);
      await isOver(challenge_id, 'expired', false);
      proves('state:challenge.pending-expired');
    });

    test('pending to revoked by the end of the enrolment', async () => {
      const { challenge_id } = await pending();
      const [enrolment] = await enrollmentsOf(platform(), person);
      const path = `/api/person/two-factor/enrollments/${enrolment.enrollment_id}`;
      const proof = { kind: 'password', login_secret: person.loginSecret };
      const revoked = await platform().call('DELETE', path, { token: person.token, body: { proof } });
      assert.equal(revoked.status, 204, revoked.text);
      assert.deepEqual(await enrollmentsOf(platform(), person), []);
      await isOver(challenge_id, 'revoked', true);
      assert.deepEqual(refusal(await ask(platform(), service, person)), [404, 'twofa.not_enrolled']);
      const again = await platform().call('DELETE', path, { token: person.token, body: { proof } });
      assert.deepEqual(refusal(again), [404, 'twofa.enrollment_not_found']);
      proves('state:challenge.pending-revoked', 'error:twofa.enrollment_not_found');
    });

    test('pending to revoked by muting the service, which can ask nothing then', async () => {
      const { challenge_id } = await pending();
      const [enrolment] = await enrollmentsOf(platform(), person);
      const path = `/api/person/two-factor/enrollments/${enrolment.enrollment_id}/mute`;
      const mute = (muted: boolean) => platform().call('PUT', path, { token: person.token, body: { muted } });
      const muted = await mute(true);
      assert.deepEqual([muted.status, muted.body], [200, { ...enrolment, muted: true }]);
      await isOver(challenge_id, 'revoked', true);
      const refused = await ask(platform(), service, person);
      assert.deepEqual(
        [...refusal(refused), refused.headers.get('retry-after'), refused.body.reason],
        [429, 'twofa.pending_cap', null, undefined],
      );
      assert.equal((await mute(false)).body.muted, false);
      assert.equal((await ask(platform(), service, person)).status, 201);
    });
  });

  test('is not approved without a proof of presence, nor with one for another challenge', async () => {
    const service = await createAskingService(platform());
    const person = await enrolledPerson(platform(), service);
    const { challenge_id } = await asked(platform(), service, person);
    const wrong = { kind: 'password', login_secret: Buffer.alloc(32, 7).toString('base64') };
    const none = await approve(platform(), person, challenge_id, { proof: undefined });
    assert.deepEqual(refusal(none), [400, 'request.invalid']);
    const refused = await approve(platform(), person, challenge_id, { proof: wrong });
    assert.deepEqual(refusal(refused), [401, 'auth.credentials_invalid']);
    assert.equal(await statusOf(service, challenge_id), 'pending');
    const stranger = await registerPerson(platform());
    assert.deepEqual(refusal(await approve(platform(), stranger, challenge_id)), [404, 'twofa.not_found']);
    assert.equal(await statusOf(service, challenge_id), 'pending');
  });

  describe('with number matching', () => {
    let service: AskingService;
    let person: TestPerson;
    before(async () => {
      service = await createAskingService(platform());
      await setNumberMatching(platform(), service, true);
      person = await enrolledPerson(platform(), service);
    });
    const isPending = async (id: string) => assert.equal(await statusOf(service, id), 'pending');

    test('needs the digits, which no answer to the person has', async () => {
      const { challenge_id, matching_digits } = await asked(platform(), service, person);
      const bare = await approve(platform(), person, challenge_id);
      assert.deepEqual(refusal(bare), [400, 'twofa.digits_required']);
      proves('error:twofa.digits_required');
      for (const digits of ['', '1', '123', 'ab', null, 12])
        assert.equal((await approve(platform(), person, challenge_id, { digits })).status, 400);
      await isPending(challenge_id);
      const list = await platform().call('GET', '/api/person/two-factor/challenges', { token: person.token });
      const [card] = list.body.challenges;
      assert.ok(!Object.values(card).includes(matching_digits));
      assert.ok(!('matching_digits' in card) && !('digits' in card));
      const right = await approve(platform(), person, challenge_id, { digits: matching_digits });
      assert.equal(right.status, 200, right.text);
    });

    test('another device has to type them too', async () => {
      const { challenge_id, matching_digits } = await asked(platform(), service, person);
      const login = await platform().must('POST', '/api/person/login', {
        body: { email: person.email, login_secret: person.loginSecret },
      });
      const other = { ...person, token: login.access_token };
      assert.equal((await approve(platform(), other, challenge_id)).status, 400);
      const wrong = await approve(platform(), other, challenge_id, { digits: otherDigits(matching_digits) });
      // Entries are counted over all devices.
      const second = await approve(platform(), person, challenge_id, {
        digits: otherDigits(matching_digits),
      });
      assert.deepEqual([wrong.body.tries_left, second.body.tries_left], [2, 1]);
      await isPending(challenge_id);
      const right = await approve(platform(), other, challenge_id, { digits: matching_digits });
      assert.equal(right.status, 200);
    });

    test('an older card, from before it was switched on, can only be denied', async () => {
      await setNumberMatching(platform(), service, false);
      const { challenge_id, matching_digits } = await asked(platform(), service, person);
      assert.equal(matching_digits, undefined);
      await setNumberMatching(platform(), service, true);
      for (const body of [{}, { digits: '00' }]) {
        const refused = await approve(platform(), person, challenge_id, body);
        assert.deepEqual(refusal(refused), [409, 'twofa.number_matching_required']);
      }
      proves('error:twofa.number_matching_required');
      await isPending(challenge_id);
      assert.equal((await cardsOf(platform(), person))[0].number_matching, true);
      assert.equal((await deny(platform(), person, challenge_id)).status, 200);
      platform().clock.advance(MINUTE_MS);
    });

    test('an older card keeps its digits when it is switched off', async () => {
      const { challenge_id, matching_digits } = await asked(platform(), service, person);
      await setNumberMatching(platform(), service, false);
      assert.deepEqual(refusal(await approve(platform(), person, challenge_id)), [
        400,
        'twofa.digits_required',
      ]);
      await setNumberMatching(platform(), service, true);
      assert.equal(
        (await approve(platform(), person, challenge_id, { digits: matching_digits })).status,
        200,
      );
    });

    test('the digits of a second challenge approve nothing but that', async () => {
      const first = await asked(platform(), service, person);
      const second = await asked(platform(), service, person);
      assert.notEqual(first.matching_digits, second.matching_digits);
      const crossed = await approve(platform(), person, first.challenge_id, {
        digits: second.matching_digits,
      });
      assert.deepEqual(refusal(crossed), [400, 'twofa.digits_wrong']);
      await isPending(first.challenge_id);
      await isPending(second.challenge_id);
      const right = await approve(platform(), person, second.challenge_id, {
        digits: second.matching_digits,
      });
      assert.equal(right.status, 200);
      await isPending(first.challenge_id);
      platform().clock.advance(LIFETIME_MS);
    });

    test('a request that is sent again approves no other challenge', async () => {
      const key = { idempotency_key: randomUUID() };
      const first = await asked(platform(), service, person, key);
      const body = { digits: first.matching_digits };
      proves('route:POST /api/person/two-factor/challenges/{id}/approve');
      assert.equal((await approve(platform(), person, first.challenge_id, body)).status, 200);
      assert.equal(await statusOf(service, first.challenge_id), 'approved');
      assert.deepEqual(refusal(await approve(platform(), person, first.challenge_id, body)), [
        409,
        'twofa.not_pending',
      ]);
      platform().clock.advance(LIFETIME_MS);
      const later = await asked(platform(), service, person, key);
      assert.notEqual(later.challenge_id, first.challenge_id);
      assert.equal((await approve(platform(), person, first.challenge_id, body)).status, 409);
      await isPending(later.challenge_id);
      platform().clock.advance(LIFETIME_MS);
    });

    test('guesses that come at once are no more than three', async () => {
      const { challenge_id, matching_digits } = await asked(platform(), service, person);
      const guesses = Array.from({ length: 8 }, (_, by) =>
        approve(platform(), person, challenge_id, { digits: otherDigits(matching_digits, by + 1) }),
      );
      const answers = await Promise.all(guesses);
      const wrong = answers.filter(({ body }) => body.error_key === 'twofa.digits_wrong');
      assert.deepEqual(wrong.map(({ body }) => body.tries_left).sort(), [0, 1, 2]);
      assert.equal(await statusOf(service, challenge_id), 'denied');
    });
  });

  test('an approval and a denial at once have one winner, and one event', async () => {
    const service = await createAskingService(platform());
    const person = await enrolledPerson(platform(), service);
    const { challenge_id } = await asked(platform(), service, person);
    const answers = await Promise.all([
      approve(platform(), person, challenge_id),
      deny(platform(), person, challenge_id),
      approve(platform(), person, challenge_id),
      deny(platform(), person, challenge_id),
    ]);
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    assert.deepEqual(
      (await changes(service)).map(({ status }) => status),
      [won[0]?.body.status],
    );
  });

  test('after a denial the service is quiet, longer with each one, until an approval', async () => {
    const service = await createAskingService(platform());
    const person = await enrolledPerson(platform(), service);
    const other = await createAskingService(platform());
    await enrol(platform(), person, other);
    const denied = async () => {
      const { challenge_id } = await asked(platform(), service, person);
      await deny(platform(), person, challenge_id);
    };
    const isQuietFor = async (ms: number) => {
      const { status, body, headers } = await ask(platform(), service, person);
      const { error_key, reason, retry_after } = body as unknown as Record<string, unknown>;
      assert.deepEqual(
        [status, error_key, reason, retry_after, headers.get('retry-after')],
        [429, 'twofa.pending_cap', 'quiet_time', ms / 1000, null],
      );
      platform().clock.advance(ms - 1);
      const last = await ask(platform(), service, person);
      assert.deepEqual([...refusal(last), last.body.retry_after], [429, 'twofa.pending_cap', 1]);
      platform().clock.advance(1);
    };
    await denied();
    assert.equal((await ask(platform(), other, person)).status, 201, 'another service may ask');
    await isQuietFor(30_000);
    for (const ms of [60_000, 120_000, 240_000, 480_000, 600_000]) {
      await denied();
      await isQuietFor(ms);
    }
    const { challenge_id } = await asked(platform(), service, person);
    assert.equal((await approve(platform(), person, challenge_id)).status, 200);
    await denied();
    await isQuietFor(30_000);
    proves('limit:quiet-time');
  });

  test('an answer on one device closes the card on the others', async () => {
    const service = await createAskingService(platform());
    const person = await enrolledPerson(platform(), service);
    const [phone, laptop] = [
      await Listener.open(platform(), { token: person.token }),
      await Listener.open(platform(), { token: person.token }),
    ];
    try {
      const key = { idempotency_key: randomUUID() };
      const { challenge_id } = await asked(platform(), service, person, key);
      for (const device of [phone, laptop]) assert.deepEqual(await device.heard(1), ['two_factor_challenge']);
      // The repeat shows no second card.
      await asked(platform(), service, person, key);
      await approve(platform(), person, challenge_id);
      for (const device of [phone, laptop]) {
        assert.deepEqual(await device.heard(2), ['two_factor_challenge', 'two_factor_challenge_closed']);
        assert.deepEqual(device.events[1]?.data, { id: challenge_id });
      }
    } finally {
      phone.close();
      laptop.close();
    }
  });

  test('the end of the service closes its cards, before anything else that is left of it', async () => {
    const service = await createAskingService(platform());
    const [first, second] = [
      await enrolledPerson(platform(), service),
      await enrolledPerson(platform(), service),
    ];
    const devices = [];
    try {
      for (const person of [first, second]) {
        const device = await Listener.open(platform(), { token: person.token });
        devices.push({ device, id: (await asked(platform(), service, person)).challenge_id });
      }
      // An answer is no news to anybody.
      const answered = await asked(platform(), service, first);
      await deny(platform(), first, answered.challenge_id);
      await platform().must('DELETE', `/api/services/${service.id}`, { token: service.company.token });
      await platform().context.jobWorker.run();
      for (const { device, id } of devices) {
        await eventually('the card closes', () =>
          device.events.find(({ name, data }) => name === 'two_factor_challenge_closed' && data.id === id),
        );
      }
      const left = await platform()
        .context.database.reader.selectFrom('two_factor_challenges')
        .select('id')
        .where('service_id', '=', service.id)
        .execute();
      assert.deepEqual(left, []);
    } finally {
      for (const { device } of devices) device.close();
    }
  });

  test('that the person did not start is in the log and mailed to the admin, one mail in ten minutes', async () => {
    const service = await createAskingService(platform());
    const admin_email = `admin-${randomUUID()}@example.com`;
    await platform().must('PUT', `/api/services/${service.id}/admin-email`, {
      token: service.company.token,
      body: { admin_email },
    });
    const person = await enrolledPerson(platform(), service);
    const ids: string[] = [];
    for (let round = 0; round < 2; round++) {
      const { challenge_id } = await asked(platform(), service, person, { context: 'secret context' });
      ids.unshift(challenge_id);
      assert.equal((await deny(platform(), person, challenge_id, { not_me: true })).status, 200);
      platform().clock.advance(MINUTE_MS);
    }
    const { items } = await platform().must('GET', '/api/company-data/logs', { token: service.dataToken });
    const told = items.filter(({ type }: { type: string }) => type === 'email');
    assert.deepEqual(
      told.map(({ message, metadata }: { message: string; metadata: object }) => [message, metadata]),
      ids.map((challenge_id) => [
        'A person did not start this login',
        { challenge_id, share_code: person.shareCode },
      ]),
    );
    const audited = await platform().must('GET', '/api/account/audit-log', { token: service.company.token });
    const disowned = audited.items.filter(
      ({ action }: { action: string }) => action === 'service.login_disowned',
    );
    assert.deepEqual(
      disowned.map(({ actor, target, details }: Record<string, unknown>) => [actor, target, details]),
      ids.map((challenge_id) => [
        { kind: 'platform', id: '', name: null, source: null },
        service.id,
        { challenge_id },
      ]),
    );
    const mails = await eventually('the mail', async () => {
      const found = await mailsTo(platform(), admin_email);
      return found.length > 0 ? found : undefined;
    });
    assert.equal(mails.length, 1);
    assert.match(mails[0] ?? '', new RegExp(person.shareCode));
    assert.ok(!mails[0]?.includes('secret context'));
    proves('limit:not-me-mails');
  });
});
