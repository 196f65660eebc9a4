import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onPlatform } from '@symbolon/testkit/platform/platform';

/** A list as a device encrypts it; its content is its length. */
const pins = (counter: number, bytes = 80) => ({
  counter,
  iv: randomBytes(12).toString('base64'),
  data: randomBytes(bytes).toString('base64'),
});

onPlatform('the keys that an account has confirmed', (platform) => {
  for (const [path, account] of [
    ['/api/person/pins', () => registerPerson(platform())],
    ['/api/account/pins', () => registerCompany(platform())],
  ] as const) {
    test(`${path}: are stored as they came, and a list never replaces a newer one`, async () => {
      const { token } = await account();
      const none = { counter: 0, iv: null, data: null };
      assert.deepEqual(await platform().must('GET', path, { token }), none);
      const first = pins(1);
      await platform().must('PUT', path, { token, body: first });
      const third = pins(3);
      await platform().must('PUT', path, { token, body: third });
      for (const counter of [2, 3]) {
        await refused(platform(), [409, 'people.pins_outdated'], 'PUT', path, { token, body: pins(counter) });
      }
      proves('error:people.pins_outdated', `route:GET ${path}`, `route:PUT ${path}`);
      assert.deepEqual(await platform().must('GET', path, { token }), third);
    });

    test(`${path}: of two devices that store the same counter at once, one is refused`, async () => {
      const { token } = await account();
      const puts = [pins(1), pins(1), pins(1)].map((body) => platform().call('PUT', path, { token, body }));
      const statuses = (await Promise.all(puts)).map(({ status }) => status).sort();
      assert.deepEqual(statuses, [204, 409, 409]);
    });

    test(`${path}: hold at most 64 KiB, and a counter that a program can count`, async () => {
      const { token } = await account();
      const invalid = [400, 'request.invalid'] as const;
      const most = 256 * 1024;
      for (const body of [
        pins(1, most + 3),
        pins(0),
        pins(1.5),
        pins(2 ** 53),
        { ...pins(1), iv: 'short' },
        { ...pins(1), more: 1 },
      ]) {
        await refused(platform(), invalid, 'PUT', path, { token, body });
      }
      await platform().must('PUT', path, { token, body: pins(1, most) });
      proves('limit:pinsMost');
    });
  }

  test('belong to one login, not to its company', async () => {
    const company = await registerCompany(platform());
    const viewer = await addDelegate(platform(), company, 'viewer');
    await platform().must('PUT', '/api/account/pins', { token: company.token, body: pins(1) });
    const mine = pins(1);
    await platform().must('PUT', '/api/account/pins', { token: viewer.token, body: mine });
    assert.deepEqual(await platform().must('GET', '/api/account/pins', { token: viewer.token }), mine);
    const login = company.token;
    assert.notDeepEqual(await platform().must('GET', '/api/account/pins', { token: login }), mine);
    await platform().must('DELETE', `/api/delegates/${viewer.id}`, { token: company.token });
    const left = await platform().context.database.reader.selectFrom('login_pins').selectAll().execute();
    assert.equal(left.filter(({ login_id }) => login_id === viewer.id).length, 0);
  });
});
