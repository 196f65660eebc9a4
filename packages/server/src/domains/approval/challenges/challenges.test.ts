import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import {
  type AskingService,
  ask,
  asked,
  cardsOf,
  createAskingService,
  deny,
  enrol,
  enrolledPerson,
  poll,
  setNumberMatching,
} from '@symbolon/testkit/actors/second-factor';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const LIFETIME_MS = 300_000;
const refusal = ({ status, body }: { status: number; body: { error_key?: string } }) => [
  status,
  body.error_key,
];

onPlatform('asking a person', (platform) => {
  let service: AskingService;
  let person: TestPerson;
  before(async () => {
    service = await createAskingService(platform());
    person = await enrolledPerson(platform(), service);
  });

  test('gives a challenge that is pending, and the person sees who asks and why', async () => {
    const answer = await ask(platform(), service, person, { context: 'Sign-in from Berlin' });
    const at = platform().clock.now();
    assert.deepEqual(
      [answer.status, answer.body],
      [
        201,
        {
          challenge_id: answer.body.challenge_id,
          status: 'pending',
          expires_at: new Date(at + LIFETIME_MS).toISOString(),
        },
      ],
    );
    const polled = await poll(platform(), service, answer.body.challenge_id);
    assert.deepEqual(
      [polled.status, polled.body],
      [200, { status: 'pending', expires_at: answer.body.expires_at }],
    );
    const [card] = await cardsOf(platform(), person);
    const { presence: _, ...shown } = card;
    assert.deepEqual(shown, {
      challenge_id: answer.body.challenge_id,
      status: 'pending',
      service: { id: service.id, name: 'Shop', share_code: service.code },
      company: { user_id: service.company.id, display_name: 'Acme', company_code: service.company.code },
      context: 'Sign-in from Berlin',
      number_matching: false,
      created_at: new Date(at).toISOString(),
      expires_at: answer.body.expires_at,
    });
    const path = `/api/person/two-factor/challenges/${answer.body.challenge_id}`;
    const one = await platform().call('GET', path, { token: person.token });
    assert.equal(one.body.context, 'Sign-in from Berlin');
    platform().clock.advance(LIFETIME_MS);
  });

  test('needs a share code and an idempotency key, and takes a context of 200 characters', async () => {
    const call = (body: object) =>
      platform().call('POST', '/api/service-2fa/challenges', { token: service.dataToken, body });
    const right = { share_code: person.shareCode, idempotency_key: 'k' };
    const { share_code: _, ...noCode } = right;
    const { idempotency_key: __, ...noKey } = right;
    for (const body of [noCode, { ...right, share_code: '' }, { ...right, share_code: '  ' }])
      assert.deepEqual(refusal(await call(body)), [400, 'twofa.share_code_required']);
    proves('error:twofa.share_code_required');
    for (const body of [
      noKey,
      { ...right, idempotency_key: '' },
      { ...right, idempotency_key: 'k'.repeat(65) },
    ])
      assert.deepEqual(refusal(await call(body)), [400, 'twofa.idempotency_key_required']);
    proves('error:twofa.idempotency_key_required', 'limit:idempotencyKeyMost');
    assert.deepEqual(refusal(await call({ ...right, context: 'c'.repeat(201) })), [
      400,
      'twofa.context_too_long',
    ]);
    proves('error:twofa.context_too_long', 'limit:challengeContextMost');
    for (const body of [
      { ...right, context: 'c'.repeat(200) },
      { ...right, idempotency_key: 'k'.repeat(64), context: null },
      { ...right, idempotency_key: 'emoji', context: '😀'.repeat(200) },
    ]) {
      assert.equal((await call(body)).status, 201);
    }
    platform().clock.advance(LIFETIME_MS);
  });

  test('finds the person by a code in any case, and by one that an operator gave', async () => {
    const { context } = platform();
    const custom = `C${randomUUID().slice(0, 8).toUpperCase()}`;
    await context.database.write((writer) => context.customShareCodes.add(writer, person.id, custom));
    const typed = ` ${person.shareCode.toLowerCase()} `;
    for (const share_code of [typed, custom])
      assert.equal((await ask(platform(), service, person, { share_code })).status, 201);
    platform().clock.advance(LIFETIME_MS);
  });

  test('answers alike for an unknown code and a person who is not enrolled', async () => {
    const stranger = await registerPerson(platform());
    const elsewhere = await enrolledPerson(platform(), await createAskingService(platform()));
    const answers = [];
    for (const shareCode of ['NOBODY', stranger.shareCode, elsewhere.shareCode, service.company.code])
      answers.push(await ask(platform(), service, { shareCode }));
    for (const { status, text } of answers) assert.deepEqual([status, text], [404, answers[0]?.text]);
    assert.equal(answers[0]?.body.error_key, 'twofa.not_enrolled');
    proves('error:twofa.not_enrolled');
  });

  test('gives the same challenge again for the same key, whatever became of it, and asks once', async () => {
    await setNumberMatching(platform(), service, true);
    const key = { idempotency_key: randomUUID() };
    const first = await ask(platform(), service, person, { ...key, context: 'first' });
    proves('route:POST /api/service-2fa/challenges');
    assert.match(first.body.matching_digits, /^\d\d$/);
    const again = await ask(platform(), service, person, { ...key, context: 'second' });
    assert.deepEqual([again.status, again.body], [201, first.body]);
    const cards = await cardsOf(platform(), person);
    assert.deepEqual(
      cards.map(({ context, number_matching }) => [context, number_matching]),
      [['first', true]],
    );
    // The same key for another person is another challenge.
    const other = await enrolledPerson(platform(), service);
    const theirs = await asked(platform(), service, other, key);
    assert.notEqual(theirs.challenge_id, first.body.challenge_id);
    await deny(platform(), person, first.body.challenge_id);
    assert.equal((await poll(platform(), service, first.body.challenge_id)).body.status, 'denied');
    const denied = await ask(platform(), service, person, key);
    assert.deepEqual([denied.status, denied.body], [201, first.body], 'it says pending');
    platform().clock.advance(LIFETIME_MS);
    const later = await asked(platform(), service, person, key);
    assert.notEqual(later.challenge_id, first.body.challenge_id);
    proves('limit:challengeLifetimeMs');
  });

  test('another service does not find the challenge', async () => {
    const own = await createAskingService(platform());
    const asks = await enrolledPerson(platform(), own);
    const { challenge_id } = await asked(platform(), own, asks);
    const other = await createAskingService(platform());
    for (const id of [challenge_id, randomUUID()])
      assert.deepEqual(refusal(await poll(platform(), other, id)), [404, 'twofa.not_found']);
    proves('error:twofa.not_found');
    const stranger = await registerPerson(platform());
    assert.deepEqual(refusal(await deny(platform(), stranger, challenge_id)), [404, 'twofa.not_found']);
  });

  test('at most three of a service and five of all wait, and the fifth is for a service that has none', async () => {
    const asks = await registerPerson(platform());
    const [one, two, three, four] = [
      await createAskingService(platform()),
      await createAskingService(platform()),
      await createAskingService(platform()),
      await createAskingService(platform()),
    ];
    for (const each of [one, two, three, four]) await enrol(platform(), asks, each);
    const statusOf = async (each: AskingService) => (await ask(platform(), each, asks)).status;
    const key = { idempotency_key: randomUUID() };
    const first = await ask(platform(), one, asks, key);
    assert.deepEqual([await statusOf(one), await statusOf(one), await statusOf(one)], [201, 201, 429]);
    proves('limit:pendingOfServiceMost');
    assert.deepEqual([await statusOf(two), await statusOf(two)], [201, 429], 'the last place is not for it');
    assert.deepEqual([await statusOf(three), await statusOf(three)], [201, 429]);
    proves('limit:pendingOfPersonMost');
    platform().clock.advance(1000);
    const full = await ask(platform(), one, asks);
    assert.deepEqual([...refusal(full), full.body.retry_after], [429, 'twofa.pending_cap', 299]);
    const byOthers = await ask(platform(), four, asks);
    assert.deepEqual(
      [...refusal(byOthers), byOthers.body.retry_after],
      [429, 'twofa.pending_cap', undefined],
      'when others asked is theirs',
    );
    assert.equal(full.headers.get('retry-after'), null, 'clients repeat what has it for minutes');
    proves('error:twofa.pending_cap');
    assert.deepEqual((await ask(platform(), one, asks, key)).body, first.body, 'before any limit');
    platform().clock.advance(LIFETIME_MS);
    assert.equal(await statusOf(one), 201, 'expired ones do not count');
  });

  test('a burst gets no more than a sequence', async () => {
    const own = await createAskingService(platform());
    const asks = await enrolledPerson(platform(), own);
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(platform(), own, asks)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
    const key = { idempotency_key: randomUUID() };
    const other = await enrolledPerson(platform(), own);
    const same = await Promise.all(Array.from({ length: 12 }, () => asked(platform(), own, other, key)));
    assert.equal(new Set(same.map(({ challenge_id }) => challenge_id)).size, 1);
  });
});
