import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from './config-error.ts';
import { readPushSubject } from './push-subject.ts';

test('a push subject is an address or a page that others can reach', () => {
  for (const good of [
    'mailto:push@symbolon.dev',
    'mailto:first.last+push@mail.symbolon.co.uk',
    'https://symbolon.dev/contact',
    'https://xn--bcher-kva.ch',
    `https://symbolon.dev/${'a'.repeat(254 - 21)}`,
  ])
    assert.equal(readPushSubject(good), good);
  assert.equal(readPushSubject(undefined), undefined);
});

test('a push subject that push services refuse keeps the platform from starting', () => {
  for (const bad of [
    '',
    'push@symbolon.dev',
    'mailto:',
    'mailto:push',
    'mailto:push@localhost',
    'mailto:push@host.local',
    'mailto:push@LOCALHOST',
    'mailto:push@example.com',
    'mailto:push@mail.example.org',
    'mailto:push@company.example',
    'mailto:push@company.test',
    'mailto:push@127.0.0.1',
    'mailto:push@[127.0.0.1]',
    'mailto: push@symbolon.dev',
    'mailto:<push@symbolon.dev>',
    'mailto:push@symbolon.dev?subject=x',
    'mailto:a@symbolon.dev,b@symbolon.dev',
    'mailto:push@symbolon.dev.',
    'http://symbolon.dev',
    'https://localhost:8080',
    'https://localhost',
    'https://platform.local',
    'https://192.0.2.1',
    'https://[2001:db8::1]/',
    'https://user:password@symbolon.dev',
    'https://example.com',
    'https://symbolon',
    `https://symbolon.dev/${'a'.repeat(255 - 21)}`,
  ])
    assert.throws(() => readPushSubject(bad), ConfigError, bad);
});
