import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerCompany, type TestCompany } from '@symbolon/testkit/actors/actors';
import { addPasskey } from '@symbolon/testkit/actors/passkeys';
import { addDelegate, enrolSecondFactor, signIn, WRONG_SECRET } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const POLICY = '/api/account/sign-in-policy';
const PASSKEYS = '/api/account/passkeys';
const MINUTE = 60_000;

onPlatform('a second factor for all', (platform) => {
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, token: string, body?: object) =>
    platform().call(method, path, { token, ...(body && { body }) });
  const refused = async (answer: ReturnType<typeof call>, status: number, key: string) => {
    const { status: found, body, text } = await answer;
    assert.deepEqual([found, body.error_key], [status, key], text);
  };

  /** An owner who has signed in with an authenticator app. */
  const owner = async () => {
    const company = await registerCompany(platform());
    const app = await enrolSecondFactor(platform(), company);
    return { ...company, app, token: await withCode(company, app.code) };
  };
  const withCode = async (company: TestCompany, code: () => string): Promise<string> => {
    platform().clock.advance(MINUTE);
    const first = await platform().call('POST', '/api/portal/sign-in', {
      body: { email: company.email, login_secret: company.loginSecret },
    });
    const body = { ticket: first.body.ticket, code: code() };
    return (await platform().must('POST', '/api/portal/sign-in/second-factor', { body })).token;
  };
  const set = (by: Awaited<ReturnType<typeof owner>>, second_factor: string, token = by.token) => {
    platform().clock.advance(MINUTE);
    return call('PUT', POLICY, token, { login_secret: by.loginSecret, code: by.app.code(), second_factor });
  };
  const withPasskey = async (authenticator: Awaited<ReturnType<typeof addPasskey>>['authenticator']) => {
    const at = '/api/portal/sign-in/passkey';
    const options = await platform().must('POST', `${at}/options`, { body: {} });
    return (await platform().must('POST', at, { body: authenticator.get(options) })).token as string;
  };

  test('is required by who has signed in with one: others may set one up, and nothing else', async () => {
    const company = await owner();
    const viewer = await addDelegate(platform(), company, 'viewer');
    const before = await platform().must('GET', POLICY, { token: viewer.token });
    assert.deepEqual(before, {
      second_factor: 'optional',
      tried: false,
      without_second_factor: [{ id: viewer.id, name: 'The viewer', email: viewer.email }],
    });
    assert.equal((await set(company, 'required')).status, 200);
    proves('route:PUT /api/account/sign-in-policy');
    const { second_factor, tried } = await platform().must('GET', POLICY, { token: company.token });
    assert.deepEqual([second_factor, tried], ['required', true]);
    proves('route:GET /api/account/sign-in-policy');

    for (const path of ['/api/account', '/api/services', '/api/account/sessions', POLICY])
      await refused(call('GET', path, viewer.token), 403, 'auth.second_factor_missing');
    proves('error:auth.second_factor_missing');
    const again = await signIn(platform(), viewer);
    await refused(call('GET', '/api/account', again), 403, 'auth.second_factor_missing');
    const session = await platform().must('GET', '/api/portal/session', { token: again });
    assert.equal(session.second_factor_missing, true);
    await enrolSecondFactor(platform(), { ...viewer, token: again });
    assert.equal((await call('GET', '/api/account', again)).status, 200);
    // The session that was open before is of the same login.
    assert.equal((await call('GET', '/api/account', viewer.token)).status, 200);
  });

  test('is not required by who has not tried it', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(MINUTE);
    const body = { login_secret: company.loginSecret, code: code(), second_factor: 'required' };
    await refused(call('PUT', POLICY, company.token, body), 409, 'account.second_factor_untried');
    proves('error:account.second_factor_untried');
    const developer = await addDelegate(platform(), company, 'developer');
    const tried = { login_secret: developer.loginSecret, second_factor: 'optional' };
    await refused(call('PUT', POLICY, developer.token, tried), 403, 'auth.role_forbidden');
    const { second_factor } = await platform().must('GET', POLICY, { token: company.token });
    assert.equal(second_factor, 'optional');
  });

  test('takes a proof, and is in the audit log', async () => {
    const company = await owner();
    await refused(
      call('PUT', POLICY, company.token, { login_secret: WRONG_SECRET, second_factor: 'required' }),
      401,
      'auth.credentials_invalid',
    );
    assert.equal((await set(company, 'required')).status, 200);
    assert.equal((await set(company, 'required')).status, 200);
    assert.equal((await set(company, 'optional')).status, 200);
    const { items } = await platform().must('GET', '/api/account/audit-log', { token: company.token });
    const changes = (items as { action: string; details: object }[])
      .filter(({ action }) => action === 'sign_in_policy.changed')
      .map(({ details }) => details);
    assert.deepEqual(changes, [{ second_factor: 'optional' }, { second_factor: 'required' }]);
  });

  test('a passkey is one for the sessions that it opens, and the last one stays', async () => {
    const company = await owner();
    const admin = await addDelegate(platform(), company, 'admin');
    assert.equal((await set(company, 'required')).status, 200);
    const { id, authenticator } = await addPasskey(platform(), admin, { at: PASSKEYS });
    await refused(call('GET', '/api/account', admin.token), 403, 'auth.second_factor_missing');
    const token = await withPasskey(authenticator);
    assert.equal((await call('GET', '/api/account', token)).status, 200);
    const left = await platform().must('GET', POLICY, { token });
    assert.deepEqual([left.tried, left.without_second_factor], [true, []]);

    const proof = async (act: string) => {
      const options = await platform().must('POST', '/api/account/2fa/presence', { token, body: { act } });
      return { passkey: authenticator.get(options) };
    };
    const remove = async () =>
      call('POST', `${PASSKEYS}/${id}/remove`, token, await proof(`POST ${PASSKEYS}/${id}/remove`));
    await refused(remove(), 409, 'account.second_factor_needed');
    proves('error:account.second_factor_needed');
    platform().clock.advance(MINUTE);
    const off = { login_secret: company.loginSecret, code: company.app.code() };
    await refused(
      call('POST', '/api/account/2fa/off', company.token, off),
      409,
      'account.second_factor_needed',
    );
    const { items } = await platform().must('GET', PASSKEYS, { token });
    assert.equal(items.length, 1);
    assert.equal((await set(company, 'optional')).status, 200);
    assert.equal((await remove()).status, 204);
  });

  test('of who joins is asked for from the first call', async () => {
    const company = await owner();
    assert.equal((await set(company, 'required')).status, 200);
    const late = await addDelegate(platform(), company, 'developer');
    await refused(call('GET', '/api/services', late.token), 403, 'auth.second_factor_missing');
    assert.equal((await call('POST', '/api/portal/sign-out', late.token)).status, 204);
  });
});
