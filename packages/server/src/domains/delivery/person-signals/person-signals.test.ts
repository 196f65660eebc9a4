import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { registerPerson } from '@symbolon/testkit/actors/actors';
import { signInByCookie } from '@symbolon/testkit/actors/person-sessions';
import { newPassword } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { usualEngines } from '@symbolon/testkit/platform/engines';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { onPlatform, startPlatform } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { EventStreams } from './event-streams.ts';
import { DevicesSignals } from './person-signals.ts';

const EVENTS = '/api/person/events';
const CHALLENGE = { kind: 'two_factor_challenge', id: 'one' } as const;
const HOUR_MS = 60 * 60_000;
const BEAT_MS = limits.eventStreamBeatSeconds * 1000;

onPlatform("signals to people's devices", (platform) => {
  const newTicket = async (token: string): Promise<string> =>
    (await platform().must('POST', `${EVENTS}/ticket`, { token })).ticket;

  test('reach every stream of the person, and no other person, with the kind and the id alone', async () => {
    const [ada, ben] = [await registerPerson(platform()), await registerPerson(platform())];
    const devices = [
      await Listener.open(platform(), ada),
      await Listener.open(platform(), ada),
      await Listener.open(platform(), ben),
    ] as const;
    platform().context.personSignals.tell(ada.id, { ...CHALLENGE, push: true });
    platform().context.personSignals.tell(ben.id, { kind: 'two_factor_challenge_closed', id: 'two' });
    for (const device of devices) await device.heard(1);
    assert.deepEqual(
      devices.map(({ events }) => events),
      [
        [{ name: 'two_factor_challenge', data: { id: 'one' } }],
        [{ name: 'two_factor_challenge', data: { id: 'one' } }],
        [{ name: 'two_factor_challenge_closed', data: { id: 'two' } }],
      ],
    );
    assert.equal((await platform().call('GET', EVENTS, { token: ada.token })).status, 200);
    proves('route:GET /api/person/events');
    for (const device of devices) device.close();
  });

  test('an id that holds line breaks stays in its event', async () => {
    const ada = await registerPerson(platform());
    using device = await Listener.open(platform(), ada);
    platform().context.personSignals.tell(ada.id, { ...CHALLENGE, id: 'x\n\nevent: y\ndata: {}' });
    assert.deepEqual(await device.heard(1), ['two_factor_challenge']);
    assert.equal(device.events[0]?.data.id, 'x\n\nevent: y\ndata: {}');
  });

  test('a stream is neither stored nor collected by proxies', async () => {
    using device = await Listener.open(platform(), await registerPerson(platform()));
    const { headers } = device;
    assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-accel-buffering'), 'no');
  });

  test('a ticket opens one stream, within a minute', async () => {
    const ada = await registerPerson(platform());
    const made = await platform().call('POST', `${EVENTS}/ticket`, { token: ada.token });
    proves('route:POST /api/person/events/ticket');
    assert.equal(made.status, 201, made.text);
    const { ticket } = made.body;
    const device = await Listener.open(platform(), { ticket });
    platform().context.personSignals.tell(ada.id, CHALLENGE);
    await device.heard(1);
    device.close();
    const again = await platform().call('GET', `${EVENTS}?ticket=${ticket}`);
    assert.deepEqual([again.status, again.body.error_key], [401, 'auth.invalid']);
    const late = await newTicket(ada.token);
    platform().clock.advance(limits.eventTicketSeconds * 1000);
    assert.equal((await platform().call('GET', `${EVENTS}?ticket=${late}`)).status, 401);
    proves('limit:eventTicketSeconds');
  });

  test('of two that take the same ticket at once, one gets the stream', async () => {
    const ticket = await newTicket((await registerPerson(platform())).token);
    const calls = Array.from({ length: 5 }, () => platform().call('GET', `${EVENTS}?ticket=${ticket}`));
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 401, 401, 401, 401]);
  });

  test('a ticket opens nothing but the stream, and only the newest ones are kept', async () => {
    const ada = await registerPerson(platform());
    const ticket = await newTicket(ada.token);
    assert.equal((await platform().call('GET', '/api/person/me', { token: ticket })).status, 401);
    await refused(platform(), [401, 'auth.invalid'], 'POST', `${EVENTS}/ticket`, { token: ticket });
    for (let made = 0; made < limits.eventStreamsMost; made++) {
      platform().clock.advance(1);
      await newTicket(ada.token);
    }
    assert.equal((await platform().call('GET', `${EVENTS}?ticket=${ticket}`)).status, 401);
    const rows = await platform()
      .context.database.reader.selectFrom('event_tickets')
      .select('ticket_hash')
      .where('person_id', '=', ada.id)
      .execute();
    assert.equal(rows.length, limits.eventStreamsMost);
    assert.ok(!JSON.stringify(rows).includes(ticket), 'tickets are stored as hashes');
  });

  test('a stream ends at once when its session has ended', async () => {
    const ada = await registerPerson(platform());
    const byToken = await Listener.open(platform(), ada);
    const byTicket = await Listener.open(platform(), { ticket: await newTicket(ada.token) });
    const { database, personSignals } = platform().context;
    await database.write((writer) =>
      writer.updateTable('persons').set({ epoch: 2 }).where('id', '=', ada.id).execute(),
    );
    personSignals.tell(ada.id, { kind: 'session_changed', id: 'own' });
    for (const device of [byToken, byTicket]) {
      await device.end();
      assert.deepEqual(
        device.events.map(({ name }) => name),
        ['session_changed', 'stream_closed'],
      );
      assert.deepEqual(device.events[1]?.data, { reason: 'session_ended' });
    }
  });

  test('a stream by cookie ends with its session, and with no other', async () => {
    const ada = await registerPerson(platform());
    const [here, there] = [await signInByCookie(platform(), ada), await signInByCookie(platform(), ada)];
    const ended = await Listener.open(platform(), { headers: here.read });
    const kept = await Listener.open(platform(), { headers: there.read });
    await platform().must('POST', '/api/person/sign-out', { headers: here.write });
    await ended.end();
    assert.deepEqual(ended.events.at(-1), { name: 'stream_closed', data: { reason: 'session_ended' } });
    assert.deepEqual(await kept.heard(1), ['session_changed']);
    await platform().must('PUT', '/api/person/password', {
      headers: there.write,
      body: { current_login_secret: ada.loginSecret, ...newPassword() },
    });
    await kept.end();
  });

  test('a stream that stands open does not keep its session', async () => {
    const ada = await registerPerson(platform());
    const { read: headers } = await signInByCookie(platform(), ada);
    platform().clock.advance(11 * HOUR_MS);
    const device = await Listener.open(platform(), { headers });
    platform().clock.advance(HOUR_MS);
    platform().context.personSignals.tell(ada.id, { kind: 'session_changed', id: 'x' });
    await device.end();
    assert.deepEqual(device.events.at(-1), { name: 'stream_closed', data: { reason: 'session_ended' } });
    const late = await platform().call('GET', EVENTS, { headers });
    assert.deepEqual([late.status, late.body.error_key], [401, 'auth.expired']);
  });

  test('a page with a cookie is given no ticket', async () => {
    const { write: headers } = await signInByCookie(platform(), await registerPerson(platform()));
    await refused(platform(), [403, 'auth.forbidden'], 'POST', `${EVENTS}/ticket`, { headers });
  });

  test('the eleventh stream ends the oldest', async () => {
    const ada = await registerPerson(platform());
    const devices: Listener[] = [];
    for (let opened = 0; opened <= limits.eventStreamsMost; opened++)
      devices.push(await Listener.open(platform(), ada));
    await devices[0]?.end();
    assert.deepEqual(devices[0]?.events, [{ name: 'stream_closed', data: { reason: 'too_many_streams' } }]);
    platform().context.personSignals.tell(ada.id, CHALLENGE);
    for (const device of devices.slice(1)) assert.deepEqual(await device.heard(1), [CHALLENGE.kind]);
    proves('limit:eventStreamsMost');
    for (const device of devices) device.close();
  });

  test('a device that goes away leaves nothing behind', async () => {
    const { eventStreams } = platform().context;
    const before = await eventually('those of other tests are gone', () =>
      eventStreams.size === 0 ? eventStreams.size : undefined,
    );
    const device = await Listener.open(platform(), await registerPerson(platform()));
    assert.equal(platform().context.eventStreams.size, before + 1);
    device.close();
    await eventually('it is forgotten', () =>
      platform().context.eventStreams.size === before ? true : undefined,
    );
  });
});

for (const engine of usualEngines) {
  test(`streams end at once when the process stops (${engine})`, async () => {
    const platform = await startPlatform(engine);
    const device = await Listener.open(platform, await registerPerson(platform));
    await platform.stop();
    await device.end();
    assert.deepEqual(device.events, [{ name: 'stream_closed', data: { reason: 'stopping' } }]);
  });

  test(`opening a stream counts once, and streams have half of all connections (${engine})`, async () => {
    await using platform = await startPlatform(engine, {
      SYMBOLON_CONNECTIONS: '4',
      SYMBOLON_RATE_DEFAULT: '4',
    });
    const [ada, ben] = [await registerPerson(platform), await registerPerson(platform)];
    const open = [await Listener.open(platform, ada), await Listener.open(platform, ada)];
    const full = await platform.call('GET', EVENTS, { token: ben.token });
    assert.deepEqual([full.status, full.body.error_key], [503, 'platform.busy']);
    assert.ok(Number(full.headers.get('retry-after')) > 0);
    platform.context.personSignals.tell(ada.id, CHALLENGE);
    for (const device of open) await device.heard(1);
    assert.equal((await platform.call('GET', '/api/person/me', { token: ada.token })).status, 200);
    for (const device of open) device.close();
  });
}

test('a quiet stream shows a sign of life, and ends when it is not read or its session is over', async () => {
  const timers = new FakeTimers();
  const log = { debug() {} } as never;
  const streams = new EventStreams({ timers, log }, 0);
  let verdict: () => Promise<unknown> = async () => ({});
  const quiet = streams.open('ada', () => verdict());
  quiet.read();
  timers.advance(BEAT_MS);
  assert.equal(String(quiet.read()), ':\n\n');
  proves('limit:eventStreamBeatSeconds');
  verdict = () => Promise.reject(new Error('the database is away'));
  timers.advance(BEAT_MS);
  await new Promise(setImmediate);
  assert.equal(streams.size, 1, 'an outage ends no stream');
  for (let told = 0; told < 10_000 && !quiet.destroyed; told++)
    streams.tell('ada', { kind: 'two_factor_challenge', id: String(told) });
  assert.ok(quiet.destroyed, 'what is not read is bounded');
  await new Promise(setImmediate);
  assert.deepEqual([streams.size, timers.size], [0, 0]);
});

withRegions("signals to people's devices across regions", ['eu', 'us'], (regions) => {
  test('reach the home of a person from another region', async () => {
    const [eu, us] = [regions().region('eu'), regions().region('us')];
    const ada = await registerPerson(eu);
    await regions().settle();
    const device = await Listener.open(eu, ada);
    us.context.personSignals.tell(ada.id, CHALLENGE);
    assert.deepEqual(await device.heard(1), ['two_factor_challenge']);
    device.close();
    assert.equal((await us.call('GET', EVENTS, { token: ada.token })).status, 421);
  });
});

test('a signal that cannot be published is logged, and stopping waits for those on their way', async () => {
  const logged: string[] = [];
  const failed = Promise.withResolvers<void>();
  const signals = new DevicesSignals({
    availability: { explains: () => false },
    database: { tell: () => failed.promise },
    log: { warn: (_: object, text: string) => logged.push(text) },
    signalsElsewhere: {},
  } as never);
  signals.tell('ada', CHALLENGE, null);
  const stopped = signals.stop().then(() => logged.push('stopped'));
  failed.reject(new Error('no database'));
  await stopped;
  assert.deepEqual(logged, ['telling the devices of a person failed', 'stopped']);
});
