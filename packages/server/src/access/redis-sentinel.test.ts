import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { freePort, HOST } from '@symbolon/testkit/platform/address';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import { createCertificate } from '@symbolon/testkit/servers/certificate';
import { startRedis, startSentinel, type TestRedis } from '@symbolon/testkit/servers/redis';
import { without } from '@symbolon/testkit/tools';
import { Redis } from 'ioredis';
import { Availability } from '../core/availability.ts';
import { systemClock } from '../core/clock.ts';
import { readConfig } from '../core/config.ts';
import type { PlatformError } from '../core/errors.ts';
import { systemTimers } from '../core/timers.ts';
import { counted, type Limiter, redisLimits } from './limit-store.ts';

const PASSWORD = 'p@ss:w/rd+100%';
const SENTINEL_PASSWORD = 'of+the=sentinels';
/** Others do the work. */
const LOOK_MS = 20;

const answerOf = (limiter: Limiter) =>
  counted(limiter.consume('a')).then(
    () => 'counted',
    (error: PlatformError) => error.key,
  );

for (const scheme of ['redis+sentinel', 'rediss+sentinel'] as const) {
  const isSecure = scheme === 'rediss+sentinel';
  const skip = without('redis-server', ...(isSecure ? ['openssl'] : []));
  test(`${scheme}: counting goes on after a failover, and what is not counted meanwhile is refused`, {
    skip,
  }, async (t) => {
    const ports = await Promise.all([freePort(), freePort()]);
    const [nobody, watching] = [await freePort(), await freePort()];
    const secure = isSecure ? secureSettings(t) : {};
    const query = new URLSearchParams({ sentinel_password: SENTINEL_PASSWORD });
    const address = `:${encodeURIComponent(PASSWORD)}@${HOST}:${nobody},${HOST}:${watching}/mymaster`;
    const { redis } = readConfig({ SYMBOLON_REDIS_URL: `${scheme}://${address}?${query}` });
    assert.ok(typeof redis === 'object');

    const { log, lines, matching } = keptLog();
    const availability = new Availability({ clock: systemClock, timers: systemTimers, log });
    // Nobody is there yet.
    const store = await redisLimits(redis, { region: 'local', availability });
    const servers: TestRedis[] = [];
    try {
      const [three, many] = [3, 1e9].map((points) =>
        store.limiter({ keyPrefix: String(points), points, duration: 3600 }),
      ) as [Limiter, Limiter];
      assert.equal(await answerOf(many), 'rate_limit.unavailable');
      assert.equal(
        matching(/^redis unavailable: no Sentinel says where it is: failed to connect to sentinel /).length,
        1,
      );

      const portOf = (port: number) =>
        isSecure ? { port: '0', 'tls-port': String(port) } : { port: String(port) };
      const [first, second] = ports;
      const common = { requirepass: PASSWORD, masterauth: PASSWORD, 'replica-announce-ip': HOST, ...secure };
      servers.push((await startRedis({ ...common, ...portOf(first) })) as TestRedis);
      servers.push(
        (await startRedis({ ...common, ...portOf(second), replicaof: `${HOST} ${first}` })) as TestRedis,
      );
      const tls = redis.tls && { tls: redis.tls };
      const follower = new Redis({ host: HOST, port: second, password: PASSWORD, ...tls });
      await eventually(
        'it follows',
        async () => /master_link_status:up/.test(await follower.info('replication')) || undefined,
        LOOK_MS,
      );
      follower.disconnect();
      await using _ = await startSentinel([
        ...Object.entries({ ...secure, ...portOf(watching) }).map(([name, value]) => `${name} ${value}`),
        `bind ${HOST}`,
        `requirepass "${SENTINEL_PASSWORD}"`,
        `sentinel monitor mymaster ${HOST} ${first} 1`,
        `sentinel auth-pass mymaster "${PASSWORD}"`,
        'sentinel down-after-milliseconds mymaster 1000',
        'sentinel failover-timeout mymaster 5000',
      ]);
      const answers = new Set<string>();
      const until = (wanted: string) =>
        eventually(
          () => `${wanted}, not ${[...answers]}`,
          async () => {
            const answer = await answerOf(many);
            answers.add(answer);
            return answer === wanted || undefined;
          },
          LOOK_MS,
        );
      await until('counted');
      assert.equal(await answerOf(three), 'counted');
      assert.equal(await answerOf(three), 'counted');

      const sentinel = new Redis({ host: HOST, port: watching, password: SENTINEL_PASSWORD, ...tls });
      await eventually(
        'the Sentinel knows who follows',
        async () =>
          /"slave".*"master-link-status".{1,3}"ok"/.test(
            JSON.stringify(await sentinel.call('SENTINEL', 'REPLICAS', 'mymaster')),
          ) || undefined,
        LOOK_MS,
      );
      // What was counted is at both.
      const leader = new Redis(redis);
      await leader.set('marker', '1');
      await leader.wait(1, 0);
      leader.disconnect();
      const [, leads] = (await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'mymaster')) as [
        string,
        string,
      ];
      sentinel.disconnect();
      await servers[ports.indexOf(Number(leads))]?.kill();
      await until('rate_limit.unavailable');
      await until('counted');
      assert.deepEqual([...answers].sort(), ['counted', 'rate_limit.unavailable']);
      assert.equal(await answerOf(three), 'counted');
      assert.equal(await answerOf(three), 'rate_limit.exceeded');
      assert.ok(matching(/^redis available again/).length >= 2);
      const logged = JSON.stringify(lines);
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), SENTINEL_PASSWORD])
        assert.ok(!logged.includes(secret), logged);
    } finally {
      availability.stop();
      await store.stop();
      await Promise.all(servers.map((server) => server.kill()));
    }
  });
}

/** Redis and Sentinels that speak TLS alone, and this process trusts their certificate while the test runs. */
function secureSettings(t: TestContext): Record<string, string> {
  const folder = temporaryFolder(t);
  const { cert, key } = createCertificate(`IP:${HOST}`);
  writeFileSync(folder.file('cert.pem'), cert);
  writeFileSync(folder.file('key.pem'), key);
  const trusted = getCACertificates('default');
  t.after(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, cert]);
  return {
    'tls-cert-file': folder.file('cert.pem'),
    'tls-key-file': folder.file('key.pem'),
    'tls-ca-cert-file': folder.file('cert.pem'),
    'tls-auth-clients': 'no',
    'tls-replication': 'yes',
  };
}
