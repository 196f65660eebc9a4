import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { WRONG_SECRET } from '@symbolon/testkit/actors/portal-logins';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { pino } from 'pino';
import { PlatformError } from '../core/errors.ts';
import { noInstruments } from '../core/instruments.ts';
import { SecurityLog } from './security-log.ts';

type Line = Record<string, unknown>;

describe('the security log', () => {
  const lines: Line[] = [];
  let text = '';
  let platform: TestPlatform & { stop(): Promise<void> };
  before(async () => {
    const write = (line: string) => {
      text += line;
      lines.push(JSON.parse(line));
    };
    platform = await startPlatform('sqlite', { SYMBOLON_RATE_FAILURES: '5' }, undefined, {
      log: pino({ level: 'info' }, { write }),
    });
  });
  after(() => platform.stop());
  const told = (security: string) => lines.filter((line) => line.security === security);

  test('has a line for each refusal that may be an attack, and none of what was sent', async () => {
    const { company, token: machine } = await openShop(platform);
    const login_secret = WRONG_SECRET;
    await platform.call('POST', '/oauth2/token', {
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'svc_x',
        client_secret: 'a secret that nobody should read',
      }),
    });
    for (let tries = 0; tries < 11; tries++)
      await platform.call('POST', '/api/portal/sign-in', { body: { email: company.email, login_secret } });
    const token = 'sps_a-token-that-nobody-should-read';
    await platform.call('GET', '/api/account', { token });
    // As every page does that is opened without a session.
    await platform.call('GET', '/api/person/session');
    await platform.call('GET', '/api/services', { token: machine });
    await platform.call('GET', '/internal/token', { token: 'peer_x.y' });
    await platform.call('GET', '/api/nothing');

    const signIns = told('sign_in_failed');
    // Ten of one source in a minute.
    assert.equal(signIns.length, 10);
    const { reason, source, route, account, level } = signIns[1] as Line;
    assert.deepEqual(
      [reason, source, route, level],
      ['auth.credentials_invalid', '127.0.0.1', 'POST /api/portal/sign-in', 40],
    );
    assert.match(String(account), /^[0-9a-f]{16}$/);
    assert.equal(new Set(signIns.slice(1).map((line) => line.account)).size, 1);
    assert.equal(signIns[0]?.reason, 'invalid_client');
    assert.deepEqual(
      told('throttled').map((line) => [line.reason, line.account]),
      [['auth.throttled', account]],
    );
    await platform.call('GET', '/api/person/session', { headers: { cookie: 'symbolon_person=wrong' } });
    assert.deepEqual(
      told('token_refused').map((line) => [line.reason, line.route]),
      [
        ['auth.invalid', 'GET /api/account'],
        ['auth.invalid', 'GET /api/person/session'],
      ],
    );
    assert.deepEqual(
      told('forbidden').map((line) => [line.reason, line.route]),
      [['auth.client_endpoint_forbidden', 'GET /api/services']],
    );
    assert.deepEqual(
      told('peer_refused').map((line) => line.reason),
      ['auth.invalid'],
    );
    for (const secret of [company.email, login_secret, 'nobody should read', token, machine])
      assert.ok(!text.includes(secret), secret);
  });

  test('what a sign-in asks for beside the password is no failed sign-in', () => {
    assert.ok(!text.includes('two_factor_required'));
  });
});

describe('many refusals', () => {
  const setUp = () => {
    const lines: Line[] = [];
    const timers = new FakeTimers();
    const log = new SecurityLog({
      instruments: noInstruments,
      log: { warn: ((line: Line) => lines.push(line)) as never },
      secrets: { hash: (value) => `hash of ${value}` },
      timers,
    });
    const refuse = (ip: string, error: PlatformError) =>
      log.refused(
        {
          ...{ ip, method: 'GET', url: '/x', routeOptions: {}, principal: null, id: 'r' },
          headers: { authorization: 'Bearer wrong' },
        } as never,
        error,
      );
    return { lines, timers, refuse };
  };
  const invalid = new PlatformError('auth.invalid');

  test('of one source write ten lines a minute, and one with the number of the rest', () => {
    const { lines, timers, refuse } = setUp();
    for (let count = 0; count < 5_000; count++) refuse('192.0.2.1', invalid);
    assert.equal(lines.length, 10);
    refuse('192.0.2.2', invalid);
    assert.equal(lines.length, 11, 'another source is still logged');
    timers.advance(60_000);
    assert.deepEqual(lines[11], { security: 'token_refused', notShown: 4_990 });
    refuse('192.0.2.1', invalid);
    assert.equal(lines.length, 13);
  });

  test('that are logged one by one leave no number of the rest', () => {
    const { lines, timers, refuse } = setUp();
    for (let count = 0; count < 10; count++) refuse('192.0.2.1', invalid);
    timers.advance(60_000);
    assert.equal(lines.length, 10);
  });

  test('of many sources write a hundred lines a minute, of each kind', () => {
    const { lines, refuse } = setUp();
    for (let host = 0; host < 5_000; host++) refuse(`10.0.${host >> 8}.${host & 255}`, invalid);
    assert.equal(lines.length, 100);
    refuse('192.0.2.9', new PlatformError('auth.forbidden'));
    assert.equal(lines.length, 101);
  });

  test('the addresses of one IPv6 network count as one source', () => {
    const { lines, refuse } = setUp();
    for (let host = 0; host < 50; host++) refuse(`2001:db8::${host.toString(16)}`, invalid);
    assert.equal(lines.length, 10);
  });

  test('wrong recovery codes and mailed codes are failed sign-ins', () => {
    const { lines, refuse } = setUp();
    refuse('192.0.2.1', new PlatformError('account.recovery_invalid'));
    refuse('192.0.2.1', new PlatformError('account.code_invalid'));
    assert.deepEqual(
      lines.map((line) => line.security),
      ['sign_in_failed', 'sign_in_failed'],
    );
  });

  test('other errors leave no line', () => {
    const { lines, refuse } = setUp();
    refuse('192.0.2.1', new PlatformError('request.not_found'));
    refuse('192.0.2.1', new PlatformError('auth.two_factor_required'));
    assert.deepEqual(lines, []);
  });
});
