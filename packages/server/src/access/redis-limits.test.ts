import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../testing/eventually.ts';
import { proves } from '../testing/evidence.ts';
import { startPlatform, type TestPlatform } from '../testing/platform.ts';
import { startRedis, type TestRedis } from '../testing/redis.ts';
import { type LimitStore, redisLimits } from './limit-store.ts';
import { RateLimits, SignInThrottle } from './rate-limits.ts';

const redis = await startRedis();
if (redis === undefined) console.error('Redis not found: tests on it are skipped');
if (redis === undefined && process.env.CI === 'true') throw new Error('CI needs a redis-server.');

const none = { token: 0, changes: 0, reference: 0, connections: 0, default: 0 };
const log = pino({ level: 'silent' });

describe('limits in a Redis', { skip: redis === undefined }, () => {
  const server = redis as TestRedis;
  const stores: LimitStore[] = [];
  const open = async (region = 'local') => {
    const store = await redisLimits(server.url, { region, log });
    stores.push(store);
    return store;
  };
  after(async () => {
    for (const store of stores) await store.stop();
    await server.kill();
  });

  test('all processes of a region share the counts in Redis, and each region has its own', async () => {
    const [one, two] = [
      new RateLimits({ ...none, changes: 3 }, await open()),
      new RateLimits({ ...none, changes: 3 }, await open()),
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
    const elsewhere = new RateLimits({ ...none, changes: 3 }, await open('elsewhere'));
    await elsewhere.consume('changes', 'a');
  });

  test('processes share the count of failed sign-ins in Redis, and a success deletes it', async () => {
    const [one, two] = [new SignInThrottle(await open()), new SignInThrottle(await open())];
    for (let count = 0; count < 5; count++) {
      await one.failed('ada@example.com');
      await two.failed('ada@example.com');
    }
    await assert.rejects(one.check('ada@example.com'), { key: 'auth.throttled' });
    await two.succeeded('ada@example.com');
    await one.check('ada@example.com');
  });

  test('Redis holds no e-mail or network address in clear text', async () => {
    const throttle = new SignInThrottle(await open());
    await throttle.failed('grace@example.com:192.0.2.7');
    const { Redis } = await import('ioredis');
    const client = new Redis(server.url);
    const keys = await client.keys('*');
    client.disconnect();
    assert.ok(keys.length > 0);
    assert.ok(!keys.join().includes('grace') && !keys.join().includes('192.0.2'));
  });
});

describe('a platform whose limits are in a Redis', { skip: redis === undefined }, () => {
  let server: TestRedis;
  let platform: TestPlatform & { stop(): Promise<void> };
  before(async () => {
    server = (await startRedis()) as TestRedis;
    platform = await startPlatform('sqlite', {
      SYMBOLON_REDIS_URL: server.url,
      SYMBOLON_RATE_DEFAULT: '1000',
      SYMBOLON_OPERATOR_TOKEN: 'x'.repeat(32),
    });
  });
  after(async () => {
    await platform.stop();
    await server.kill();
  });

  test('without Redis the platform refuses what it cannot count, except for the operator, and recovers when Redis is back', async () => {
    const health = () => platform.call('GET', '/api/health');
    assert.equal((await health()).status, 200);
    await server.kill();
    const refused = await eventually('the limiter is away', async () => {
      const answer = await health();
      return answer.status === 200 ? undefined : answer;
    });
    proves('error:rate_limit.unavailable');
    assert.deepEqual([refused.status, refused.body.error_key], [503, 'rate_limit.unavailable']);
    const operator = { token: 'x'.repeat(32) };
    assert.equal((await platform.call('GET', '/api/admin/maintenance', operator)).status, 200);
    await server.start();
    await eventually('it counts again', async () => ((await health()).status === 200 ? true : undefined));
  });
});
