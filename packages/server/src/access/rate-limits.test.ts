import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { UNLIMITED_RATES } from '@symbolon/testkit/platform/rates';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { readConfig } from '../core/config.ts';
import type { PlatformError } from '../core/errors.ts';
import { RateLimits } from './rate-limits.ts';

test('rate limits count each class and each caller separately; zero is no limit', async () => {
  const limits = new RateLimits({ ...UNLIMITED_RATES, changes: 2, reference: 1 });
  await limits.consume('changes', 'a');
  await limits.consume('changes', 'a');
  await limits.consume('changes', 'b');
  await limits.consume('reference', 'a');
  for (let count = 0; count < 100; count++) await limits.consume('default', 'a');
  await assert.rejects(
    async () => limits.consume('changes', 'a'),
    (error: PlatformError) => {
      assert.equal(error.key, 'rate_limit.exceeded');
      assert.match(error.headers['retry-after'] ?? '', /^[1-9]\d?$/);
      return true;
    },
  );
});

test('unless configured otherwise, a minute has this many requests of each class', async () => {
  const limits = new RateLimits(readConfig({}).rateLimits);
  for (const [name, most] of [
    ['token', 240],
    ['changes', 600],
    ['fields', 600],
    ['reference', 120],
    ['connections', 60],
    ['default', 300],
    ['failures', 300],
  ] as const) {
    for (let count = 0; count < most; count++) await limits.consume(name, 'a');
    await assert.rejects(async () => limits.consume(name, 'a'), { key: 'rate_limit.exceeded' });
    proves(`rate:${name}`);
  }
});

test('a limit store that fails is answered with rate_limit.unavailable', async (t) => {
  const limits = new RateLimits({ ...UNLIMITED_RATES, default: 1 });
  t.mock.method(RateLimiterMemory.prototype, 'consume', async () => {
    throw new Error('the store is away');
  });
  await assert.rejects(async () => limits.consume('default', 'a'), {
    key: 'rate_limit.unavailable',
    status: 503,
  });
});
