import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, dataToken, registerCompany, tokenFor } from '@symbolon/testkit/actors/actors';
import { addDelegate, enrolSecondFactor, newPassword } from '@symbolon/testkit/actors/portal-logins';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';

interface Entry {
  readonly action: string;
  readonly target: string;
  readonly at: string;
  readonly actor: { kind: string; id: string; name: string | null; source: string | null };
  readonly details: Record<string, unknown>;
}

const logOf = async (platform: TestPlatform, token: string, query = ''): Promise<Entry[]> =>
  (await platform.must('GET', `/api/account/audit-log${query}`, { token })).items;

onPlatform('the audit log', (platform) => {
  test('the audit log tells who did what to what, when and from where, the latest first', async () => {
    const company = await registerCompany(platform());
    const developer = await addDelegate(platform(), company, 'developer');
    const service = await createService(platform(), { ...company, token: developer.token });
    platform().clock.advance(1000);
    await platform().must('PUT', `/api/services/${service.id}/share-code`, {
      token: company.token,
      body: { share_code: 'SHOP' },
    });
    const [latest, ...before] = await logOf(platform(), company.token);
    assert.ok(latest);
    assert.deepEqual(
      { ...latest, id: undefined },
      {
        id: undefined,
        at: new Date(platform().clock.now()).toISOString(),
        actor: { kind: 'portal', id: company.id, name: company.email, source: '127.0.0.1' },
        action: 'service.config',
        target: service.id,
        details: { act: 'Share code changed', share_code: 'SHOP' },
      },
    );
    const created = before.find((entry) => entry.details.act === 'Service created');
    assert.deepEqual(
      [created?.actor.id, created?.actor.name, created?.target],
      [developer.id, developer.email, service.id],
    );
    assert.deepEqual(before.map((entry) => entry.action).slice(-5), [
      'session.opened',
      'delegate.accepted',
      'delegate.invited',
      'session.opened',
      'company.registered',
    ]);
  });

  test('the audit log has every act on services, clients, people and sign-ins, and no secret', async () => {
    const company = await registerCompany(platform());
    const { token, loginSecret: login_secret } = company;
    const service = await createService(platform(), company);
    await dataToken(platform(), service);
    const { client_secret } = await platform().must(
      'POST',
      `/api/services/${service.id}/client/regenerate-secret`,
      { token },
    );
    const webhook = await platform().must('POST', `/api/services/${service.id}/webhooks`, {
      token,
      body: { url: 'https://hooks.example.com/in' },
    });
    const { code, recoveryCodes } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    await platform().must('POST', '/api/account/2fa/off', { token, body: { login_secret, code: code() } });
    const viewer = await addDelegate(platform(), company, 'viewer');
    await platform().must('PUT', `/api/delegates/${viewer.id}`, { token, body: { role: 'support' } });
    await platform().must('DELETE', `/api/delegates/${viewer.id}`, { token });
    await platform().must('DELETE', `/api/services/${service.id}`, { token });
    const next = newPassword();
    await platform().must('PUT', '/api/account/password', {
      token,
      body: { login_secret, new: next },
    });
    const entries = await logOf(platform(), token);
    assert.deepEqual(entries.map((entry) => entry.details.act ?? entry.action).reverse(), [
      'company.registered',
      'session.opened',
      'Service created',
      'Request fields published',
      'Data client registered',
      'Secret of the data client regenerated',
      'Webhook created',
      'two_factor.switched_on',
      'two_factor.switched_off',
      'delegate.invited',
      'delegate.accepted',
      'session.opened',
      'delegate.role_changed',
      'delegate.removed',
      'Service deleted',
      'password.changed',
    ]);
    const text = JSON.stringify(entries);
    const secrets = [
      client_secret,
      webhook.hmac_secret_once,
      login_secret,
      next.login_secret,
      token,
      recoveryCodes[0],
    ];
    for (const secret of secrets) assert.ok(!text.includes(secret), 'a secret stands in the audit log');
  });

  test('the audit log names the client that acted', async () => {
    const company = await registerCompany(platform());
    const client = await platform().must('POST', '/api/account/clients', {
      token: company.token,
      body: { name: 'automation', capabilities: ['service_management'] },
    });
    const token = await tokenFor(platform(), client.client_id, client.client_secret);
    const service = await createService(platform(), { ...company, token });
    await platform().must('PUT', `/api/services/${service.id}`, { token, body: { name: 'Renamed' } });
    const [entry] = await logOf(platform(), company.token);
    assert.deepEqual(
      [entry?.actor.kind, entry?.actor.id, entry?.details.act],
      ['account_client', client.client_id, 'Service renamed'],
    );
  });

  test('the audit log has an act exactly when it was done', async () => {
    const company = await registerCompany(platform());
    const { token } = company;
    const service = await createService(platform(), company);
    await createService(platform(), company);
    const before = (await logOf(platform(), token)).length;
    const path = `/api/services/${service.id}/share-code`;
    await platform().must('PUT', path, { token, body: { share_code: 'TAKEN' } });
    const second = await createService(platform(), company);
    const refused = await platform().call('PUT', `/api/services/${second.id}/share-code`, {
      token,
      body: { share_code: 'TAKEN' },
    });
    assert.equal(refused.status, 409);
    assert.equal((await logOf(platform(), token)).length, before + 3);
  });

  test('the audit log is read in pages, and only by its own company', async () => {
    const company = await registerCompany(platform());
    await createService(platform(), company);
    const all = await logOf(platform(), company.token);
    const pages = [
      ...(await logOf(platform(), company.token, '?limit=2')),
      ...(await logOf(platform(), company.token, '?limit=2&offset=2')),
    ];
    assert.deepEqual(pages, all.slice(0, 4));
    const { total } = await platform().must('GET', '/api/account/audit-log?limit=1', {
      token: company.token,
    });
    assert.equal(total, all.length);
    const stranger = await registerCompany(platform());
    assert.deepEqual(
      (await logOf(platform(), stranger.token)).map((entry) => entry.action),
      ['session.opened', 'company.registered'],
    );
  });
});
