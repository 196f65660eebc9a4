import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import type { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { createApp, decide, opened } from '@symbolon/testkit/actors/consent';
import { addPasskey, passkeyProof } from '@symbolon/testkit/actors/passkeys';
import {
  type AskingService,
  approve,
  asked,
  cardsOf,
  createAskingService,
  enrol,
  enrollmentsOf,
  poll,
  setNumberMatching,
} from '@symbolon/testkit/actors/second-factor';
import type { Answer } from '@symbolon/testkit/platform/calls';
import { onEachEngine } from '@symbolon/testkit/platform/platform';

const refusal = ({ status, body }: Answer) => [status, body?.error_key];
const INVALID = [401, 'auth.passkey_invalid'];

/* A proof by passkey is for one card, one decision and one use. Nothing that was made for something else approves. */

onEachEngine('a passkey that answered something else', (platform) => {
  let service: AskingService;
  let other: AskingService;
  let person: TestPerson;
  let authenticator: SoftwareAuthenticator;
  before(async () => {
    service = await createAskingService(platform());
    other = await createAskingService(platform());
    person = await registerPerson(platform());
    await enrol(platform(), person, service);
    await enrol(platform(), person, other);
    ({ authenticator } = await addPasskey(platform(), person));
  });

  const statusOf = async (from: AskingService, id: string) => (await poll(platform(), from, id)).body.status;
  /** The nonce that a card brings. */
  const presenceOf = async (id: string): Promise<{ nonce: string }> =>
    (await cardsOf(platform(), person)).find(({ challenge_id }) => challenge_id === id).presence;
  const approveWith = async (id: string, proof: object, more: object = {}) =>
    refusal(await approve(platform(), person, id, { proof, ...more }));

  test('on one card approves no other card, of this service or another, and its own still', async () => {
    const first = await asked(platform(), service, person);
    const second = await asked(platform(), service, person);
    const elsewhere = await asked(platform(), other, person);
    const presence = await presenceOf(first.challenge_id);
    for (const { challenge_id } of [second, elsewhere])
      assert.deepEqual(await approveWith(challenge_id, authenticator.proof(presence)), INVALID);
    assert.equal(await statusOf(service, second.challenge_id), 'pending');
    assert.equal(await statusOf(other, elsewhere.challenge_id), 'pending');
    // A refused try does not use the nonce up, so that a mistake of the page does not end the card.
    assert.deepEqual(await approveWith(first.challenge_id, authenticator.proof(presence)), [200, undefined]);
    assert.deepEqual(
      [await statusOf(service, first.challenge_id), await statusOf(service, second.challenge_id)],
      ['approved', 'pending'],
    );
    platform().clock.advance(300_000);
  });

  test('for another act approves no card, and a card’s nonce is good for no other act', async () => {
    const { challenge_id } = await asked(platform(), service, person);
    const [enrolment] = await enrollmentsOf(platform(), person);
    for (const act of [
      `deny challenge ${challenge_id}`,
      `approve challenge ${challenge_id} `,
      `approve challenge ${challenge_id.slice(0, -1)}`,
      `revoke enrolment ${enrolment.enrollment_id}`,
      challenge_id,
    ])
      assert.deepEqual(
        await approveWith(challenge_id, await passkeyProof(platform(), person.token, act, authenticator)),
        INVALID,
        act,
      );
    const signIn = await platform().must('POST', '/api/person/login/passkey/options');
    assert.deepEqual(await approveWith(challenge_id, authenticator.proof(signIn)), INVALID);
    assert.equal(await statusOf(service, challenge_id), 'pending');

    const presence = await presenceOf(challenge_id);
    const path = `/api/person/two-factor/enrollments/${enrolment.enrollment_id}`;
    const revoked = await platform().call('DELETE', path, {
      token: person.token,
      body: { proof: authenticator.proof(presence) },
    });
    assert.deepEqual(refusal(revoked), INVALID);
    const app = await createApp(platform(), service.company, { service_id: service.id, require_2fa: true });
    const request = await opened(platform(), app);
    const consent = await decide(platform(), person, 'approve', request, {
      proof: authenticator.proof(presence),
    });
    assert.deepEqual(refusal(consent), INVALID);
    const { nonce, credential } = authenticator.get(presence);
    const entered = await platform().call('POST', '/api/person/login/passkey', {
      body: { nonce, credential },
    });
    assert.deepEqual(refusal(entered), INVALID);
    assert.equal((await enrollmentsOf(platform(), person)).length, 2);
    assert.equal(await statusOf(service, challenge_id), 'pending');
    platform().clock.advance(300_000);
  });

  test('is sent twice: the second time approves nothing, on the same card or a later one', async () => {
    const first = await asked(platform(), service, person);
    const proof = authenticator.proof(await presenceOf(first.challenge_id));
    assert.deepEqual(await approveWith(first.challenge_id, proof), [200, undefined]);
    const second = await asked(platform(), service, person);
    for (const { challenge_id } of [first, second])
      assert.deepEqual(await approveWith(challenge_id, proof), INVALID);
    assert.equal(await statusOf(service, second.challenge_id), 'pending');
    platform().clock.advance(300_000);
  });

  test('sent twice at once answers one card once', async () => {
    const { challenge_id } = await asked(platform(), service, person);
    const proof = authenticator.proof(await presenceOf(challenge_id));
    const answers = await Promise.all(Array.from({ length: 8 }, () => approveWith(challenge_id, proof)));
    assert.equal(answers.filter(([status]) => status === 200).length, 1);
    assert.equal(await statusOf(service, challenge_id), 'approved');
  });

  test('does not bring the digits of another card along', async () => {
    await setNumberMatching(platform(), service, true);
    const older = await asked(platform(), service, person);
    const newer = await asked(platform(), service, person);
    const proofOf = async (id: string) => authenticator.proof(await presenceOf(id));
    for (const [card, digits] of [
      [newer, older.matching_digits],
      [older, newer.matching_digits],
    ] as const)
      assert.deepEqual(await approveWith(card.challenge_id, await proofOf(card.challenge_id), { digits }), [
        400,
        'twofa.digits_wrong',
      ]);
    // The right digits with the touch that was for the other card.
    assert.deepEqual(
      await approveWith(newer.challenge_id, await proofOf(older.challenge_id), {
        digits: newer.matching_digits,
      }),
      INVALID,
    );
    for (const { challenge_id } of [older, newer])
      assert.equal(await statusOf(service, challenge_id), 'pending');
    assert.deepEqual(
      await approveWith(newer.challenge_id, await proofOf(newer.challenge_id), {
        digits: newer.matching_digits,
      }),
      [200, undefined],
    );
    assert.deepEqual(
      [await statusOf(service, older.challenge_id), await statusOf(service, newer.challenge_id)],
      ['pending', 'approved'],
    );
  });
});
