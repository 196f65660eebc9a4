import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentials } from '@symbolon/testkit/actors/accounts';
import { registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import { addPasskey } from '@symbolon/testkit/actors/passkeys';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

onPlatform('passkeys of a login of the portal', (platform) => {
  test('are listed, renamed, and asked for by their routes', async () => {
    const company = await registerCompany(platform());
    const { token } = company;
    const { id } = await addPasskey(platform(), company, { at: '/api/account/passkeys' });
    proves('route:POST /api/account/passkeys', 'route:POST /api/account/passkeys/options');
    const path = `/api/account/passkeys/${id}`;
    const renamed = await platform().call('PUT', path, { token, body: { name: 'Desk' } });
    assert.ok(renamed.status < 300, renamed.text);
    proves('route:PUT /api/account/passkeys/{id}', 'route:GET /api/account/passkeys');
    const list = await platform().call('GET', '/api/account/passkeys', { token });
    assert.match(list.text, /Desk/);
    const act = { token, body: { act: 'try it' } };
    proves('route:POST /api/account/2fa/presence', 'route:POST /api/account/2fa/presence/mailed-code');
    const options = await platform().call('POST', '/api/account/2fa/presence', act);
    assert.equal(options.status, 200, options.text);
    const other = await registerCompany(platform());
    const mailed = await platform().call('POST', '/api/account/2fa/presence/mailed-code', {
      ...act,
      token: other.token,
    });
    assert.ok(mailed.status < 300, mailed.text);
    proves('route:POST /api/portal/sign-in/passkey/options');
    const entry = await platform().call('POST', '/api/portal/sign-in/passkey/options', { body: {} });
    assert.equal(entry.status, 200, entry.text);
    proves('route:GET /api/person/sign-ins');
    const person = await registerPerson(platform());
    const signIns = await platform().call('GET', '/api/person/sign-ins', { token: person.token });
    assert.equal(signIns.status, 200, signIns.text);
  });

  test('the key that one wraps comes back where it signs in', async () => {
    const company = await registerCompany(platform());
    const { token } = company;
    const { id, authenticator } = await addPasskey(platform(), company, { at: '/api/account/passkeys' });
    const wrapped = credentials().encrypted_private_key;
    const path = `/api/account/passkeys/${id}/key`;
    const wrap = async (act: string) => {
      const options = await platform().must('POST', '/api/account/2fa/presence', { token, body: { act } });
      const body = { passkey: authenticator.get(options), encrypted_private_key: wrapped };
      return platform().call('PUT', path, { token, body });
    };
    const refusal = async (of: string, credential = authenticator) => {
      const act = `wrap key of passkey ${of}`;
      const options = await platform().must('POST', '/api/account/2fa/presence', { token, body: { act } });
      const { status, body } = await platform().call('PUT', `/api/account/passkeys/${of}/key`, {
        token,
        body: { passkey: credential.get(options), encrypted_private_key: wrapped },
      });
      return [status, body.error_key];
    };
    const nobody = '019bd0f2-8c00-7000-8000-000000000000';
    assert.deepEqual(await refusal(nobody), [404, 'account.passkey_not_found']);
    const another = await addPasskey(platform(), await registerCompany(platform()), {
      at: '/api/account/passkeys',
    });
    assert.deepEqual(await refusal(id, another.authenticator), [401, 'auth.passkey_invalid']);
    const ofAnother = await wrap('wrap key of passkey 1');
    assert.deepEqual([ofAnother.status, ofAnother.body.error_key], [401, 'auth.passkey_invalid']);
    assert.equal((await wrap(`wrap key of passkey ${id}`)).status, 204);
    proves('route:PUT /api/account/passkeys/{id}/key');
    const entry = '/api/portal/sign-in/passkey';
    const options = await platform().must('POST', `${entry}/options`, { body: {} });
    const signedIn = await platform().call('POST', entry, { body: authenticator.get(options) });
    proves('route:POST /api/portal/sign-in/passkey');
    assert.deepEqual([signedIn.status, signedIn.body.encrypted_private_key], [200, wrapped]);
  });
});
