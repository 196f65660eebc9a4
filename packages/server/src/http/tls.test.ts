import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { HOST } from '@symbolon/testkit/platform/address';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import { OPERATOR, openPlace, type Place } from '@symbolon/testkit/platform/places';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import {
  createCertificate,
  noCertificates,
  type TestCertificate,
} from '@symbolon/testkit/servers/certificate';
import { readConfig } from '../core/config.ts';
import { LOOK_MS, TlsPair } from '../core/tls-pair.ts';
import { type RunningPlatform, serve } from '../serve.ts';

const NAMES = ['IP:127.0.0.1', `IP:${HOST}`];

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function over1(url: string, path: string, ca: string, { method = 'GET', body = '' } = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = body === '' ? {} : { 'content-type': 'application/json' };
  request(`${url}${path}`, { ca, method, headers, agent: false }, async (response) => {
    resolve({ status: response.statusCode, headers: response.headers, body: await text(response) });
  })
    .on('error', reject)
    .end(body);
  return promise;
}

async function over2(
  client: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string,
): Promise<Answer> {
  const stream = client.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const [answered] = await once(stream, 'response');
  return { status: answered[':status'], headers: answered, body: await text(stream) };
}

/** The certificate that a new connection is shown, and what it is encrypted with. */
async function handshake(url: string, options: { ca: string; maxVersion?: 'TLSv1.1' }): Promise<TLSSocket> {
  const { hostname: host, port } = new URL(url);
  const socket = connectTls({ host, port: Number(port), ...options });
  await once(socket, 'secureConnect');
  return socket;
}

describe('a platform that speaks TLS itself', { skip: noCertificates }, () => {
  let first: TestCertificate;
  let second: TestCertificate;
  const folder = temporaryFolder({ after });
  const certFile = () => folder.file('cert.pem');
  const keyFile = () => folder.file('key.pem');
  const write = (cert: string, key: string) => {
    writeFileSync(certFile(), cert);
    writeFileSync(keyFile(), key);
  };
  let place: Place;
  let platform: RunningPlatform;
  const open = (extra: Record<string, string> = {}) =>
    serve(
      readConfig({
        ...place.environment,
        SYMBOLON_LOG_LEVEL: 'silent',
        SYMBOLON_PORT: '0',
        SYMBOLON_MANAGEMENT_ADDRESS: '127.0.0.1:0',
        SYMBOLON_TLS_CERT_FILE: certFile(),
        SYMBOLON_TLS_KEY_FILE: keyFile(),
        ...extra,
      }),
    );

  before(async () => {
    first = createCertificate(...NAMES);
    second = createCertificate(...NAMES);
    place = await openPlace('sqlite');
    write(first.cert, first.key);
    platform = await open();
  });
  after(async () => {
    await platform?.stop();
    await place?.[Symbol.asyncDispose]();
  });

  test('answers alike over HTTP/2 and HTTP/1.1, and to no client older than TLS 1.2', async () => {
    assert.match(platform.url, /^https:/);
    const client = connect(platform.url, { ca: first.cert });
    const calls = [
      { path: '/api/health', method: 'GET', body: '' },
      { path: '/nothing', method: 'GET', body: '' },
      { path: '/api/account', method: 'GET', body: '' },
      { path: '/.well-known/oauth-authorization-server', method: 'GET', body: '' },
      { path: '/api/auth/lookup', method: 'POST', body: '{"email":' },
      { path: '/oauth2/token', method: 'POST', body: '{}' },
    ];
    for (const { path, method, body } of calls) {
      const one = await over1(platform.url, path, first.cert, { method, body });
      const headers = { ':path': path, ':method': method };
      const two = await over2(
        client,
        body === '' ? headers : { ...headers, 'content-type': 'application/json' },
        body || undefined,
      );
      assert.deepEqual([two.status, two.body], [one.status, one.body], path);
      for (const name of ['cache-control', 'content-type', 'x-content-type-options', 'vary'])
        assert.equal(two.headers[name], one.headers[name], `${path} ${name}`);
    }
    client.close();
    const { hostname, port } = new URL(platform.url);
    await assert.rejects(
      handshake(`https://${hostname}:${port}`, { ca: first.cert, maxVersion: 'TLSv1.1' }),
      /protocol version|unsupported protocol|no protocols/i,
    );
  });

  test('bounds bodies of which HTTP/2 tells no length, and refuses one without ending what else is on the connection', async () => {
    const client = connect(platform.url, { ca: first.cert });
    const headers = {
      ':path': '/api/person/register',
      ':method': 'POST',
      'content-type': 'application/json',
    };
    const large = await over2(client, headers, `{"email":"${'x'.repeat(2 * 1024 * 1024)}"}`);
    assert.equal(large.status, 413);
    assert.equal((await over2(client, { ':path': '/api/health' })).status, 200);
    client.close();
  });

  test('shows a renewed certificate to new connections, and the last good one while the files do not fit', async () => {
    const shown = async () => {
      const socket = await handshake(platform.url, { ca: `${first.cert}${second.cert}` });
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const checked = async (): Promise<{ state: string; detail: string }> => {
      const answer = await fetch(`${platform.managementUrl}/readyz`);
      return JSON.parse(await answer.text()).checks.tls;
    };
    const before = await shown();
    const client = connect(platform.url, { ca: first.cert });
    assert.equal((await over2(client, { ':path': '/api/health' })).status, 200);

    write(second.cert, first.key);
    process.emit('SIGHUP');
    await eventually(
      'the check says why',
      async () => {
        const { state, detail } = await checked();
        const isSaid = /^The certificate in .* is not for the key in .*: SYMBOLON_TLS_CERT_FILE/.test(detail);
        return state === 'failed' && isSaid ? true : undefined;
      },
      100,
    );
    assert.equal(await shown(), before);

    write(second.cert, second.key);
    process.emit('SIGHUP');
    await eventually('the new certificate', async () => ((await shown()) !== before ? true : undefined));
    assert.equal((await over2(client, { ':path': '/api/health' })).status, 200);
    const asOperator = { ':path': '/api/admin/statistics', authorization: `Bearer ${OPERATOR}` };
    const { certificates } = JSON.parse((await over2(client, asOperator)).body);
    assert.equal(certificates.tls, new X509Certificate(second.cert).validToDate.toISOString());
    client.close();
    const metrics = await (await fetch(`${platform.managementUrl}/metrics`)).text();
    const [, seconds] = /^symbolon_tls_certificate_remaining(?:\{.*\})? (\S+)$/m.exec(metrics) ?? [];
    assert.ok(Number(seconds) > 86_400 && Number(seconds) <= 2 * 86_400, seconds);
    write(first.cert, first.key);
  });

  test('takes files that begin with a byte order mark, as editors of Windows write them', async () => {
    const files = { certFile: folder.file('marked-cert.pem'), keyFile: folder.file('marked-key.pem') };
    writeFileSync(files.certFile, `\uFEFF${first.cert}${second.cert}`);
    writeFileSync(files.keyFile, `\uFEFF${first.key}`, 'utf16le');
    const timers = new FakeTimers();
    const pair = await TlsPair.open({ clock: { now: () => Date.now() }, timers, log: keptLog().log }, files);
    const { cert, key } = pair.context;
    assert.deepEqual([cert, key], [`${first.cert}${second.cert}`, first.key]);
  });

  test('does not start with files that cannot be used, and says which in one line', async () => {
    const wrong = folder.file('wrong.pem');
    writeFileSync(wrong, 'no PEM');
    writeFileSync(folder.file('second.key'), second.key);
    const cases: [Record<string, string>, RegExp][] = [
      [
        { SYMBOLON_TLS_CERT_FILE: folder.file('none') },
        /^SYMBOLON_TLS_CERT_FILE names .*none, which cannot be read \(ENOENT\)\.$/,
      ],
      [{ SYMBOLON_TLS_CERT_FILE: wrong }, /^SYMBOLON_TLS_CERT_FILE names .* no certificate in PEM\.$/],
      [
        { SYMBOLON_TLS_KEY_FILE: wrong },
        /^SYMBOLON_TLS_KEY_FILE names .* no private key in PEM without a passphrase\.$/,
      ],
      [{ SYMBOLON_TLS_KEY_FILE: folder.file('second.key') }, /^The certificate in .* is not for the key in /],
      [
        { SYMBOLON_TLS_KEY_FILE: '' },
        /^SYMBOLON_TLS_CERT_FILE and SYMBOLON_TLS_KEY_FILE are set together, or not at all\.$/,
      ],
    ];
    for (const [extra, message] of cases)
      await assert.rejects(async () => open(extra), { name: 'ConfigError', message });
  });

  test('a stop answers what is in hand over HTTP/2, and then ends the connection', async () => {
    await using other = await openPlace('sqlite');
    await using running = await PlatformProcess.create({
      ...other.environment,
      SYMBOLON_TLS_CERT_FILE: certFile(),
      SYMBOLON_TLS_KEY_FILE: keyFile(),
    });
    await running.start();
    const client = connect(running.url.replace('http:', 'https:'), { ca: first.cert });
    const ended = once(client, 'close');
    const call = client.request({
      ':path': '/oauth2/token',
      ':method': 'POST',
      'content-type': 'application/x-www-form-urlencoded',
    });
    call.write('grant_type=client_credentials&client_id=x');
    assert.equal((await over2(client, { ':path': '/api/health' })).status, 200);
    const told = once(client, 'goaway');
    const stopped = running.stop();
    await told;
    call.end('&client_secret=y');
    const [answered] = await once(call, 'response');
    assert.equal(answered[':status'], 401);
    assert.equal(JSON.parse(await text(call)).error, 'invalid_client');
    await Promise.all([stopped, ended]);
    assert.equal(running.exitCode, 0);
  });

  test('reads the files again every minute, and logs a fault once', async () => {
    const timers = new FakeTimers();
    const { log, matching } = keptLog();
    const files = { certFile: certFile(), keyFile: keyFile() };
    const pair = await TlsPair.open({ clock: { now: () => Date.now() }, timers, log }, files);
    const contexts: unknown[] = [];
    pair.start((context) => contexts.push(context.cert));
    write(second.cert, first.key);
    for (let minute = 0; minute < 3; minute++) timers.advance(LOOK_MS);
    await eventually('the fault', () => (matching(/cannot be used/).length > 0 ? true : undefined));
    write(second.cert, second.key);
    timers.advance(LOOK_MS);
    await eventually('the new pair', () => (contexts.length > 0 ? true : undefined));
    assert.deepEqual(contexts, [second.cert]);
    assert.equal(matching(/cannot be used/).length, 1);
    await pair.stop();
    assert.equal(timers.size, 0);
    write(first.cert, first.key);
  });
});
