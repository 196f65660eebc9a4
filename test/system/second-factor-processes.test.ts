import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  type AskingService,
  asked,
  createAskingService,
  enrolledPerson,
} from '@symbolon/testkit/actors/second-factor';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { engines } from '@symbolon/testkit/platform/engines';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import {
  PresentClock,
  type RunningPlatform,
  startPlatform,
  UNLIMITED,
} from '@symbolon/testkit/platform/platform';
import { PlatformProcess } from '@symbolon/testkit/platform/process';
import { RawClient } from '@symbolon/testkit/platform/raw-client';

/* Processes of the operating system that share nothing but PostgreSQL. */

describe('the second factor on several processes', { skip: !engines.includes('postgres') }, () => {
  let here: RunningPlatform;
  let others: readonly PlatformProcess[] = [];
  let service: AskingService;
  const folder = temporaryFolder();

  before(async () => {
    const shared = { SYMBOLON_SECRET: randomBytes(32).toString('base64') };
    here = await startPlatform('postgres', { ...shared, SYMBOLON_INSTANCE: 'here' }, new PresentClock());
    const environment = {
      ...UNLIMITED,
      ...shared,
      DATABASE_URL: here.context.config.databaseUrl ?? '',
      SYMBOLON_DATA_DIR: folder.path,
      SYMBOLON_LOG_LEVEL: 'error',
    };
    others = await Promise.all(
      ['second', 'third'].map((name) => PlatformProcess.create({ ...environment, SYMBOLON_INSTANCE: name })),
    );
    await Promise.all(others.map((process) => process.start()));
    service = await createAskingService(here);
  });
  after(async () => {
    await Promise.all(others.map((process) => process.stop()));
    await here?.stop();
    folder[Symbol.dispose]();
  });

  const all = () => [here.url, ...others.map(({ url }) => url)];
  const answer = async (url: string, token: string, id: string) => {
    const path = `/api/person/two-factor/challenges/${id}/deny`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const denied = await fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' });
    assert.equal(denied.status, 200, await denied.text());
  };
  /** A challenge that its person denied, at another process than the one that asked. */
  const denied = async () => {
    const person = await enrolledPerson(here, service);
    const { challenge_id: id } = await asked(here, service, person);
    await answer(others[0]?.url ?? '', person.token, id);
    return id;
  };
  const address = (id: string) => `/api/service-2fa/challenges/${id}`;
  /** Polls until an answer stands, as a client does: a 503 changed nothing and is to be repeated. */
  const poll = async (url: string, id: string): Promise<number> => {
    const headers = { authorization: `Bearer ${service.dataToken}` };
    const polled = await fetch(`${url}${address(id)}`, { headers });
    await polled.text();
    if (polled.status !== 503) return polled.status;
    await setTimeout(Number(polled.headers.get('retry-after')) * 1_000);
    return poll(url, id);
  };
  /** Polls that go round the processes; gives how many had each status. */
  const polls = async (count: number, id: string) => {
    const urls = all();
    const made = Array.from({ length: count }, (_, n) => poll(urls[n % urls.length] ?? '', id));
    const statuses = await Promise.all(made);
    return Object.fromEntries(
      [...new Set(statuses)].map((status) => [status, statuses.filter((one) => one === status).length]),
    );
  };

  test('a card that one process makes arrives at the devices of the others, and closes there', async () => {
    const person = await enrolledPerson(here, service);
    const devices = await Promise.all(all().map((url) => Listener.open({ url }, { token: person.token })));
    try {
      const { challenge_id: id } = await asked(here, service, person);
      for (const device of devices) assert.deepEqual(await device.heard(1), ['two_factor_challenge']);
      await answer(others[1]?.url ?? '', person.token, id);
      for (const device of devices) {
        assert.deepEqual(await device.heard(2), ['two_factor_challenge', 'two_factor_challenge_closed']);
        assert.deepEqual(
          device.events.map(({ data }) => data.id),
          [id, id],
        );
      }
    } finally {
      for (const device of devices) device.close();
    }
  });

  test('an outcome is delivered to one of 500 polls that come at all of them', async () => {
    assert.deepEqual(await polls(500, await denied()), { 200: 1, 410: 499 });
  });

  test('polls that hang up before their answer take nothing from the one that waits', async () => {
    const id = await denied();
    const urls = all();
    const clients = await Promise.all(
      Array.from({ length: 60 }, (_, n) => RawClient.open(urls[n % urls.length] ?? '')),
    );
    // What a process was sent before, it has seen when it answers the second time.
    const seen = async () => {
      for (const url of [...urls, ...urls]) await (await fetch(`${url}/api/health`)).text();
    };
    // As long as somebody else holds the outcome, no poll is answered.
    await here.context.database.write(async (writer) => {
      await writer.updateTable('two_factor_challenges').set({ delivered: 0 }).where('id', '=', id).execute();
      for (const client of clients) client.send(address(id), service.dataToken);
      await seen();
      for (const { socket } of clients) socket.resetAndDestroy();
      await seen();
    });
    assert.deepEqual(await polls(500, id), { 200: 1, 410: 499 });
  });

  test('of polls that break off in the middle of their answer one had it, and no other gets it', async () => {
    const id = await denied();
    const urls = all();
    const heads = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const client = await RawClient.open(urls[n % urls.length] ?? '');
        client.send(address(id), service.dataToken);
        const [chunk] = await once(client.socket, 'data');
        client.socket.resetAndDestroy();
        return String(chunk).slice(0, 'HTTP/1.1 200'.length);
      }),
    );
    assert.equal(heads.filter((head) => head === 'HTTP/1.1 200').length, 1);
    assert.equal(heads.filter((head) => head === 'HTTP/1.1 410').length, 59);
    assert.deepEqual(await polls(30, id), { 410: 30 });
  });
});
