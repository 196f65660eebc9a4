import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createServiceKey } from '@symbolon/crypto';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import type { Principal } from '../../access/principal.ts';

const GONE = randomUUID();
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const PORTAL = {
  kind: 'portal',
  companyId: GONE,
  loginId: GONE,
  email: 'gone@example.com',
  role: 'owner',
  sessionId: GONE,
  sessionHash: 'gone',
  factor: null,
  lacksFactor: false,
} as const;

onPlatform('an account that is deleted after its call was let in', (platform) => {
  const letIn = (t: TestContext, principal: Principal) =>
    t.mock.method(platform().context.authenticator, 'authenticate', async () => principal);
  const refuses = async (method: string, path: string, body?: object) => {
    const answer = await platform().call(method, path, { token: 'any', ...(body && { body }) });
    assert.deepEqual([answer.status, answer.body?.error_key], [401, 'auth.invalid'], `${method} ${path}`);
  };

  test('is refused: a person’s', async (t) => {
    letIn(t, { kind: 'person', personId: GONE, epoch: 1 });
    await refuses('GET', '/api/person/session');
    await refuses('GET', '/api/person/me');
    await refuses('GET', '/api/person/totp');
    await refuses('POST', '/api/person/presence', { act: 'open key' });
    await refuses('POST', '/api/person/presence/mailed-code', { act: 'open key' });
  });

  test('is refused: a person’s whose session alone has ended', async (t) => {
    const { people } = platform().context;
    t.mock.method(people, 'me', async () => ({}) as never);
    letIn(t, { kind: 'person', personId: GONE, epoch: 1, sessionId: GONE });
    await refuses('GET', '/api/person/session');
  });

  test('is refused: a login’s whose session alone has ended', async (t) => {
    const { id: companyId } = await registerCompany(platform());
    letIn(t, { ...PORTAL, companyId, loginId: companyId });
    await refuses('GET', '/api/portal/session');
  });

  test('is refused: a company’s, which keeps nothing of what the call made', async (t) => {
    const other = await registerCompany(platform());
    const service = await createService(platform(), other);
    letIn(t, PORTAL);
    for (const path of ['', '-key', '/2fa', '/recovery-key']) await refuses('GET', `/api/account${path}`);
    await refuses('GET', '/api/portal/session');
    await refuses('GET', '/api/profile/keys');
    const key = await createServiceKey();
    await refuses('POST', '/api/services', {
      name: 'Shop',
      admin_email: 'admin@example.com',
      public_key: key.publicKey,
      encrypted_private_key: key.encryptedPrivateKey,
    });
    await refuses('PUT', '/api/profile', { display_name: 'Other' });
    await refuses('GET', '/api/profile');
    await refuses('POST', '/api/photos', { file: IMAGE });
    await refuses('POST', '/api/company-connections', {
      company_code: other.code,
      service_code: service.code,
      decisions: [],
    });
    const { reader } = platform().context.database;
    for (const table of ['services', 'photos', 'audit_log'] as const) {
      const rows = await reader.selectFrom(table).selectAll().execute();
      assert.ok(!JSON.stringify(rows).includes(GONE), table);
    }
  });
});
