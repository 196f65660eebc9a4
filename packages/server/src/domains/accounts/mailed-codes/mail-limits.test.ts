import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryLimits } from '../../../access/limit-store.ts';
import { MailLimits } from './mail-limits.ts';

test('mails are counted under every key, and the first that has none left ends it', async () => {
  const limits = new MailLimits(memoryLimits, { 'of-address': 1, 'of-company': 2 });
  const allows = (address: string) => limits.allows({ 'of-address': address, 'of-company': 'c' });
  assert.deepEqual(
    [await allows('a'), await allows('a'), await allows('b'), await allows('d')],
    [true, false, true, false],
  );
  const consumed = limits.consume({ 'of-address': 'e', 'of-company': 'c' });
  await assert.rejects(consumed, { key: 'rate_limit.exceeded' });
});
