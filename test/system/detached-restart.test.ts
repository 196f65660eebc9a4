import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { registerCompany, registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import { createApp, decide, opened, pollResult, type TestApp } from '@symbolon/testkit/actors/consent';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { baseAt, freePort } from '@symbolon/testkit/platform/address';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { UNLIMITED } from '@symbolon/testkit/platform/platform';
import { PlatformProcess } from '@symbolon/testkit/platform/process';

/* A screen polls the front door for its sign-in while the region of the app, a process, goes away and comes back. */

describe('a detached sign-in while the region of its app restarts', () => {
  const folder = temporaryFolder();
  let door: PlatformProcess;
  let home: PlatformProcess;
  let there: PlatformProcess;
  let app: TestApp;
  let person: TestPerson;

  before(async () => {
    const ports = { door: await freePort(), eu: await freePort(), us: await freePort() };
    const shared = {
      ...UNLIMITED,
      SYMBOLON_SECRET: randomBytes(32).toString('base64'),
      SYMBOLON_REGIONS: `eu=${baseAt(ports.eu)},us=${baseAt(ports.us)}`,
      SYMBOLON_FRONT_DOOR_URL: baseAt(ports.door),
      SYMBOLON_LOG_LEVEL: 'error',
    };
    const regionOf = (name: 'eu' | 'us') =>
      PlatformProcess.create(
        {
          ...shared,
          SYMBOLON_ROLES: 'region,worker',
          SYMBOLON_REGION: name,
          SYMBOLON_DATA_DIR: folder.file(name),
        },
        { port: ports[name] },
      );
    const own = { ...shared, SYMBOLON_ROLES: 'front-door', SYMBOLON_DATA_DIR: folder.file('door') };
    door = await PlatformProcess.create(own, { port: ports.door });
    home = await regionOf('eu');
    there = await regionOf('us');
    await Promise.all([door, home, there].map((process) => process.start()));
    app = await createApp(there, await registerCompany(there));
    person = await registerPerson(home);
  });
  after(async () => {
    await Promise.all([door, home, there].map((process) => process?.stop()));
    folder[Symbol.dispose]();
  });

  const poll = (state: string) => pollResult(door, app, state);
  /** Opens the link of a screen. */
  const open = async (state: string) => opened(door, app, { response_mode: 'detached', state });
  const approve = async (request: Awaited<ReturnType<typeof open>>) => {
    const approved = await eventually('the person is known there', async () => {
      const answer = await decide(door, person, 'approve', request);
      return answer.status === 200 ? answer : undefined;
    });
    assert.deepEqual(approved.body, { detached: true });
  };

  test('waits on where it is undecided, and else its code is kept, when the process is killed', async () => {
    const [decided, waiting] = ['state-that-is-decided', 'state-that-is-pending'];
    await open(waiting);
    await approve(await open(decided));
    await there.kill();
    for (const state of [decided, waiting]) {
      const away = await poll(state);
      assert.deepEqual([away.status, away.body.error_key], [503, 'region.unavailable']);
      assert.ok(away.headers.get('retry-after'));
    }
    await there.start();
    assert.equal((await poll(waiting)).status, 202);
    const polls = await Promise.all(Array.from({ length: 10 }, () => poll(decided)));
    assert.deepEqual(polls.map(({ status }) => status).sort(), [200, ...Array<number>(9).fill(410)]);
  });

  test('gives its code to one of the polls that come before, while and after it stops in order', async () => {
    const state = 'state-over-an-upgrade';
    await approve(await open(state));
    const told: number[] = [];
    let isUp = false;
    const screen = async () => {
      for (let over = false; !over; ) {
        // The last poll begins when the region is there again.
        over = isUp;
        told.push((await poll(state)).status);
      }
    };
    const screens = [screen(), screen(), screen()];
    await there.stop();
    await there.start();
    isUp = true;
    await Promise.all(screens);
    assert.equal(told.filter((status) => status === 200).length, 1, told.join());
    assert.ok(
      told.every((status) => [200, 410, 503].includes(status)),
      told.join(),
    );
  });
});
