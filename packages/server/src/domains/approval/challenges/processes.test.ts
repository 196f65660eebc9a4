import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  type AskingService,
  asked,
  createAskingService,
  deny,
  enrolledPerson,
  poll,
} from '@symbolon/testkit/actors/second-factor';
import { engines } from '@symbolon/testkit/platform/engines';
import { FakeClock, startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';

/** How long a process that died is respected. */
const CLAIM_MS = 15_000;

describe('an outcome that several processes can tell', { skip: !engines.includes('postgres') }, () => {
  let one: TestPlatform & { stop(): Promise<void> };
  let two: TestPlatform & { stop(): Promise<void> };
  let service: AskingService;
  const clock = new FakeClock();
  before(async () => {
    const shared = { SYMBOLON_SECRET: randomBytes(32).toString('base64') };
    one = await startPlatform('postgres', { ...shared, SYMBOLON_INSTANCE: 'one' }, clock);
    const DATABASE_URL = one.context.config.databaseUrl ?? '';
    two = await startPlatform('postgres', { ...shared, DATABASE_URL, SYMBOLON_INSTANCE: 'two' }, clock);
    service = await createAskingService(one);
  });
  after(async () => {
    await two?.stop();
    await one?.stop();
  });
  const denied = async () => {
    const person = await enrolledPerson(one, service);
    const { challenge_id } = await asked(one, service, person);
    await deny(two, person, challenge_id);
    return challenge_id;
  };

  test('is delivered to one of 500 polls that come at both', async () => {
    const id = await denied();
    const polls = Array.from({ length: 500 }, (_, n) => poll(n % 2 === 0 ? one : two, service, id));
    const answers = await Promise.all(polls);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 410));
  });

  test('of a process that failed to hand it over goes to the other process, and of one that died counts as delivered', async () => {
    const { outcomes } = one.context;
    const ref = { companyId: service.company.id, serviceId: service.id };
    const failing = await denied();
    const first = await outcomes.poll(ref, failing);
    const waiting = poll(two, service, failing);
    first.handover?.failed();
    assert.equal((await waiting).body.status, 'denied');

    const dying = await denied();
    await outcomes.poll(ref, dying);
    const late = poll(two, service, dying);
    clock.advance(CLAIM_MS);
    assert.equal((await late).body.error_key, 'twofa.result_consumed');
    // What the first one still writes down changes nothing.
    assert.equal((await poll(two, service, dying)).status, 410);
  });
});
