import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import { startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { UNLIMITED_RATES } from '@symbolon/testkit/platform/rates';
import { startRedis, type TestRedis } from '@symbolon/testkit/servers/redis';
import { TcpProxy } from '@symbolon/testkit/servers/tcp-proxy';
import { without } from '@symbolon/testkit/tools';
import { pino } from 'pino';
import { Availability } from '../core/availability.ts';
import { systemClock } from '../core/clock.ts';
import type { PlatformError } from '../core/errors.ts';
import { systemTimers } from '../core/timers.ts';
import { type LimitStore, redisLimits } from './limit-store.ts';
import { RateLimits, SignInThrottle } from './rate-limits.ts';

const skip = without('redis-server');

/** How a try ended. */
const tryOn = (throttle: SignInThrottle, given: { account: string; source: string }, right: boolean) =>
  throttle
    .attempt(given, 'auth.credentials_invalid', async () => (right ? 'passed' : undefined))
    .catch((error: PlatformError) => error.key);

const availability = new Availability({
  clock: systemClock,
  timers: systemTimers,
  log: pino({ level: 'silent' }),
});

describe('limits in a Redis', { skip }, () => {
  let server: TestRedis;
  before(async () => {
    server = (await startRedis()) as TestRedis;
  });
  const stores: LimitStore[] = [];
  const open = async (region = 'local') => {
    const store = await redisLimits(server.url, { region, availability });
    stores.push(store);
    return store;
  };
  after(async () => {
    for (const store of stores) await store.stop();
    await server.kill();
  });

  test('all processes of a region share the counts in Redis, and each region has its own', async () => {
    const [one, two] = [
      new RateLimits({ ...UNLIMITED_RATES, changes: 3 }, await open()),
      new RateLimits({ ...UNLIMITED_RATES, changes: 3 }, await open()),
    ];
    await one.consume('changes', 'a');
    await two.consume('changes', 'a');
    await one.consume('changes', 'a');
    await assert.rejects(
      async () => two.consume('changes', 'a'),
      (error: { key: string; headers: Record<string, string> }) => {
        assert.equal(error.key, 'rate_limit.exceeded');
        assert.match(error.headers['retry-after'] ?? '', /^[1-9]\d?$/);
        return true;
      },
    );
    await two.consume('changes', 'b');
    const elsewhere = new RateLimits({ ...UNLIMITED_RATES, changes: 3 }, await open('elsewhere'));
    await elsewhere.consume('changes', 'a');
  });

  test('processes share the count of failed sign-ins in Redis, and a success deletes it', async () => {
    const [one, two] = [new SignInThrottle(await open()), new SignInThrottle(await open())];
    const ada = { account: 'ada@example.com', source: '192.0.2.1' };
    for (let count = 0; count < 4; count++) {
      assert.equal(await tryOn(one, ada, false), 'auth.credentials_invalid');
      assert.equal(await tryOn(two, ada, false), 'auth.credentials_invalid');
    }
    assert.equal(await tryOn(two, ada, true), 'passed');
    const again = await Promise.all(
      Array.from({ length: 60 }, (_, index) => tryOn(index % 2 ? one : two, ada, false)),
    );
    assert.equal(again.filter((answer) => answer === 'auth.credentials_invalid').length, 10);
    assert.equal(again.filter((answer) => answer === 'auth.throttled').length, 50);
  });

  test('an account has a limit over all addresses in Redis too, but for those from which it was signed in to', async () => {
    const [one, two] = [new SignInThrottle(await open()), new SignInThrottle(await open())];
    const from = (source: string) => ({ account: 'joan@example.com', source });
    assert.equal(await tryOn(one, from('192.0.2.200'), true), 'passed');
    const answers = [];
    for (let host = 1; host <= 40; host++)
      answers.push(await tryOn(host % 2 ? one : two, from(`198.51.100.${host}`), false));
    assert.equal(answers.filter((answer) => answer === 'auth.credentials_invalid').length, 30);
    assert.equal(await tryOn(two, from('198.51.100.41'), true), 'auth.throttled');
    assert.equal(await tryOn(two, from('192.0.2.200'), true), 'passed');
  });

  test('Redis holds no e-mail or network address in clear text', async () => {
    const throttle = new SignInThrottle(await open());
    await tryOn(throttle, { account: 'grace@example.com', source: '192.0.2.7' }, false);
    await tryOn(throttle, { account: 'grace@example.com', source: '192.0.2.7' }, true);
    const { Redis } = await import('ioredis');
    const client = new Redis(server.url);
    const keys = await client.keys('*');
    client.disconnect();
    assert.ok(keys.length > 0);
    assert.ok(!keys.join().includes('grace') && !keys.join().includes('192.0.2'));
  });
});

test('a connection to Redis that goes silent is replaced by one that works', { skip }, async () => {
  const server = (await startRedis()) as TestRedis;
  const { hostname, port } = new URL(server.url);
  await using proxy = await TcpProxy.start(hostname, Number(port));
  const own = new Availability({ clock: systemClock, timers: systemTimers, log: pino({ level: 'silent' }) });
  const store = await redisLimits(`redis://${proxy.address}`, { region: 'local', availability: own });
  try {
    const limits = new RateLimits({ ...UNLIMITED_RATES, changes: 1_000_000 }, store);
    const counts = () =>
      limits.consume('changes', 'a').then(
        () => true,
        () => undefined,
      );
    await eventually('it counts', counts);
    proxy.silence();
    await eventually('counting fails', async () => ((await counts()) ? undefined : true));
    await eventually('it counts again', counts);
  } finally {
    own.stop();
    await store.stop();
    await server.kill();
  }
});

test('a password that Redis refuses is not logged', { skip }, async () => {
  const server = (await startRedis({ requirepass: 'the-right-one' })) as TestRedis;
  const { log, lines, matching } = keptLog();
  const own = new Availability({ clock: systemClock, timers: systemTimers, log });
  const url = server.url.replace('//', '//:not-the-one@');
  const store = await redisLimits(url, { region: 'local', availability: own });
  try {
    await eventually(
      'that is said',
      () => matching(/^redis unavailable: .*WRONGPASS/).length > 0 || undefined,
    );
    assert.ok(!JSON.stringify(lines).includes('not-the-one'), JSON.stringify(lines));
  } finally {
    own.stop();
    await store.stop();
    await server.kill();
  }
});

describe('a platform whose limits are in a Redis', { skip }, () => {
  let server: TestRedis;
  let platform: TestPlatform & { stop(): Promise<void> };
  before(async () => {
    server = (await startRedis()) as TestRedis;
    platform = await startPlatform('sqlite', {
      SYMBOLON_REDIS_URL: server.url,
      SYMBOLON_LOG_LEVEL: 'silent',
      SYMBOLON_RATE_DEFAULT: '1000',
      SYMBOLON_OPERATOR_TOKEN: 'x'.repeat(32),
    });
  });
  after(async () => {
    await platform.stop();
    await server.kill();
  });

  test('without Redis the platform refuses what it cannot count, except for the operator, and recovers when Redis is back', async () => {
    const ask = () => platform.call('GET', '/api/regions');
    assert.equal((await ask()).status, 200);
    await server.kill();
    const refused = await eventually('the limiter is away', async () => {
      const answer = await ask();
      return answer.status === 200 ? undefined : answer;
    });
    proves('error:rate_limit.unavailable');
    assert.deepEqual([refused.status, refused.body.error_key], [503, 'rate_limit.unavailable']);
    // A load balancer must not take away a process that can say what is wrong.
    assert.equal(refused.headers.get('retry-after'), '2');
    const health = await platform.call('GET', '/api/health');
    assert.deepEqual([health.status, health.body], [200, { status: 'ok', away: ['rate_limits'] }]);
    const operator = { token: 'x'.repeat(32) };
    assert.equal((await platform.call('GET', '/api/admin/maintenance', operator)).status, 200);
    await server.start();
    await eventually('it counts again', async () => ((await ask()).status === 200 ? true : undefined));
  });

  test('a Redis that stands still delays no call, and counts again when it goes on', async () => {
    const ask = () => platform.call('GET', '/api/regions');
    const away = async () => {
      const health = await platform.call('GET', '/api/health');
      assert.equal(health.status, 200);
      return health.body.away ?? [];
    };
    server.signal('SIGSTOP');
    try {
      await eventually('that is found out', async () => {
        await ask();
        return (await away()).includes('rate_limits') ? true : undefined;
      });
      assert.deepEqual((await ask()).body.error_key, 'rate_limit.unavailable');
    } finally {
      server.signal('SIGCONT');
    }
    await eventually('it counts again', async () => ((await ask()).status === 200 ? true : undefined));
    assert.deepEqual(await away(), []);
  });
});
