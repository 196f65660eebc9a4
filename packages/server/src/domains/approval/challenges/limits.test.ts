import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { registerPerson } from '@symbolon/testkit/actors/actors';
import { createApp, decide, opened } from '@symbolon/testkit/actors/consent';
import {
  type AskingService,
  ask,
  asked,
  createAskingService,
  enrol,
  enrolledPerson,
  enrollmentsOf,
  poll,
  setLevel,
} from '@symbolon/testkit/actors/second-factor';
import { proves } from '@symbolon/testkit/evidence/evidence';
import type { Answer } from '@symbolon/testkit/platform/calls';
import { onEachEngine } from '@symbolon/testkit/platform/platform';

const refusal = ({ status, body }: Answer) => [status, body.error_key];

onEachEngine(
  'limits of challenges',
  (platform) => {
    let service: AskingService;
    before(async () => {
      service = await createAskingService(platform());
    });

    test('polls count for their challenge, apart from the other calls of the client', async () => {
      const [one, other] = [
        await asked(platform(), service, await enrolledPerson(platform(), service)),
        await asked(platform(), service, await enrolledPerson(platform(), service)),
      ];
      for (let count = 0; count < 5; count++)
        assert.equal((await poll(platform(), service, one.challenge_id)).status, 200);
      const limited = await poll(platform(), service, one.challenge_id);
      assert.deepEqual(refusal(limited), [429, 'rate_limit.exceeded']);
      assert.match(limited.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      proves('rate:polls');
      assert.equal((await poll(platform(), service, other.challenge_id)).status, 200);
      // Those of challenges that there are not count for the client.
      const statuses = [];
      for (let count = 0; count < 10; count++)
        statuses.push((await poll(platform(), service, randomUUID())).status);
      assert.deepEqual(statuses, [...Array(8).fill(404), 429, 429]);
      assert.equal((await poll(platform(), service, other.challenge_id)).status, 200);
    });

    test('enrolling needs the level, and an enrolment keeps working below it', async () => {
      const own = await createAskingService(platform());
      const person = await enrolledPerson(platform(), own);
      await setLevel(platform(), own.company.id, 'basic');
      await assert.rejects(enrol(platform(), await registerPerson(platform()), own), {
        key: 'twofa.level_required',
      });
      await enrol(platform(), person, own);
      assert.equal((await enrollmentsOf(platform(), person)).length, 1, 'once');
      assert.equal((await ask(platform(), own, person)).status, 201);
      assert.equal(
        await platform().context.enrolments.canEnrol(platform().context.database.reader, own.company.id),
        false,
      );
    });

    test('a person can be enrolled with 500 services', async () => {
      const person = await registerPerson(platform());
      await platform().context.database.write((writer) =>
        writer
          .insertInto('two_factor_enrolments')
          .values(
            Array.from({ length: limits.enrolmentsMost }, () => ({
              company_id: service.company.id,
              id: randomUUID(),
              service_id: randomUUID(),
              person_id: person.id,
              app_id: null,
              muted: 0 as const,
              denials: 0,
              denied_at: null,
              created_at: 0,
            })),
          )
          .execute(),
      );
      const app = await createApp(platform(), service.company, { service_id: service.id });
      const request = await opened(platform(), app, { mode: '2fa_enroll' });
      const refused = await decide(platform(), person, 'approve', request);
      assert.deepEqual(refusal(refused), [409, 'twofa.enrollments_limit']);
      proves('limit:enrolmentsMost', 'error:twofa.enrollments_limit');
    });

    test('codes of people who are not enrolled count as unknown ones, and enrolled people stay reachable', async () => {
      const own = await createAskingService(platform());
      const person = await enrolledPerson(platform(), own);
      const strangers = [await registerPerson(platform()), await registerPerson(platform())];
      for (const { shareCode } of [...strangers, { shareCode: 'NOBODY' }, { shareCode: 'NOBODY2' }])
        assert.equal((await ask(platform(), own, { shareCode })).status, 404);
      await enrol(platform(), strangers[0] ?? person, own);
      assert.equal((await ask(platform(), own, person)).status, 201);
      const key = await platform().call('GET', `/api/keys/${strangers[1]?.shareCode}`, {
        token: own.dataToken,
      });
      assert.equal(key.status, 404, 'above the limit every code is unknown');
    });

    test('challenges are kept for a day', async () => {
      const person = await enrolledPerson(platform(), service);
      const { challenge_id } = await asked(platform(), service, person);
      const day = limits.challengeLifetimeMs + 24 * 60 * 60_000;
      const rows = () =>
        platform()
          .context.database.reader.selectFrom('two_factor_challenges')
          .select('id')
          .where('id', '=', challenge_id)
          .execute();
      const sweep = platform().context.domain.sweeps.find(({ name }) => name === 'challenges');
      platform().clock.advance(day - 1);
      await sweep?.run(new AbortController().signal);
      assert.equal((await rows()).length, 1);
      platform().clock.advance(1);
      await sweep?.run(new AbortController().signal);
      assert.deepEqual(await rows(), []);
    });
  },
  { SYMBOLON_RATE_POLLS: '5', SYMBOLON_RATE_DEFAULT: '8', SYMBOLON_RATE_UNKNOWN_CODES: '4' },
);
