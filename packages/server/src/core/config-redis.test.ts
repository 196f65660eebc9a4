import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import { effectiveSettings } from './effective-settings.ts';

const read = (url: string) => readConfig({ SYMBOLON_REDIS_URL: url }).redis;
const shown = (url: string) =>
  effectiveSettings({ SYMBOLON_REDIS_URL: url }).find(({ name }) => name === 'SYMBOLON_REDIS_URL')?.value;

test('the URL of one server is left to the client', () => {
  assert.equal(read('rediss://:secret@cache.example/1'), 'rediss://:secret@cache.example/1');
  assert.equal(read(''), undefined);
});

test('Sentinels are read with all that their URL says', () => {
  assert.deepEqual(read('redis+sentinel://one.example/mymaster'), {
    sentinels: [{ host: 'one.example', port: 26_379 }],
    name: 'mymaster',
    db: 0,
  });
  const full =
    'rediss+sentinel://ada:p%40ss%3Aword@one.example:26380,10.0.0.2,[fd00::3]:5/my-master.1/2?sentinel_username=eve&sentinel_password=a+b%25';
  assert.deepEqual(read(full), {
    sentinels: [
      { host: 'one.example', port: 26_380 },
      { host: '10.0.0.2', port: 26_379 },
      { host: 'fd00::3', port: 5 },
    ],
    name: 'my-master.1',
    db: 2,
    username: 'ada',
    password: 'p@ss:word',
    sentinelUsername: 'eve',
    sentinelPassword: 'a+b%',
    tls: {},
    sentinelTLS: {},
    enableTLSForSentinelMode: true,
  });
  assert.equal(shown(full), 'rediss+sentinel://****@one.example:26380,10.0.0.2,[fd00::3]:5/my-master.1/2');
});

for (const url of [
  'redis+sentinel://one.example,two.example',
  'redis+sentinel://one.example,two.example/',
  'redis+sentinel:///mymaster',
  'redis+sentinel://one.example,/mymaster',
  'redis+sentinel://one.example:0/mymaster',
  'redis+sentinel://one.example:65536/mymaster',
  'redis+sentinel://[fd00::g]/mymaster',
  'redis+sentinel://one.example/mymaster/a',
  'redis+sentinel://one.example/my%20master',
  'redis+sentinel://one.example, two.example/mymaster',
  'redis+sentinel://hidden@one.example/mymaster',
  'redis+sentinel://:hid:den@one.example/mymaster',
  'redis+sentinel://:hid@den@one.example,two.example/mymaster',
  'redis+sentinel://:hid/den@one.example,two.example/mymaster',
  'redis+sentinel://:hid%den@one.example,two.example/mymaster',
  'redis+sentinel://one.example/mymaster?password=hidden',
  'redis+sentinel://one.example/mymaster?sentinel_password=',
]) {
  test(`${url} is refused with the form, and without its password`, () => {
    assert.throws(
      () => read(url),
      (error: Error) =>
        error instanceof ConfigError &&
        /^SYMBOLON_REDIS_URL takes Sentinels as redis\+sentinel:\/\/.*\/mymaster/.test(error.message) &&
        !/hid|den@/.test(error.message),
    );
    assert.doesNotMatch(shown(url) ?? '', /hid|den@/);
  });
}

test('other forms of Sentinels are told this one', () => {
  assert.throws(
    () => read('redis-sentinel://a:26379,b:26379/mymaster'),
    /begins with redis: or .*redis\+sentinel:/,
  );
  assert.throws(() => read('redis://a:26379,b:26379/mymaster'), /begins with redis: or .*redis\+sentinel:/);
});
