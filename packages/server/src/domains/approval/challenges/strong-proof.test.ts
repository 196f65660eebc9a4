import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import {
  approve,
  asked,
  cardsOf,
  createAskingService,
  enrolledPerson,
  otherDigits,
  poll,
  setNumberMatching,
} from '@symbolon/testkit/actors/second-factor';
import { onPlatform } from '@symbolon/testkit/platform/platform';

onPlatform('a challenge of a service with require_2fa', (platform) => {
  test('is not approved by the login secret alone, and a refused proof uses up no try', async () => {
    const service = await createAskingService(platform());
    await platform().must('PUT', `/api/services/${service.id}/require-2fa`, {
      token: service.company.token,
      body: { require_2fa: true },
    });
    await setNumberMatching(platform(), service, true);
    const person = await enrolledPerson(platform(), service);
    const { challenge_id, matching_digits: digits } = await asked(platform(), service, person);
    // Who has the login secret has the session too.
    for (let round = 0; round < 4; round++) {
      const wrong = { digits: otherDigits(digits, round) };
      const refused = await approve(platform(), person, challenge_id, wrong);
      assert.deepEqual([refused.status, refused.body.error_key], [401, 'auth.two_factor_required']);
    }
    assert.equal((await poll(platform(), service, challenge_id)).body.status, 'pending');

    const [card] = await cardsOf(platform(), person);
    assert.deepEqual(card.presence.methods, ['mailed_code']);
    await platform().must('POST', '/api/person/presence/mailed-code', {
      token: person.token,
      body: { act: `approve challenge ${challenge_id}` },
    });
    const mail = (await mailsTo(platform(), person.email)).at(-1);
    const mailed_code = /\b\d{6}\b/.exec(mail ?? '')?.[0];
    const proof = { kind: 'password', login_secret: person.loginSecret, mailed_code };
    const approved = await approve(platform(), person, challenge_id, { proof, digits });
    assert.deepEqual([approved.status, approved.body], [200, { status: 'approved' }], approved.text);
  });
});
