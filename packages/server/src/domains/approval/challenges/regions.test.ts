import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import {
  type AskingService,
  approve,
  ask,
  asked,
  cardsOf,
  createAskingService,
  deny,
  enrol,
  enrollmentsOf,
  otherDigits,
  poll,
  setNumberMatching,
} from '@symbolon/testkit/actors/second-factor';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { withRegions } from '@symbolon/testkit/platform/regions';

const LIFETIME_MS = limits.challengeLifetimeMs;

withRegions('challenges across regions', ['eu', 'us'], (regions) => {
  for (const [home, other] of [
    ['eu', 'us'],
    ['us', 'eu'],
  ] as const) {
    describe(`the person at home in ${home}, the service in ${other}`, () => {
      const near = () => regions().region(home);
      const far = () => regions().region(other);
      let service: AskingService;
      let person: TestPerson;
      before(async () => {
        service = await createAskingService(far());
        person = await registerPerson(near());
        await regions().settle();
        await enrol(far(), person, service);
      });

      test('the person sees who asks, with what a proof needs, in every region', async () => {
        const { challenge_id } = await asked(far(), service, person, { context: 'From afar' });
        for (const region of [near(), far()]) {
          const [card, ...more] = await cardsOf(region, person);
          proves('route:GET /api/person/two-factor/challenges');
          assert.deepEqual([card.challenge_id, card.context, more], [challenge_id, 'From afar', []]);
          assert.ok(card.presence.nonce !== '' && card.presence.methods.includes('password'));
          const path = `/api/person/two-factor/challenges/${challenge_id}`;
          const one = await region.call('GET', path, { token: person.token });
          proves('route:GET /api/person/two-factor/challenges/{id}');
          assert.equal(one.body.context, 'From afar');
        }
        proves('route:POST /api/person/two-factor/challenges/{id}/deny');
        assert.equal((await deny(near(), person, challenge_id)).status, 200);
        assert.deepEqual(await cardsOf(near(), person), []);
        assert.equal((await poll(far(), service, challenge_id)).body.status, 'denied');
        regions().clock.advance(60_000);
      });

      test('approves at home, where the proof is checked, and the digits are compared where the challenge is', async () => {
        await setNumberMatching(far(), service, true);
        for (const region of [near(), far()]) {
          const { challenge_id, matching_digits } = await asked(far(), service, person);
          const digits = otherDigits(matching_digits);
          const wrong = await approve(region, person, challenge_id, { digits });
          assert.deepEqual([wrong.status, wrong.body.tries_left], [400, 2], wrong.text);
          const lie = { kind: 'password', login_secret: Buffer.alloc(32, 7).toString('base64') };
          const forged = await approve(region, person, challenge_id, { proof: lie, digits: matching_digits });
          assert.deepEqual([forged.status, forged.body.error_key], [401, 'auth.credentials_invalid']);
          const right = await approve(region, person, challenge_id, { digits: matching_digits });
          assert.deepEqual([right.status, right.body], [200, { status: 'approved' }], right.text);
          assert.equal((await poll(far(), service, challenge_id)).body.status, 'approved');
        }
        await setNumberMatching(far(), service, false);
      });

      test('devices at home hear of it', async () => {
        using device = await Listener.open(near(), { token: person.token });
        const { challenge_id } = await asked(far(), service, person);
        assert.deepEqual(await device.heard(1), ['two_factor_challenge']);
        assert.deepEqual(device.events[0]?.data, { id: challenge_id });
        await approve(near(), person, challenge_id);
        assert.deepEqual(await device.heard(2), ['two_factor_challenge', 'two_factor_challenge_closed']);
      });

      test('expires there: every region says so and refuses answers', async () => {
        const { challenge_id: id, expires_at } = await asked(far(), service, person);
        assert.deepEqual(
          (await cardsOf(near(), person)).map((card) => card.challenge_id),
          [id],
        );
        regions().clock.advance(LIFETIME_MS - 1);
        assert.equal((await cardsOf(near(), person)).length, 1);
        regions().clock.advance(1);
        for (const region of [near(), far()]) {
          assert.deepEqual(await cardsOf(region, person), []);
          const path = `/api/person/two-factor/challenges/${id}`;
          const card = await region.call('GET', path, { token: person.token });
          assert.deepEqual([card.status, card.body.status], [200, 'expired'], card.text);
          const late = [await approve(region, person, id), await deny(region, person, id)];
          assert.deepEqual(
            late.map(({ status, body }) => [status, body.error_key]),
            Array(2).fill([409, 'twofa.not_pending']),
          );
        }
        assert.deepEqual((await poll(far(), service, id)).body, {
          status: 'expired',
          completed_at: expires_at,
        });
      });

      test('mutes and revokes the enrolment from home', async () => {
        regions().clock.advance(10);
        const own = await createAskingService(near());
        await enrol(near(), person, own);
        const enrolled = await enrollmentsOf(near(), person);
        assert.deepEqual(
          enrolled.map(({ service: { id } }) => id),
          [service.id, own.id],
        );
        const { challenge_id } = await asked(far(), service, person);
        const path = `/api/person/two-factor/enrollments/${enrolled[0].enrollment_id}`;
        const call = (method: string, end: string, body: object) =>
          near().call(method, `${path}${end}`, { token: person.token, body });
        proves('route:PUT /api/person/two-factor/enrollments/{id}/mute');
        assert.equal((await call('PUT', '/mute', { muted: true })).body.muted, true);
        proves('route:GET /api/service-2fa/challenges/{id}');
        assert.equal((await poll(far(), service, challenge_id)).body.status, 'revoked');
        assert.equal((await ask(far(), service, person)).status, 429);
        const proof = { kind: 'password', login_secret: person.loginSecret };
        const revoked = await call('DELETE', '', { proof });
        assert.equal(revoked.status, 204, revoked.text);
        assert.equal((await ask(far(), service, person)).status, 404);
        assert.equal((await enrollmentsOf(near(), person)).length, 1);
        proves('route:DELETE /api/person/two-factor/enrollments/{id}');
      });
    });
  }
});
