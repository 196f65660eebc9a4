import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { generateKeyPair } from '@symbolon/crypto';
import { portalAccount } from '@symbolon/testkit/actors/accounts';
import { registerCompany, type TestCompany } from '@symbolon/testkit/actors/actors';
import { type AbusedPlatform, startAbused } from './support/abused-platform.ts';

let abused: AbusedPlatform;
let honest: TestCompany;
before(async () => {
  abused = await startAbused();
  honest = await registerCompany(abused);
});
after(() => abused.end());

test('a burst of registrations is refused in part, and those who sign in do not wait for it', async () => {
  const pair = await generateKeyPair();
  const account = portalAccount(pair.publicKey, 'Burst');
  let registered = 0;
  const register = async (index: number) => {
    const body = { email: `burst-${index}@example.com`, account };
    const answer = await abused.call('POST', '/api/portal/register', { body });
    if (answer.status === 201) registered++;
    return answer;
  };
  const burst = Array.from({ length: 60 }, (_, index) => register(index));
  // Once the first is refused, the queue is full.
  await Promise.race(
    burst.map(async (one) => ((await one).status === 503 ? undefined : new Promise(() => {}))),
  );
  const { email } = honest;
  const signedIn = await abused.call('POST', '/api/portal/sign-in', {
    body: { email, login_secret: honest.loginSecret },
  });
  const before = registered;
  assert.ok(signedIn.status < 300, signedIn.text);
  const answers = await Promise.all(burst);
  const refused = answers.filter(({ status }) => status === 503);
  assert.equal(registered + refused.length, answers.length);
  assert.ok(refused.length >= 30, `${refused.length} were refused`);
  for (const { body, headers } of refused)
    assert.deepEqual([body.error_key, headers.get('retry-after')], ['platform.busy', '5']);
  assert.ok(before < registered / 2, `${before} of ${registered} were registered before a sign-in succeeded`);
});
