import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Event } from '@symbolon/protocol';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { usualEngines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { openPlace } from '@symbolon/testkit/platform/places';
import { startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { mailServer, SILENT } from '@symbolon/testkit/servers/mail-server';

const CHANGES = '/api/company-data/changes';

/** Keeps this process from all other work. @param ms milliseconds */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** A service with an event in its feed. */
async function feedOf(platform: TestPlatform) {
  const { service, token } = await openShop(platform);
  await raise(platform, service, await insertCustomer(platform, service), Event.connectionCreated);
  const left = async () => {
    const { reader } = platform.context.database;
    return (await reader.selectFrom('changes').select('id').where('feed', '=', service.id).execute()).length;
  };
  assert.equal(await left(), 1);
  return { token, left };
}

for (const engine of usualEngines) {
  test(`a stop waits until it is known that a drain has arrived, and does not repeat it (${engine})`, async () => {
    await using platform = await startPlatform(engine);
    const { token, left } = await feedOf(platform);
    const client = await RawClient.open(platform.url);
    client.send(CHANGES, token);
    assert.equal(JSON.parse(await client.read()).changes.length, 1);
    await platform.app.close();
    await eventually('the event is deleted', async () => ((await left()) === 0 ? true : undefined));
  });

  test(`a stop repeats a drain whose connection was reset (${engine})`, async () => {
    await using platform = await startPlatform(engine);
    const { token, left } = await feedOf(platform);
    const client = await RawClient.open(platform.url);
    client.send(CHANGES, token);
    await client.read();
    client.socket.resetAndDestroy();
    await platform.app.close();
    await platform.context.responses.stop();
    assert.equal(await left(), 1);
  });
}

test('a process that stops refuses calls with a key and a time, and health with them', async () => {
  await using platform = await startPlatform('sqlite');
  const { token } = await feedOf(platform);
  const { hostname, port } = new URL(platform.url);
  // A client that keeps its side open although ours is closed: the stop waits for it.
  const open = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  open.write(`GET ${CHANGES} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
  await once(open, 'data');
  const closing = platform.app.close();
  await once(open, 'end');
  for (const path of ['/api/health', CHANGES, '/nothing']) {
    const refused = await platform.call('GET', path, { token });
    proves('error:platform.stopping');
    assert.deepEqual([refused.status, refused.body.error_key], [503, 'platform.stopping'], path);
    assert.equal(refused.headers.get('retry-after'), '2');
    assert.equal(refused.headers.get('connection'), 'close');
  }
  open.end();
  await closing;
});

test('a call on a new connection is refused with a key although the process that stops stood still before it read it', async () => {
  await using platform = await startPlatform('sqlite');
  const { token } = await feedOf(platform);
  const client = await RawClient.open(platform.url);
  client.send(CHANGES, token);
  await client.read();
  const { hostname, port } = new URL(platform.url);
  // It keeps its side open, so that the stop waits for it.
  const stopping = once(client.socket, 'end');
  client.socket.allowHalfOpen = true;
  const closing = platform.app.close();
  await stopping;
  const accepted = once(platform.app.server, 'connection');
  const late = connect(Number(port), hostname);
  late.write('GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n');
  await accepted;
  standStill(200);
  const [said] = await once(late.setEncoding('utf8'), 'data');
  assert.match(said, /^HTTP\/1\.1 503 [\s\S]*"platform\.stopping"/);
  client.socket.end();
  await closing;
});

test('a process that drains serves on, to the last call that has begun to come, and closes each connection with its answer', async () => {
  await using platform = await startPlatform('sqlite');
  platform.app.drain();
  const answer = await platform.call('GET', '/api/health');
  assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'close']);
  const { hostname, port } = new URL(platform.url);
  const accepted = once(platform.app.server, 'connection');
  const late = connect(Number(port), hostname);
  late.write('GET /api/health HTTP/1.1\r\nhost: x\r\n');
  const [socket] = await accepted;
  await eventually('its call has begun', () => socket.bytesRead > 0 || undefined);
  const closing = platform.app.close();
  await eventually('no new connection is taken', () => !platform.app.server.listening || undefined);
  late.write('\r\n');
  const [said] = await once(late.setEncoding('utf8'), 'data');
  assert.match(said, /^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n/i);
  await closing;
});

test('a connection that was opened ahead of its request does not hold a stop up', async () => {
  const platform = await startPlatform('sqlite');
  const { hostname, port } = new URL(platform.url);
  const arrived = once(platform.app.server, 'connection');
  const ahead = connect(Number(port), hostname);
  await arrived;
  const gone = once(ahead.resume(), 'close');
  // Node alone would wait for the time-out of the connection, a minute.
  await platform.stop();
  await gone;
});

test('a process ends although a call hangs on a mail server that says nothing, and answers that call', async () => {
  await using mail = await mailServer(() => SILENT);
  await using place = await openPlace('sqlite');
  const environment = { ...place.environment, SYMBOLON_SMTP_URL: mail.url };
  await using platform = await PlatformProcess.create(environment);
  await platform.start();
  const { token } = await registerCompany(platform);
  const body = { email: 'ada@example.com', role: 'viewer' };
  const hanging = platform.call('POST', '/api/delegates', { token, body });
  await eventually('the mail server is asked', () => (mail.sockets.size > 0 ? true : undefined));
  const stopped = platform.stop();
  const answer = await hanging;
  assert.deepEqual([answer.status, answer.body.error_key], [503, 'mail.unavailable']);
  await stopped;
  assert.equal(platform.exitCode, 0);
});
