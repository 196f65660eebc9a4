import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createField, openSealed, registerCompany, registerPerson, sealed } from '../../../testing/actors.ts';
import { createApp, openRequest, type TestApp } from '../../../testing/consent.ts';
import { onEachEngine } from '../../../testing/platform.ts';

const verifier = 'a'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

onEachEngine('the consent page', (platform) => {
  const setUp = async (settings: object = {}) => {
    const company = await registerCompany(platform());
    const app = await createApp(platform(), company, settings);
    return { company, app, person: await registerPerson(platform()) };
  };
  const open = (app: TestApp, parameters: Record<string, string> = {}) =>
    openRequest(platform(), app, parameters);
  const decide = (
    what: string,
    request: { request_id: string; request_token: string },
    token: string,
    more = {},
  ) =>
    platform().call('POST', `/api/consent/requests/${request.request_id}/${what}`, {
      token,
      body: { request_token: request.request_token, ...more },
    });
  const answerOf = (redirectTo: string) => Object.fromEntries(new URL(redirectTo).searchParams);

  test('shows who asks for what, and sends the person back with a code once they approve', async () => {
    const { app, company, person } = await setUp();
    const claims = [{ name: 'Your mail', type: 'email', required: true, label: 'Mail', suggest: 'email' }];
    const opened = await open(app, { mode: 'one_time', state: 'x y&z', claims: JSON.stringify(claims) });
    assert.equal(opened.status, 200, opened.text);
    const { request_id, request_token, expires_at, ...shown } = opened.body;
    assert.deepEqual(shown, {
      mode: 'one_time',
      detached: false,
      app: {
        client_id: app.id,
        name: 'Web shop',
        origin: 'https://shop.example',
        public_key: app.publicKey,
        public_key_sha256: app.record.public_key_sha256,
      },
      company: {
        company_user_id: company.id,
        display_name: 'Acme',
        company_code: company.code,
        level: 'enterprise',
        since: '2026-01-31T09:30:00.000Z',
      },
      service: null,
      claims: [
        {
          name: 'Your mail',
          type: 'email',
          label: 'Mail',
          suggest: 'email',
          required: true,
          verified: false,
          verified_max_age_days: null,
          delivery: 'wrapper',
        },
      ],
      connect: null,
      needs: { two_factor: false, presence: false },
    });
    assert.equal(expires_at, '2026-01-31T09:45:00.000Z');
    const begun = await decide('begin', opened.body, person.token);
    assert.deepEqual(begun.body, {
      request_id,
      remembered: {},
      connected: false,
      enrolled: false,
      request_fields: [],
    });
    const field_id = await createField(platform(), person, {
      type: 'email',
      slug: 'mail',
      value: 'a@b.example',
    });
    const wrapper = await sealed('a@b.example');
    const approved = await decide('approve', opened.body, person.token, {
      claims: [{ name: 'Your mail', field_id, wrapper }],
    });
    assert.equal(approved.status, 200, approved.text);
    assert.ok(approved.body.redirect_to.startsWith('https://shop.example/cb?tenant=a%20b&code='));
    const { code, ...told } = answerOf(approved.body.redirect_to);
    assert.deepEqual(told, { tenant: 'a b', state: 'x y&z', iss: platform().url });
    const row = await platform()
      .context.database.reader.selectFrom('sign_ins')
      .selectAll()
      .where('client_id', '=', app.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(
      [row.mode, row.redirect_uri, row.share_code, row.two_factor, row.code_challenge, row.attestations],
      ['one_time', app.redirectUri, person.shareCode, 0, challenge, '{}'],
    );
    const values = JSON.parse(row.claims);
    assert.equal(await openSealed(values['Your mail']), 'a@b.example');
    assert.ok(code);

    const again = await open(app, { mode: 'one_time', claims: JSON.stringify(claims) });
    const known = await decide('begin', again.body, person.token);
    assert.deepEqual(known.body.remembered, { 'Your mail': field_id });
    void request_token;
  });
});
