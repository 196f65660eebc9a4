import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { createService, dataToken, registerCompany } from '@symbolon/testkit/actors/actors';
import { addDelegate, signIn } from '@symbolon/testkit/actors/portal-logins';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { OPERATOR, onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { FailureLimit } from './failure-limit.ts';

const LIMIT = 20;

/** A call from another address of this machine. */
function callFrom(platform: TestPlatform, localAddress: string, path: string, headers = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${platform.url}${path}`, { localAddress, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}

onPlatform(
  'failures before anybody is known',
  (platform) => {
    const statuses = async (count: number, call: () => Promise<number>) => {
      const answers = await Promise.all(Array.from({ length: count }, call));
      return {
        refused: answers.filter((status) => status === 429).length,
        failed: answers.filter((status) => status === 401 || status === 404).length,
      };
    };
    let next = 2;
    const freshAddress = () => `127.0.0.${next++}`;

    for (const [title, path, headers] of [
      ['invalid tokens', '/api/account', { authorization: 'Bearer abc' }],
      ['calls without a token', '/api/account', {}],
      ['invalid sessions', '/api/account', { authorization: `Bearer sps_${'x'.repeat(43)}` }],
      ['invalid cookies', '/api/account', { cookie: `symbolon_session=sps_${'x'.repeat(43)}` }],
      ['wrong operator tokens', '/api/admin/maintenance', { authorization: `Bearer ${'y'.repeat(32)}` }],
      ['unknown addresses', '/api/nothing', {}],
      ['unknown addresses with an invalid token', '/api/nothing', { authorization: 'Bearer abc' }],
      ['tokens of other regions', '/internal/token', { authorization: 'Bearer peer_x.y' }],
    ] as const) {
      test(`${title} are counted by address`, async () => {
        const source = freshAddress();
        const answers = await statuses(LIMIT + 30, () => callFrom(platform(), source, path, headers));
        assert.deepEqual(answers, { refused: 30, failed: LIMIT });
        const elsewhere = await callFrom(platform(), freshAddress(), path, headers);
        assert.ok(elsewhere === 401 || elsewhere === 404, 'other addresses are not refused');
      });
    }

    test('a refused session costs no look-up, and a right token passes at an address where others fail', async (t) => {
      const company = await registerCompany(platform());
      const token = await dataToken(platform(), await createService(platform(), company));
      const source = freshAddress();
      const looked = t.mock.method(platform().context.sessions, 'find').mock;
      const bad = { authorization: `Bearer sps_${'z'.repeat(43)}` };
      await statuses(LIMIT, () => callFrom(platform(), source, '/api/account', bad));
      await callFrom(platform(), source, '/api/account', bad);
      await statuses(LIMIT, () => callFrom(platform(), source, '/api/account', bad));
      await statuses(LIMIT * 2, () =>
        callFrom(platform(), source, '/api/account', { authorization: 'Bearer abc' }),
      );
      assert.equal(looked.callCount(), LIMIT + 1);
      const whoami = '/api/company-data/whoami';
      assert.equal(await callFrom(platform(), source, whoami, { authorization: `Bearer ${token}` }), 200);
      const operator = { authorization: `Bearer ${OPERATOR}` };
      assert.equal(await callFrom(platform(), source, '/api/admin/maintenance', operator), 200);
    });

    test('a session passes at an address where others make sessions up, and one that ended is counted by itself', async () => {
      const company = await registerCompany(platform());
      const ended = await signIn(platform(), company);
      const source = freshAddress();
      const account = (token: string, from = source) =>
        callFrom(platform(), from, '/api/account', { authorization: `Bearer ${token}` });
      await statuses(LIMIT + 1, () => account(`sps_${'w'.repeat(43)}`));
      assert.equal(await account(`sps_${'w'.repeat(43)}`), 429);
      assert.equal(await account(company.token), 200);
      assert.equal(await account(ended), 200);
      await platform().must('POST', '/api/portal/sign-out', { token: ended });
      const answers = await statuses(LIMIT + 10, () => account(ended));
      assert.deepEqual(answers, { refused: 10, failed: LIMIT });
      assert.equal(await account(company.token), 200);
    });

    test('a token from before is counted by itself, and a new one of the same client passes', async () => {
      const { company, service, token: old } = await openShop(platform());
      const { client_secret, client_id } = await platform().must(
        'POST',
        `/api/services/${service.id}/client/regenerate-secret`,
        { token: company.token },
      );
      const whoami = (token: string, source: string) =>
        callFrom(platform(), source, '/api/company-data/whoami', { authorization: `Bearer ${token}` });
      let host = 1;
      const answers = await statuses(LIMIT + 10, () => whoami(old, `127.0.1.${host++}`));
      assert.deepEqual(answers, { refused: 10, failed: LIMIT });
      const { access_token } = await platform().must('POST', '/oauth2/token', {
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
      });
      assert.equal(await whoami(access_token, '127.0.1.1'), 200);
    });

    test('unknown addresses are counted for who is known', async () => {
      const { token } = await registerCompany(platform());
      const answers = await statuses(30, async () => {
        return (await platform().call('GET', '/api/nothing', { token })).status;
      });
      assert.deepEqual(answers, { refused: 10, failed: 20 });
    });
  },
  {
    SYMBOLON_RATE_FAILURES: String(LIMIT),
    SYMBOLON_RATE_DEFAULT: '20',
  },
);

onPlatform(
  'the limit of a company’s people',
  (platform) => {
    test('one login’s calls do not use up what another has', async () => {
      const owner = await registerCompany(platform());
      const viewer = await addDelegate(platform(), owner, 'viewer');
      for (let count = 0; count < 30; count++)
        assert.equal((await platform().call('GET', '/api/account', { token: viewer.token })).status, 200);
      assert.equal((await platform().call('GET', '/api/account', { token: viewer.token })).status, 429);
      assert.equal((await platform().call('GET', '/api/account', { token: owner.token })).status, 200);
    });
  },
  { SYMBOLON_RATE_DEFAULT: '30' },
);

test('a failure limit of zero counts nothing', async () => {
  const failures = new FailureLimit({ failures: 0 });
  for (let count = 0; count < 1000; count++) await failures.failed('token', '192.0.2.1');
});

test('addresses that ran out are remembered up to a bound', async () => {
  const failures = new FailureLimit({ failures: 1 });
  for (let host = 0; host < 10_050; host++) {
    const address = `10.0.${host >> 8}.${host & 255}`;
    await failures.failed('session', address);
    await assert.rejects(failures.failed('session', address), { key: 'rate_limit.exceeded' });
  }
  failures.refuseSpent('session', '10.0.0.0');
  assert.throws(() => failures.refuseSpent('session', '10.0.1.255'), { key: 'rate_limit.exceeded' });
});
