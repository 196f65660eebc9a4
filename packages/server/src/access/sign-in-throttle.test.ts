import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { PlatformError } from '../core/errors.ts';
import { networkOf } from '../core/ip-address.ts';
import { SignInThrottle } from './rate-limits.ts';

/** Tries whose work is counted; each says how it ended. */
function triesOn(throttle: SignInThrottle) {
  let looked = 0;
  const attempt = (given: { account: string; source?: string }, check: () => Promise<true | undefined>) =>
    throttle
      .attempt(given, 'auth.credentials_invalid', async () => {
        looked++;
        return check();
      })
      .then(
        () => 'passed',
        (error: Error) => (error instanceof PlatformError ? error.key : error.message),
      );
  return {
    looked: () => looked,
    wrong: (account: string, source?: string) =>
      attempt({ account, ...(source === undefined ? {} : { source }) }, async () => undefined),
    right: (account: string, source?: string) =>
      attempt({ account, ...(source === undefined ? {} : { source }) }, async () => true),
    fails: (account: string, source: string, error: Error) =>
      attempt({ account, source }, async () => {
        throw error;
      }),
  };
}

const count = (answers: readonly string[], key: string) => answers.filter((answer) => answer === key).length;

test('of a burst of wrong tries ten are looked at, as of a sequence', async () => {
  const tries = triesOn(new SignInThrottle());
  const answers = await Promise.all(Array.from({ length: 120 }, () => tries.wrong('a', '192.0.2.1')));
  assert.equal(count(answers, 'auth.credentials_invalid'), 10);
  assert.equal(count(answers, 'auth.throttled'), 110);
  assert.equal(tries.looked(), 10);
  assert.equal(await tries.right('a', '192.0.2.1'), 'auth.throttled');
  assert.equal(await tries.wrong('b', '192.0.2.1'), 'auth.credentials_invalid');
});

test('a right try is given back, and forgets the wrong ones from its address', async () => {
  const tries = triesOn(new SignInThrottle());
  for (let round = 0; round < 20; round++) {
    for (let wrong = 0; wrong < 9; wrong++) await tries.wrong('a', '192.0.2.1');
    assert.equal(await tries.right('a', '192.0.2.1'), 'passed');
  }
  for (let round = 0; round < 200; round++) assert.equal(await tries.right('a', '192.0.2.1'), 'passed');
});

test('an account has thirty tries over all addresses', async () => {
  const tries = triesOn(new SignInThrottle());
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, host) => tries.wrong('a', `192.0.2.${host}`)),
  );
  assert.equal(count(answers, 'auth.credentials_invalid'), 30);
  assert.equal(tries.looked(), 30);
  assert.equal(await tries.right('a', '198.51.100.1'), 'auth.throttled');
  proves('limit:failed-sign-ins-account');
});

test('others cannot lock an account for an address from which it was signed in to', async () => {
  const tries = triesOn(new SignInThrottle());
  assert.equal(await tries.right('a', '198.51.100.1'), 'passed');
  for (let host = 0; host < 100; host++) await tries.wrong('a', `192.0.2.${host}`);
  assert.equal(await tries.right('a', '198.51.100.2'), 'auth.throttled');
  assert.equal(await tries.wrong('a', '198.51.100.1'), 'auth.credentials_invalid');
  assert.equal(await tries.right('a', '198.51.100.1'), 'passed');
  // That address keeps its own limit.
  for (let wrong = 0; wrong < 10; wrong++) await tries.wrong('a', '198.51.100.1');
  assert.equal(await tries.right('a', '198.51.100.1'), 'auth.throttled');
});

test('the addresses of one IPv6 network count together', async () => {
  const tries = triesOn(new SignInThrottle());
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, host) => tries.wrong('a', `2001:db8:1:2::${host.toString(16)}`)),
  );
  assert.equal(count(answers, 'auth.credentials_invalid'), 10);
  assert.equal(await tries.wrong('a', '2001:db8:1:3::1'), 'auth.credentials_invalid');
});

test('without an address an account has ten tries', async () => {
  const tries = triesOn(new SignInThrottle());
  const answers = await Promise.all(Array.from({ length: 60 }, () => tries.wrong('second-factor:a')));
  assert.equal(count(answers, 'auth.credentials_invalid'), 10);
  assert.equal(await tries.right('second-factor:a'), 'auth.throttled');
});

test('a failure of the platform is no failed try, a refusal is one', async () => {
  const tries = triesOn(new SignInThrottle());
  for (let failed = 0; failed < 40; failed++) {
    assert.equal(
      await tries.fails('a', '192.0.2.1', new Error('the database is away')),
      'the database is away',
    );
    const busy = new PlatformError('rate_limit.unavailable');
    assert.equal(await tries.fails('a', '192.0.2.1', busy), 'rate_limit.unavailable');
  }
  assert.equal(await tries.wrong('a', '192.0.2.1'), 'auth.credentials_invalid');
  const refusal = new PlatformError('auth.two_factor_required');
  for (let refused = 0; refused < 9; refused++) await tries.fails('a', '192.0.2.1', refusal);
  assert.equal(await tries.right('a', '192.0.2.1'), 'auth.throttled');
});

test('callers are counted by their IPv4 address or their /64', () => {
  for (const [address, network] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:ffff::2', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
    ['no:address', 'no:address'],
  ] as const) {
    assert.equal(networkOf(address), network, address);
  }
});
