import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { WRONG_SECRET } from '@symbolon/testkit/actors/portal-logins';
import { observe, proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { UNLIMITED_RATES } from '@symbolon/testkit/platform/rates';
import { pino } from 'pino';
import { Type } from 'typebox';
import { Cookies } from '../access/cookies.ts';
import { FailureLimit } from '../access/failure-limit.ts';
import { hashing } from '../access/passwords.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { systemClock } from '../core/clock.ts';
import { createIds } from '../core/ids.ts';
import { noInstruments } from '../core/instruments.ts';
import { systemTimers } from '../core/timers.ts';
import { serviceBusy } from '../db/paused-writes.ts';
import { noMaintenance } from './admission.ts';
import { createApp } from './app.ts';
import { routesOf } from './routes.ts';

onPlatform('the transport', (platform) => {
  test('an unknown address is 404, a known one with another method 405 with Allow', async () => {
    const unknown = await platform().call('GET', '/api/nothing');
    assert.deepEqual([unknown.status, unknown.body.error_key], [404, 'request.not_found']);
    const method = await platform().call('PATCH', '/api/account');
    proves('error:request.method_not_allowed', 'error:request.not_found');
    assert.deepEqual([method.status, method.body.error_key], [405, 'request.method_not_allowed']);
    assert.equal(method.headers.get('allow'), 'GET, HEAD');
    assert.equal(method.body.error, 'This address does not take PATCH. It takes GET, HEAD.');
  });

  test('bodies that are no JSON, too large or of another type get different errors', async () => {
    const send = (body: string, type: string) =>
      platform().call('POST', '/api/portal/sign-in', { body, headers: { 'content-type': type } });
    assert.equal((await send('{', 'application/json')).body.error_key, 'request.malformed');
    const large = await send(`"${'x'.repeat(1024 * 1024)}"`, 'application/json');
    assert.deepEqual([large.status, large.body.error_key], [413, 'request.too_large']);
    const other = await send('a=b', 'text/csv');
    proves(
      'error:request.malformed',
      'error:request.too_large',
      'error:request.unsupported_media_type',
      'limit:jsonBodyBytes',
    );
    assert.deepEqual([other.status, other.body.error_key], [415, 'request.unsupported_media_type']);
  });

  test('a POST without payload may have no body, {}, [] or null', async () => {
    for (const call of [
      {},
      { body: {} },
      { body: [] },
      { body: 'null', headers: { 'content-type': 'application/json' } },
    ]) {
      const { token } = await registerCompany(platform());
      assert.equal((await platform().call('POST', '/api/portal/sign-out', { token, ...call })).status, 204);
    }
  });

  test('a body of no bytes is no body, whatever its content type', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json', 'nonsense']) {
      const { token } = await registerCompany(platform());
      const call = { token, body: '', headers: { 'content-type': type, 'content-length': '0' } };
      const answer = await platform().call('POST', '/api/portal/sign-out', call);
      assert.equal(answer.status, 204, `${type}: ${answer.text}`);
    }
  });

  test('a body in chunks that has no bytes is no body either, and one that has some is refused', async () => {
    for (const [type, chunks, status] of [
      ['', '0\r\n\r\n', '204 No Content'],
      ['Content-Type: text/plain\r\n', '0\r\n\r\n', '204 No Content'],
      ['', '2\r\n{}\r\n0\r\n\r\n', '415 Unsupported Media Type'],
    ] as const) {
      const { token } = await registerCompany(platform());
      const socket = connect(Number(new URL(platform().url).port), '127.0.0.1');
      socket.write(
        `POST /api/portal/sign-out HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          `${type}Transfer-Encoding: chunked\r\n\r\n${chunks}`,
      );
      const [answer] = await once(socket, 'data');
      assert.equal(String(answer).split('\r\n', 1)[0], `HTTP/1.1 ${status}`, type + chunks);
      socket.destroy();
    }
  });

  test('a client that asks whether to send its body gets `100 Continue` once it is let in', async () => {
    const { token } = await registerCompany(platform());
    const head = (authorization: string, length: number) =>
      `POST /api/photos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${authorization}\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    for (const [authorization, length, status] of [
      ['sps_nobody', 2, '401 Unauthorized'],
      [token, 33 * 1024 * 1024, '413 Payload Too Large'],
      [token, 2, '100 Continue'],
    ] as const) {
      const socket = connect(Number(new URL(platform().url).port), '127.0.0.1');
      socket.write(head(authorization, length));
      const [answer] = await once(socket, 'data');
      assert.equal(String(answer).split('\r\n', 1)[0], `HTTP/1.1 ${status}`);
      if (status === '100 Continue') {
        socket.write('{}');
        assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 400 /);
      }
      socket.destroy();
    }
  });

  test('a compressed body is refused, on every kind of route', async () => {
    const { token } = await registerCompany(platform());
    for (const path of ['/api/portal/sign-in', '/api/photos', '/oauth2/token']) {
      for (const encoding of ['gzip', 'br', 'GZIP, identity']) {
        const call = { token, body: {}, headers: { 'content-encoding': encoding } };
        const answer = await platform().call('POST', path, call);
        assert.deepEqual(
          [answer.status, answer.body.error_key, answer.headers.get('accept-encoding')],
          [415, 'request.unsupported_media_type', 'identity'],
        );
      }
    }
    const call = { token, body: {}, headers: { 'content-encoding': 'identity' } };
    assert.equal((await platform().call('POST', '/api/portal/sign-out', call)).status, 204);
  });

  test('a body with too many values, or with more unknown members than an error lists, is refused', async () => {
    const send = (body: unknown) => platform().call('POST', '/api/portal/sign-in/second-factor', { body });
    const many = await send({ email: new Array(10_000).fill(0) });
    assert.deepEqual([many.status, many.body.error_key], [413, 'request.too_large']);
    const unknown = await send(
      Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`m${index}`, 0])),
    );
    assert.equal(unknown.body.error_key, 'request.invalid');
    assert.equal(unknown.body.issues.length, 20);
    assert.ok(
      unknown.body.issues.some(({ message }: { message: string }) => message.startsWith('is not a member')),
    );
  });

  test('a value that is not among those allowed gets one issue, which lists them', async () => {
    const { token } = await registerCompany(platform());
    const issuesOf = async (path: string, body: object) =>
      (await platform().call('POST', path, { token, body })).body.issues;
    assert.deepEqual(await issuesOf('/api/delegates', { email: 'a@example.com', role: 'king' }), [
      { path: '/role', message: 'must be one of "viewer", "support", "developer", "admin", "owner"' },
    ]);
  });

  test('a process that has too much to do says so, and when to come back', async () => {
    let end: () => void = () => {};
    const others = new Promise<void>((resolve) => (end = resolve));
    // As many as may compute and wait for one address.
    const working = Array.from({ length: 102 }, () => hashing.run('127.0.0.1', () => others));
    const body = { email: 'nobody@example.com', login_secret: WRONG_SECRET };
    const answer = await platform().call('POST', '/api/portal/sign-in', { body });
    end();
    await Promise.all(working);
    assert.deepEqual(
      [answer.status, answer.body.error_key, answer.headers.get('retry-after')],
      [503, 'platform.busy', '5'],
    );
    proves('error:platform.busy');
  });

  test('XML is for those who prefer it; errors are JSON all the same', async () => {
    const { token, id } = await registerCompany(platform(), 'Müller & <Söhne>');
    const xml = await platform().call('GET', '/api/account', {
      token,
      headers: { accept: 'application/xml' },
    });
    assert.equal(xml.headers.get('content-type'), 'application/xml; charset=utf-8');
    assert.ok(xml.text.startsWith(`<?xml version="1.0" encoding="UTF-8"?><response><company_user_id>${id}<`));
    assert.match(xml.text, /<name>Müller &amp; &lt;Söhne&gt;<\/name>/);
    for (const accept of [
      '*/*',
      'application/json',
      'application/xml;q=0.5, application/json',
      'text/html',
    ]) {
      const json = await platform().call('GET', '/api/account', { token, headers: { accept } });
      assert.equal(json.body.company_user_id, id, accept);
    }
    const refused = await platform().call('GET', '/api/account', { headers: { accept: 'application/xml' } });
    proves('error:auth.invalid');
    assert.equal(refused.body.error_key, 'auth.invalid');
  });

  test('every response names its request', async () => {
    const one = await platform().call('GET', '/api/health');
    const two = await platform().call('GET', '/api/nothing');
    const ids = [one, two].map((answer) => answer.headers.get('x-request-id'));
    assert.match(ids[0] ?? '', /^[0-9a-f-]{36}$/);
    assert.notEqual(ids[0], ids[1]);
  });

  /** What comes for bytes that no client would send; the last request among them closes the connection. */
  async function answerTo(bytes: string): Promise<string> {
    const { port, hostname } = new URL(platform().url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    return text(socket);
  }

  test('a request without a host gets an error in the usual shape', async () => {
    const answer = await answerTo('GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.equal(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').error_key, 'request.malformed');
    const older = await answerTo('GET /api/health HTTP/1.0\r\n\r\n');
    assert.match(older, /^HTTP\/1\.1 200 /);
  });

  test('an expectation that nobody knows changes nothing', async () => {
    const head = 'Host: x\r\nExpect: the-best\r\nConnection: close\r\n';
    assert.match(await answerTo(`GET /api/health HTTP/1.1\r\n${head}\r\n`), /^HTTP\/1\.1 200 /);
    const refused = await answerTo(`GET /api/nothing HTTP/1.1\r\n${head}\r\n`);
    assert.equal(JSON.parse(refused.split('\r\n\r\n')[1] ?? '').error_key, 'request.not_found');
  });

  test('a request that is not HTTP gets an error in the usual shape', async () => {
    const answer = await answerTo('NOT HTTP AT ALL\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\n/);
    assert.equal(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').error_key, 'request.malformed');
  });

  test('no answer is kept or taken for what it is not, unless its route says so', async () => {
    const { token } = await registerCompany(platform());
    const service = await createService(platform(), await registerCompany(platform()));
    const calls: [method: string, path: string, call?: object][] = [
      ['POST', `/api/services/${service.id}/client`, { token: service.company.token }],
      ['GET', `/api/services/${service.id}/private-key`, { token: service.company.token }],
      ['GET', '/api/account/recovery-key', { token }],
      ['POST', '/api/person/login', { body: { email: 'a@b.example', login_secret: 'x' } }],
      ['GET', '/api/account', { token, headers: { accept: 'application/xml' } }],
      ['GET', '/api/account'],
      ['GET', '/api/nothing'],
      ['GET', '/api/%ff'],
      ['GET', '/api/health'],
      ['GET', '/errors'],
      ['DELETE', '/api/health'],
    ];
    for (const [method, path, call] of calls) {
      const { headers } = await platform().call(method, path, call);
      const given = ['cache-control', 'x-content-type-options'].map((name) => headers.get(name));
      assert.deepEqual(given, ['no-store', 'nosniff'], `${method} ${path}`);
    }
    const types = await platform().call('GET', '/api/contact-field-types', { token });
    assert.equal(types.headers.get('cache-control'), 'private, no-cache');
    assert.equal(types.headers.get('x-content-type-options'), 'nosniff');
    const document = await platform().call('GET', '/openapi.json');
    assert.equal(document.headers.get('cache-control'), 'public, no-cache');
    for (const path of ['/docs/', '/docs/site.js']) {
      const { headers } = await platform().call('GET', path);
      const given = ['cache-control', 'x-content-type-options', 'referrer-policy'].map((name) =>
        headers.get(name),
      );
      assert.deepEqual(given, ['public, no-cache', 'nosniff', 'no-referrer'], path);
    }
  });

  test('a request whose header is too large is refused', async () => {
    const [status, body] = await new Promise<[number, string]>((resolve, reject) => {
      const sent = request(
        `${platform().url}/api/health`,
        { headers: { 'x-large': 'x'.repeat(20_000) } },
        (response) => {
          text(response).then((body) => resolve([response.statusCode ?? 0, body]), reject);
        },
      );
      sent.on('error', reject);
      sent.end();
    });
    assert.equal(status, 431);
    assert.deepEqual(JSON.parse(body), {
      error: 'The headers of the request are too large.',
      error_key: 'request.malformed',
      docs: `${platform().url}/errors#request.malformed`,
    });
  });
});

const bareApp = () =>
  createApp({
    authenticator: { authenticate: () => Promise.reject(new Error('never asked')) } as never,
    cookies: new Cookies(() => false),
    issuer: () => '',
    regions: { apiUrl: () => undefined, names: [] },
    maintenance: noMaintenance,
    rateLimits: new RateLimits(UNLIMITED_RATES),
    failures: new FailureLimit(UNLIMITED_RATES),
    ids: createIds(systemClock),
    log: pino({ level: 'silent' }),
    trustedProxies: undefined,
    corsOrigins: new Set(),
    instruments: noInstruments,
    securityLog: { refused: () => {} } as never,
    connections: { most: 0, perAddress: 0 },
    timers: systemTimers,
    availability: { failed: () => false },
    largeBodies: { folder: { path: tmpdir(), ids: createIds(systemClock) }, blobs: {} as never },
    checkResponses: false,
  });

test('a route without an access rule does not start', async () => {
  const app = bareApp();
  assert.throws(() => app.get('/naked', async () => 'x'), /declares no access rule/);
});

test('a service that too many change at once, and a database that stops, are reported with a time to come back', async () => {
  const app = bareApp();
  observe(app);
  const thrown = {
    '/away': Object.assign(new Error('terminating connection'), { code: '57P01' }),
    '/busy': serviceBusy(),
  };
  const route = routesOf(app, { tags: ['platform'], access: 'open' });
  for (const [path, error] of Object.entries(thrown))
    route(`GET ${path}`, { summary: 'Fails', ok: Type.Object({}) }, () => Promise.reject(error));
  const answerOf = async (path: string) => {
    const { statusCode, headers, body } = await app.inject({ method: 'GET', url: path });
    return [statusCode, JSON.parse(body).error_key, headers['retry-after']];
  };
  assert.deepEqual(await answerOf('/away'), [503, 'db.unavailable', '5']);
  assert.deepEqual(await answerOf('/busy'), [503, 'service.busy', '1']);
  proves('error:db.unavailable', 'error:service.busy');
});
