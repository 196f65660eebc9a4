import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import { signInByCookie } from '@symbolon/testkit/actors/person-sessions';
import { newPassword } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { usualEngines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { noCertificates } from '@symbolon/testkit/servers/certificate';
import { PushService, type TestBrowser } from '@symbolon/testkit/servers/push-service';

const DEVICES = '/api/person/devices';
const ASKED = { kind: 'two_factor_challenge', id: 'challenge-one', push: true } as const;
const DAY_S = 24 * 60 * 60;

for (const engine of usualEngines) {
  describe(`push messages (${engine})`, { skip: noCertificates }, () => {
    let service: PushService;
    let platform: TestPlatform & { stop(): Promise<void> };
    before(async () => {
      service = await PushService.start();
      const { environment, outgoing } = service;
      platform = await startPlatform(engine, environment, undefined, { outgoing });
    });
    after(async () => {
      await platform.stop();
      await service.stop();
    });

    const subscribe = (person: TestPerson, browser: TestBrowser) =>
      platform.must('POST', DEVICES, { token: person.token, body: browser.subscription });
    const devicesOf = async ({ token }: TestPerson) =>
      (await platform.must('GET', DEVICES, { token })).devices as { id: string }[];
    const withBrowser = async () => {
      const person = await registerPerson(platform);
      const browser = service.newBrowser();
      await subscribe(person, browser);
      service.received.length = 0;
      service.react = () => ({ status: 201 });
      return { person, browser };
    };
    const ask = (person: TestPerson, id: string = ASKED.id) =>
      platform.context.personSignals.tell(person.id, { ...ASKED, id });

    test('a browser gets a message that it alone can open, and that says only that someone asks', async () => {
      const person = await registerPerson(platform);
      const browser = service.newBrowser();
      const made = await platform.call('POST', DEVICES, {
        token: person.token,
        body: browser.subscription,
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
      });
      assert.deepEqual(
        [made.status, made.body.name, made.body.service, made.body.current],
        [201, 'Firefox on Linux', 'push.example.com', false],
      );
      const list = await platform.call('GET', DEVICES, { token: person.token });
      assert.deepEqual(list.body.devices, [made.body]);
      ask(person);
      const [push] = await service.count(1);
      assert.equal(push?.browser, browser);
      assert.deepEqual(JSON.parse(push?.text ?? ''), { kind: 'approval' });
      assert.equal(push?.headers['content-encoding'], 'aes128gcm');
      assert.equal(push?.headers.ttl, String(limits.pushLifetimeSeconds));
      proves('limit:pushLifetimeSeconds');
      assert.equal(push?.headers.urgency, 'high');
      assert.match(String(push?.headers.topic), /^[\w-]{32}$/);
      assert.ok(!push?.bytes.includes('approval'));
    });

    test('the token names the push service, the operator and the key that browsers subscribe with', async () => {
      const { person } = await withBrowser();
      ask(person);
      const [push] = await service.count(1);
      assert.equal(push?.vapid.aud, 'https://push.example.com');
      assert.equal(push?.vapid.sub, 'mailto:push@symbolon.dev');
      const left = (push?.vapid.exp ?? 0) - Date.now() / 1000;
      assert.ok(left > 0 && left <= DAY_S, String(left));
      const { push: told } = await platform.must('GET', DEVICES, { token: person.token });
      assert.deepEqual(told, { enabled: true, application_server_key: push?.key });
    });

    test('two messages about the same thing have one topic, and others another one', async () => {
      const { person } = await withBrowser();
      for (const id of ['a', 'a', 'b']) ask(person, id);
      const pushes = await service.count(3);
      const topics = pushes.map(({ headers }) => headers.topic);
      assert.equal(new Set(topics).size, 2);
      const bodies = new Set(pushes.map(({ bytes }) => bytes.length));
      assert.equal(bodies.size, 1, 'the length tells nothing');
    });

    test('a message and a request to connect differ, at the same length', async () => {
      const { person } = await withBrowser();
      const kinds = ['two_factor_challenge', 'message', 'connect_request'] as const;
      for (const kind of kinds)
        platform.context.personSignals.tell(person.id, { kind, id: kind, push: true });
      const pushes = await service.count(kinds.length);
      assert.deepEqual(pushes.map(({ text }) => JSON.parse(text).kind).sort(), [
        'approval',
        'message',
        'request',
      ]);
      assert.equal(new Set(pushes.map(({ bytes }) => bytes.length)).size, 1);
    });

    test('a signal that wakes no device sends no message', async () => {
      const { person } = await withBrowser();
      platform.context.personSignals.tell(person.id, { kind: 'two_factor_challenge_closed', id: 'x' });
      ask(person, 'after');
      await service.count(1);
      assert.equal(service.received.length, 1);
    });

    for (const status of [404, 410]) {
      test(`a subscription that is gone (${status}) is deleted`, async () => {
        const { person } = await withBrowser();
        service.react = () => ({ status });
        ask(person);
        await eventually('it is deleted', async () =>
          (await devicesOf(person)).length === 0 ? true : undefined,
        );
      });
    }

    test('a subscription that is gone and cannot be deleted now is no failure of anything else', async (t) => {
      const { person } = await withBrowser();
      service.react = () => ({ status: 410 });
      const { database } = platform.context;
      const write = t.mock.method(database, 'write', () => Promise.reject(new Error('The disk is full.')));
      ask(person);
      await eventually('it was tried', async () => (write.mock.callCount() > 0 ? true : undefined));
      write.mock.restore();
    });

    test('an answer that redirects is not followed, and the subscription stays', async () => {
      const { person } = await withBrowser();
      service.react = () => ({ status: 301, headers: { location: 'https://push.example.com/elsewhere' } });
      ask(person);
      await service.count(1);
      service.react = () => ({ status: 201 });
      ask(person, 'again');
      assert.equal((await service.count(2)).length, 2);
      assert.equal((await devicesOf(person)).length, 1);
    });

    test('a name that leads to a private address is not called', async () => {
      const [ada, ben] = [await registerPerson(platform), await registerPerson(platform)];
      await subscribe(ada, service.newBrowser(service.privateHost));
      await subscribe(ben, service.newBrowser());
      service.received.length = 0;
      ask(ada);
      await service.nameserver.until(() => service.nameserver.namesUnder(service.privateHost).size > 0);
      ask(ben);
      await service.count(1);
      assert.deepEqual(
        service.received.map(({ headers }) => headers.host),
        [service.host],
      );
    });

    test('subscriptions are stored encrypted', async () => {
      const { browser } = await withBrowser();
      const { reader } = platform.context.database;
      const rows = await reader.selectFrom('push_subscriptions').selectAll().execute();
      const keys = await reader.selectFrom('push_keys').selectAll().execute();
      const text = JSON.stringify([rows, keys]);
      for (const secret of [browser.endpoint, browser.subscription.keys.auth])
        assert.ok(!text.includes(secret), secret);
      assert.equal(keys.length, 1);
      assert.match(keys[0]?.private_key ?? '', /^k1:/);
    });

    test('what no browser sends is refused', async () => {
      const { token } = await registerPerson(platform);
      const { subscription } = service.newBrowser();
      const key = (change: Partial<typeof subscription.keys>) => ({
        ...subscription,
        keys: { ...subscription.keys, ...change },
      });
      const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');
      for (const body of [
        ...[
          'http://push.example.com/x',
          'https://push.example.com:8443/x',
          'https://127.0.0.1/x',
          'https://[::1]/x',
          'https://10.1.2.3/x',
          'https://169.254.169.254/latest/meta-data',
          'https://localhost/x',
          'https://name.internal/x',
          'https://user:password@push.example.com/x',
          'push.example.com',
        ].map((endpoint) => ({ ...subscription, endpoint })),
        key({ p256dh: offCurve }),
        key({ p256dh: subscription.keys.p256dh.slice(2) }),
        key({ p256dh: '' }),
        key({ auth: 'AAAA' }),
        key({ auth: '' }),
      ]) {
        await refused(platform, [400, 'people.push_subscription_invalid'], 'POST', DEVICES, { token, body });
      }
      for (const body of [
        {},
        { endpoint: subscription.endpoint },
        { ...subscription, more: 1 },
        key({ more: 1 } as never),
      ])
        await refused(platform, [400, 'request.invalid'], 'POST', DEVICES, { token, body });
    });

    test('a person has at most ten devices, and the same browser counts once', async () => {
      const { person, browser } = await withBrowser();
      await subscribe(person, browser);
      assert.equal((await devicesOf(person)).length, 1);
      for (let count = 1; count < limits.pushDevicesMost; count++)
        await subscribe(person, service.newBrowser());
      const body = service.newBrowser().subscription;
      await refused(platform, [409, 'people.devices_limit'], 'POST', DEVICES, { token: person.token, body });
      proves('limit:pushDevicesMost');
      const [first] = await devicesOf(person);
      const removed = await platform.call('DELETE', `${DEVICES}/${first?.id}`, { token: person.token });
      proves('route:DELETE /api/person/devices/{id}');
      assert.equal(removed.status, 204);
      await subscribe(person, service.newBrowser());
    });

    test('of many that subscribe at once, ten are taken', async () => {
      const { token } = await registerPerson(platform);
      const calls = Array.from({ length: limits.pushDevicesMost + 5 }, () =>
        platform.call('POST', DEVICES, { token, body: service.newBrowser().subscription }),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 201).length, limits.pushDevicesMost);
    });

    test("a browser goes over to whoever signs in with it, and another browser's endpoint cannot be taken", async () => {
      const { person: ada, browser } = await withBrowser();
      const ben = await registerPerson(platform);
      const guessed = { ...service.newBrowser().subscription, endpoint: browser.endpoint };
      const invalid = [400, 'people.push_subscription_invalid'] as const;
      await refused(platform, invalid, 'POST', DEVICES, { token: ben.token, body: guessed });
      assert.equal((await devicesOf(ada)).length, 1);
      await subscribe(ben, browser);
      proves('route:POST /api/person/devices', 'route:GET /api/person/devices');
      assert.deepEqual([(await devicesOf(ada)).length, (await devicesOf(ben)).length], [0, 1]);
    });

    test('of two people who add one endpoint at once, one has it and the other is refused', async () => {
      for (let round = 0; round < 10; round++) {
        const people = await Promise.all([registerPerson(platform), registerPerson(platform)]);
        const [browser, other] = [service.newBrowser(), service.newBrowser()];
        const bodies = [browser.subscription, { ...other.subscription, endpoint: browser.endpoint }];
        const answers = await Promise.all(
          people.map(({ token }, at) => platform.call('POST', DEVICES, { token, body: bodies[at] ?? {} })),
        );
        const told = answers.map(({ status, body }) => [status, body.error_key]).sort();
        assert.deepEqual(told, [
          [201, undefined],
          [400, 'people.push_subscription_invalid'],
        ]);
        const kept = await Promise.all(people.map(devicesOf));
        assert.equal(kept.flat().length, 1);
      }
    });

    test("another person's device cannot be removed", async () => {
      const { person } = await withBrowser();
      const [device] = await devicesOf(person);
      const { token } = await registerPerson(platform);
      await refused(platform, [404, 'people.device_not_found'], 'DELETE', `${DEVICES}/${device?.id}`, {
        token,
      });
      assert.equal((await devicesOf(person)).length, 1);
    });

    test('with everything of a person their devices end', async () => {
      const { person } = await withBrowser();
      await platform.context.database.write((writer) =>
        writer.updateTable('persons').set({ epoch: 2 }).where('id', '=', person.id).execute(),
      );
      const { person: other } = await withBrowser();
      ask(person);
      ask(other);
      await service.count(1);
      await eventually('it is deleted', async () => {
        const { reader } = platform.context.database;
        const rows = await reader
          .selectFrom('push_subscriptions')
          .select('id')
          .where('person_id', '=', person.id)
          .execute();
        return rows.length === 0 ? true : undefined;
      });
      assert.equal(service.received.length, 1);
    });

    test('a browser that is signed out is woken no more, and one whose session expires still is', async () => {
      const person = await registerPerson(platform);
      const [first, second, third] = [
        await signInByCookie(platform, person),
        await signInByCookie(platform, person),
        await signInByCookie(platform, person),
      ];
      const bare = service.newBrowser();
      await subscribe(person, bare);
      const browsers: TestBrowser[] = [];
      for (const { write: headers } of [first, second, third]) {
        const browser = service.newBrowser();
        browsers.push(browser);
        await platform.must('POST', DEVICES, { headers, body: browser.subscription });
      }
      const list = await platform.must('GET', DEVICES, { headers: second.read });
      assert.deepEqual(
        list.devices.map(({ current }: { current: boolean }) => current),
        [false, false, true, false],
      );
      await platform.must('POST', '/api/person/sign-out', { headers: first.write });
      assert.equal((await devicesOf(person)).length, 3);
      await platform.must('DELETE', '/api/person/sessions', { headers: second.write });
      assert.equal((await devicesOf(person)).length, 2, 'its own, and the one of the access token');
      platform.clock.advance(13 * 60 * 60_000);
      assert.equal((await platform.call('GET', DEVICES, { headers: second.read })).status, 401);
      service.received.length = 0;
      service.react = () => ({ status: 201 });
      ask(person);
      const pushes = await service.count(2);
      assert.deepEqual(new Set(pushes.map(({ browser }) => browser)), new Set([bare, browsers[1]]));
    });

    test('a new password ends all devices', async () => {
      const { person } = await withBrowser();
      const session = await platform.must('PUT', '/api/person/password', {
        token: person.token,
        body: { current_login_secret: person.loginSecret, ...newPassword() },
      });
      assert.deepEqual(await devicesOf({ ...person, token: session.access_token }), []);
    });
  });

  test(`without a subject push is off, and people get a refusal that says so (${engine})`, async () => {
    await using platform = await startPlatform(engine);
    const { token } = await registerPerson(platform);
    const list = await platform.must('GET', DEVICES, { token });
    assert.deepEqual(list, { push: { enabled: false, application_server_key: null }, devices: [] });
    const body = {
      endpoint: 'https://push.example.com/x',
      keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
    };
    await refused(platform, [409, 'people.push_off'], 'POST', DEVICES, { token, body });
  });
}
