import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '@symbolon/crypto';
import { openSealed, registerCompany, sealed } from '@symbolon/testkit/actors/actors';
import {
  addDelegate,
  enrolSecondFactor,
  type TestLogin,
  WRONG_SECRET,
} from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { onPlatform } from '@symbolon/testkit/platform/platform';

type Login = Pick<TestLogin, 'id' | 'token' | 'loginSecret'>;
interface Holder {
  login_id: string;
  role: string;
  holds: boolean;
  public_key_sha256: string;
}

onPlatform('the recovery key', (platform) => {
  const PATH = '/api/account/recovery-key';
  const open = (login: Login, more: object = {}) =>
    platform().call('POST', `${PATH}/open`, {
      token: login.token,
      body: { login_secret: login.loginSecret, ...more },
    });
  const holders = async (login: Login): Promise<Holder[]> =>
    (await platform().must('GET', `${PATH}/holders`, { token: login.token })).items;
  const share = async (from: Login, to: Login, more: object = {}) => {
    const holder = (await holders(from)).find((candidate) => candidate.login_id === to.id);
    const body = {
      login_secret: from.loginSecret,
      public_key_sha256: holder?.public_key_sha256 ?? '',
      sealed: JSON.parse(await sealed('the recovery key')),
      ...more,
    };
    return platform().call('PUT', `${PATH}/holders/${to.id}`, { token: from.token, body });
  };
  const actions = async (login: Login): Promise<string[]> =>
    (await platform().must('GET', '/api/account/audit-log', { token: login.token })).items.map(
      (entry: { action: string }) => entry.action,
    );

  test('is opened by the login that made it, with its login secret and code, and recorded', async () => {
    const company = await registerCompany(platform());
    assert.equal((await platform().call('GET', PATH, { token: company.token })).status, 200);
    const opened = await open(company);
    assert.equal(opened.status, 200, opened.text);
    assert.equal(opened.headers.get('cache-control'), 'no-store');
    assert.deepEqual(Object.keys(opened.body), ['public_key', 'sealed']);
    assert.ok((await actions(company)).includes('recovery_key.opened'));
    const wrong = await open({ ...company, loginSecret: WRONG_SECRET });
    assert.equal(wrong.body.error_key, 'auth.credentials_invalid');
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    assert.equal((await open(company)).body.error_key, 'auth.two_factor_required');
    assert.equal((await open(company, { code: code() })).status, 200);
  });

  test('is shown beside the account key, each with the fingerprint of its public half', async () => {
    const { token } = await registerCompany(platform());
    const told = await platform().call('GET', '/api/profile/keys', { token });
    assert.equal(told.status, 200, told.text);
    const { account_public_key, recovery_public_key } = told.body;
    proves('route:GET /api/profile/keys');
    assert.deepEqual(told.body, {
      account_public_key,
      account_public_key_sha256: await fingerprint(account_public_key),
      recovery_public_key,
      recovery_public_key_sha256: await fingerprint(recovery_public_key),
    });
    const alone = await platform().must('GET', PATH, { token });
    proves('route:GET /api/account/recovery-key');
    assert.equal(alone.public_key, recovery_public_key);
  });

  test('is shared with another admin, who loses it with the role', async () => {
    const company = await registerCompany(platform());
    const admin = await addDelegate(platform(), company, 'admin');
    await addDelegate(platform(), company, 'developer');
    const none = await open(admin);
    assert.deepEqual([none.status, none.body.error_key], [404, 'account.recovery_key_not_shared']);
    const list = await holders(admin);
    proves('route:GET /api/account/recovery-key/holders');
    assert.deepEqual(
      list.map(({ login_id, role, holds }) => [login_id, role, holds]),
      [
        [company.id, 'owner', true],
        [admin.id, 'admin', false],
      ],
    );
    // A login without a copy has nothing to give.
    assert.equal((await share(admin, admin)).body.error_key, 'account.recovery_key_not_shared');
    const shared = await share(company, admin);
    assert.equal(shared.status, 204, shared.text);
    assert.equal(await openSealed(JSON.stringify((await open(admin)).body.sealed)), 'the recovery key');
    assert.ok((await actions(company)).includes('recovery_key.shared'));
    const setRole = (role: string) =>
      platform().must('PUT', `/api/delegates/${admin.id}`, { token: company.token, body: { role } });
    await setRole('developer');
    await setRole('admin');
    proves('error:account.recovery_key_not_shared', 'state:recovery-key.shared-lost');
    assert.equal((await open(admin)).body.error_key, 'account.recovery_key_not_shared');
    await share(company, admin);
    await platform().must('DELETE', `/api/delegates/${admin.id}`, { token: company.token });
    const rows = await platform()
      .context.database.reader.selectFrom('recovery_key_holders')
      .select('login_id')
      .where('company_id', '=', company.id)
      .execute();
    assert.deepEqual(
      rows.map((row) => row.login_id),
      [company.id],
    );
  });

  test('is given to the key that was compared, to admins and owners alone, with a proof', async () => {
    const company = await registerCompany(platform());
    const admin = await addDelegate(platform(), company, 'admin');
    const developer = await addDelegate(platform(), company, 'developer');
    const stranger = await registerCompany(platform());
    proves('error:account.recovery_key_holder_changed');
    assert.deepEqual(await refusalOf(share(company, admin, { public_key_sha256: 'f'.repeat(64) })), [
      409,
      'account.recovery_key_holder_changed',
    ]);
    assert.deepEqual(await refusalOf(share(company, developer)), [404, 'delegates.not_found']);
    assert.deepEqual(await refusalOf(share(company, stranger)), [404, 'delegates.not_found']);
    assert.deepEqual(await refusalOf(share({ ...company, loginSecret: WRONG_SECRET }, admin)), [
      401,
      'auth.credentials_invalid',
    ]);
    const broken = { _enc: 1, k: 'AAAA', iv: 'AAAA', d: 'AAAA' };
    assert.deepEqual(await refusalOf(share(company, admin, { sealed: broken })), [
      400,
      'account.recovery_key_invalid',
    ]);
    assert.equal((await share(company, admin)).status, 204);
    // An admin does not spoil the copy of an owner.
    assert.deepEqual(await refusalOf(share(admin, company)), [403, 'auth.role_forbidden']);
    assert.equal((await share(admin, admin)).status, 204);
  });
});
