import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, passwordMatches } from './passwords.ts';

test('passwords are compared by their hashes, and more at a time than can wait are refused', async () => {
  const stored = await hashPassword('right');
  assert.equal(await passwordMatches('right', stored), true);
  assert.equal(await passwordMatches('wrong', stored), false);
  assert.equal(await passwordMatches('right', undefined), false);
  const answers = await Promise.allSettled(
    Array.from({ length: 120 }, () => passwordMatches('right', stored)),
  );
  const refused = answers.filter((answer) => answer.status === 'rejected');
  assert.equal(refused.length, 18, 'two in work and a hundred waiting');
  for (const { reason } of refused) assert.equal(reason.key, 'platform.busy');
});
