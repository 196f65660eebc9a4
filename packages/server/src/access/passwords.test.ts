import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, passwordMatches } from './passwords.ts';

test('passwords are compared by their hashes, and more at a time than can wait are refused', async () => {
  const stored = await hashPassword('right');
  assert.equal(await passwordMatches('right', stored, '192.0.2.1'), true);
  assert.equal(await passwordMatches('wrong', stored, '192.0.2.1'), false);
  assert.equal(await passwordMatches('right', undefined, '192.0.2.1'), false);
  const answers = await Promise.allSettled(
    Array.from({ length: 120 }, () => passwordMatches('right', stored, '192.0.2.1')),
  );
  const refused = answers.filter((answer) => answer.status === 'rejected');
  assert.equal(refused.length, 18, 'two in work and a hundred waiting');
  for (const { reason } of refused) assert.equal(reason.key, 'platform.busy');
});

test('an address with many sign-ins does not keep another one from signing in', async () => {
  const stored = await hashPassword('right');
  let compared = 0;
  const many = Array.from({ length: 102 }, () =>
    passwordMatches('wrong', stored, '192.0.2.1').then(() => compared++),
  );
  assert.equal(await passwordMatches('right', stored, '192.0.2.2'), true);
  assert.ok(compared < 10, `${compared} of the other address went first`);
  await Promise.all(many);
});
