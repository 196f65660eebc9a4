import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { limits, type PortalRole, portalRoles } from '@symbolon/protocol';
import { createService, registerCompany, tokenFor } from '@symbolon/testkit/actors/actors';
import {
  addDelegate,
  invitationToken,
  lastMail,
  loginMaterial,
  type TestLogin,
  WRONG_SECRET,
} from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import type { Answer } from '@symbolon/testkit/platform/calls';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const DAY = 24 * 60 * 60_000;
const freshEmail = () => `delegate-${randomBytes(6).toString('hex')}@example.com`;

onPlatform('inviting a delegate', (platform) => {
  const invite = (token: string, email: string, role: PortalRole = 'viewer') =>
    platform().call('POST', '/api/delegates', { token, body: { email, role } });
  const accept = async (token: string, more: object = {}) =>
    platform().call('POST', '/api/portal/invitation/accept', {
      body: { token, name: 'Ada', ...(await loginMaterial()), ...more },
    });

  test('an invitation mails a token, with which the delegate chooses a name, makes keys and is signed in', async () => {
    const company = await registerCompany(platform(), 'Acme');
    const email = freshEmail();
    const invited = await invite(company.token, email.toUpperCase(), 'support');
    assert.equal(invited.status, 201, invited.text);
    assert.deepEqual(
      [invited.body.email, invited.body.status, invited.body.role, invited.body.name],
      [email, 'invited', 'support', null],
    );
    const token = await invitationToken(platform(), email);
    const told = await platform().must('POST', '/api/portal/invitation', { body: { token } });
    assert.deepEqual([told.company_name, told.email, told.role], ['Acme', email, 'support']);
    const bad = await accept(token, { key: { public_key: 'AAAA' } });
    assert.equal(bad.body.error_key, 'account.key_invalid');
    const material = await loginMaterial();
    const accepted = await accept(token, material);
    assert.equal(accepted.status, 201, accepted.text);
    assert.deepEqual(
      [accepted.body.company.company_user_id, accepted.body.login.id, accepted.body.login.company_login],
      [company.id, invited.body.id, false],
    );
    const { items } = await platform().must('GET', '/api/delegates', { token: accepted.body.token });
    assert.deepEqual(
      items.map((item: { role: string; status: string }) => [item.role, item.status]),
      [
        ['owner', 'active'],
        ['support', 'active'],
      ],
    );
    const signIn = await platform().call('POST', '/api/portal/sign-in', {
      body: { email, login_secret: material.login_secret },
    });
    assert.equal(signIn.status, 200);
    assert.deepEqual(signIn.body.encrypted_private_key, material.encrypted_private_key);
    assert.equal(signIn.body.key.public_key, material.key.public_key);
    const twice = await accept(token);
    proves('state:delegate.invited-accepted');
    assert.deepEqual([twice.status, twice.body.error_key], [404, 'delegates.invitation_invalid']);
  });

  test('a browser accepts into a cookie', async () => {
    const company = await registerCompany(platform());
    const email = freshEmail();
    await invite(company.token, email);
    const accepted = await accept(await invitationToken(platform(), email), { session: 'cookie' });
    assert.match(accepted.headers.get('set-cookie') ?? '', /^symbolon_session=/);
    assert.equal(accepted.body.token, undefined);
  });

  test('an invitation expires after a week, and sending it again makes the earlier token invalid', async () => {
    const company = await registerCompany(platform());
    const email = freshEmail();
    const { id } = (await invite(company.token, email)).body;
    const first = await invitationToken(platform(), email);
    platform().clock.advance(7 * DAY);
    const late = await accept(first);
    assert.equal(late.body.error_key, 'delegates.invitation_invalid');
    const { token } = await platform().must('POST', '/api/portal/sign-in', {
      body: { email: company.email, login_secret: company.loginSecret },
    });
    const resent = await platform().must('POST', `/api/delegates/${id}/resend`, { token });
    assert.equal(Date.parse(resent.invitation_expires_at), platform().clock.now() + 7 * DAY);
    assert.equal((await accept(first)).body.error_key, 'delegates.invitation_invalid');
    const { body: accepted } = await accept(await invitationToken(platform(), email));
    const done = await platform().call('POST', `/api/delegates/${id}/resend`, { token });
    proves('error:delegates.accepted', 'state:delegate.invited-expired');
    assert.deepEqual([done.status, done.body.error_key], [409, 'delegates.accepted']);
    assert.equal(accepted.login.id, id);
  });

  test('an open invitation can be withdrawn and its role changed', async () => {
    const company = await registerCompany(platform());
    const email = freshEmail();
    const { id } = (await invite(company.token, email)).body;
    const { token } = company;
    await platform().must('PUT', `/api/delegates/${id}`, { token, body: { role: 'admin' } });
    const read = await platform().call('GET', `/api/delegates/${id}`, { token });
    proves('route:GET /api/delegates/{id}', 'route:PUT /api/delegates/{id}');
    assert.deepEqual([read.body.email, read.body.role], [email, 'admin']);
    const invitation = await invitationToken(platform(), email);
    const told = await platform().must('POST', '/api/portal/invitation', { body: { token: invitation } });
    proves('route:POST /api/portal/invitation');
    assert.equal(told.role, 'admin');
    assert.equal((await platform().call('DELETE', `/api/delegates/${id}`, { token })).status, 204);
    assert.equal((await accept(invitation)).body.error_key, 'delegates.invitation_invalid');
    proves('route:DELETE /api/delegates/{id}');
    const gone = await platform().call('GET', `/api/delegates/${id}`, { token });
    proves('error:delegates.invitation_invalid', 'error:delegates.not_found');
    assert.deepEqual([gone.status, gone.body.error_key], [404, 'delegates.not_found']);
  });

  test('an address that belongs to the company or is invited to it is not invited', async () => {
    const company = await registerCompany(platform());
    const elsewhere = await registerCompany(platform());
    const email = freshEmail();
    await invite(company.token, email);
    proves('error:delegates.exists');
    for (const [address, status, key] of [
      ['nobody', 400, 'account.email_invalid'],
      [email, 409, 'delegates.exists'],
      [company.email, 409, 'delegates.exists'],
    ] as const) {
      const refused = await invite(company.token, address);
      assert.deepEqual([refused.status, refused.body.error_key], [status, key]);
    }
    // An invitation holds no address: whoever accepts first has it.
    const ours = await invitationToken(platform(), email);
    assert.equal((await invite(elsewhere.token, email)).status, 201);
    const theirs = await invitationToken(platform(), email);
    proves('route:POST /api/portal/invitation/accept');
    assert.equal((await accept(theirs)).status, 201);
    const second = await accept(ours);
    assert.deepEqual([second.status, second.body.error_key], [409, 'account.email_taken']);
  });

  test('an address that signs in at another company: the answer is the same, the mail says so', async () => {
    const [company, elsewhere] = [await registerCompany(platform()), await registerCompany(platform())];
    const [free, taken] = [
      await invite(company.token, freshEmail()),
      await invite(company.token, elsewhere.email),
    ];
    const shape = ({ status, body }: Answer) => [status, { ...body, id: '', email: '' }];
    proves('route:POST /api/delegates');
    assert.deepEqual(shape(free), shape(taken));
    assert.match(await lastMail(platform(), elsewhere.email), /signs in to the portal of a company already/);
    assert.ok(!(await lastMail(platform(), elsewhere.email)).includes('invitation#'));
    const { id } = taken.body;
    const resent = await platform().call('POST', `/api/delegates/${id}/resend`, { token: company.token });
    proves('route:POST /api/delegates/{id}/resend');
    assert.equal(resent.status, 200);
    assert.ok(!(await lastMail(platform(), elsewhere.email)).includes('invitation#'));
  });

  test('mails quote the name of the company, which is no link, and no name breaks a line', async () => {
    const email = freshEmail();
    const company = await registerCompany(platform(), 'Your bank. Open evil.example');
    await invite(company.token, email);
    assert.match(await lastMail(platform(), email), /"Your bank\. Open evil\.\u200Bexample" invites you/);
    const token = await invitationToken(platform(), email);
    for (const name of ['Ada\r\n\r\nYour account was locked.', 'Ada\u0007', '\u202eadA']) {
      const refused = await accept(token, { name });
      assert.deepEqual([refused.status, refused.body.error_key], [400, 'profile.display_name_invalid'], name);
    }
  });

  test('one of two who accept at once gets in', async () => {
    const company = await registerCompany(platform());
    const email = freshEmail();
    await invite(company.token, email);
    const token = await invitationToken(platform(), email);
    const answers = await Promise.all([accept(token), accept(token)]);
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 404]);
  });

  test('a company cannot have more delegates than the limit', async () => {
    const company = await registerCompany(platform());
    const { ids, clock, database } = platform().context;
    const rows = Array.from({ length: limits.delegatesMost }, () => ({
      company_id: company.id,
      id: ids.uuid(),
      email: freshEmail(),
      role: 'viewer' as const,
      token_hash: ids.token(32),
      created_at: clock.now(),
      expires_at: clock.now(),
    }));
    await database.write((writer) => writer.insertInto('delegate_invitations').values(rows).execute());
    const refused = await invite(company.token, freshEmail());
    proves('error:delegates.limit_reached', 'limit:delegatesMost');
    assert.deepEqual([refused.status, refused.body.error_key], [409, 'delegates.limit_reached']);
  });

  test('invitations to one address are limited to a few an hour', async () => {
    const company = await registerCompany(platform());
    const { id } = (await invite(company.token, freshEmail())).body;
    const resend = () => platform().call('POST', `/api/delegates/${id}/resend`, { token: company.token });
    for (let more = 0; more < 4; more++) assert.equal((await resend()).status, 200);
    const flooded = await resend();
    proves('limit:invitation-mails-address');
    assert.deepEqual([flooded.status, flooded.body.error_key], [429, 'rate_limit.exceeded']);
  });

  test('the token of an invitation is stored only as a hash', async () => {
    const company = await registerCompany(platform());
    const email = freshEmail();
    await invite(company.token, email);
    const token = await invitationToken(platform(), email);
    const rows = await platform()
      .context.database.reader.selectFrom('delegate_invitations')
      .selectAll()
      .execute();
    assert.ok(!JSON.stringify(rows).includes(token));
    assert.match(await lastMail(platform(), email), /good for 7 days/);
  });
});

onPlatform('the roles of delegates', (platform) => {
  const everyRole = async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const logins = {} as Record<PortalRole, TestLogin>;
    for (const role of portalRoles) logins[role] = await addDelegate(platform(), company, role);
    return { company, service, logins };
  };

  test('roles decide about every route of the portal', async () => {
    const { service, logins } = await everyRole();
    for (const [method, path, body, least] of [
      ['GET', '/api/services', undefined, 'viewer'],
      ['GET', '/api/delegates', undefined, 'viewer'],
      ['GET', '/api/account/sessions', undefined, 'viewer'],
      ['POST', '/api/account/2fa/enrol', { login_secret: WRONG_SECRET }, 'viewer'],
      ['PUT', `/api/services/${service.id}`, { name: 'Shop' }, 'developer'],
      ['POST', '/api/account-key', { login_secret: WRONG_SECRET, passphrase: 'a passphrase' }, 'admin'],
      ['GET', '/api/account/recovery-key', undefined, 'developer'],
      ['GET', '/api/account/recovery-copies', undefined, 'admin'],
      ['GET', '/api/account/recovery-key/holders', undefined, 'admin'],
      ['POST', '/api/account/recovery-key/open', { login_secret: WRONG_SECRET }, 'admin'],
      ['POST', '/api/account/proofs', { login_secret: WRONG_SECRET, for: 'GET /' }, 'viewer'],
      ['GET', '/api/account/audit-log', undefined, 'admin'],
      ['POST', '/api/delegates', { email: 'nobody', role: 'viewer' }, 'admin'],
      ['POST', '/api/account/delete-request', { login_secret: WRONG_SECRET }, 'owner'],
    ] as const)
      for (const role of portalRoles) {
        const answer = await platform().call(method, path, { token: logins[role].token, body });
        const told = `${method} ${path} as ${role}: ${answer.status} ${answer.text}`;
        if (portalRoles.indexOf(role) < portalRoles.indexOf(least))
          assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.role_forbidden'], told);
        else assert.notEqual(answer.status, 403, told);
      }
  });

  test('a changed role counts at once, and the sessions of a removed delegate end at once', async () => {
    const { company, service, logins } = await everyRole();
    const { token } = company;
    const { developer } = logins;
    const rename = () =>
      platform().call('PUT', `/api/services/${service.id}`, {
        token: developer.token,
        body: { name: 'Shop' },
      });
    assert.equal((await rename()).status, 200);
    const path = `/api/delegates/${developer.id}`;
    await platform().must('PUT', path, { token, body: { role: 'viewer' } });
    proves('error:auth.role_forbidden', 'state:delegate.removed');
    assert.equal((await rename()).body.error_key, 'auth.role_forbidden');
    assert.equal((await platform().call('DELETE', path, { token })).status, 204);
    assert.equal((await rename()).body.error_key, 'auth.invalid');
    const signIn = await platform().call('POST', '/api/portal/sign-in', {
      body: { email: developer.email, login_secret: developer.loginSecret },
    });
    assert.equal(signIn.body.error_key, 'auth.credentials_invalid');
  });

  test('the company login stays owner; other owners come and go by owners alone', async () => {
    const { company, logins } = await everyRole();
    const { owner, admin, viewer } = logins;
    proves('error:delegates.last_owner');
    for (const as of [company.token, owner.token]) {
      const demoted = await platform().call('PUT', `/api/delegates/${company.id}`, {
        token: as,
        body: { role: 'viewer' },
      });
      assert.deepEqual([demoted.status, demoted.body.error_key], [409, 'delegates.last_owner']);
      const removed = await platform().call('DELETE', `/api/delegates/${company.id}`, { token: as });
      assert.equal(removed.body.error_key, 'delegates.last_owner');
    }
    for (const [method, path, body] of [
      ['PUT', `/api/delegates/${viewer.id}`, { role: 'owner' }],
      ['PUT', `/api/delegates/${owner.id}`, { role: 'viewer' }],
      ['DELETE', `/api/delegates/${owner.id}`, undefined],
      ['POST', '/api/delegates', { email: freshEmail(), role: 'owner' }],
    ] as const) {
      const refused = await platform().call(method, path, { token: admin.token, body });
      assert.deepEqual([refused.status, refused.body.error_key], [403, 'auth.role_forbidden']);
    }
    await platform().must('PUT', `/api/delegates/${viewer.id}`, {
      token: admin.token,
      body: { role: 'developer' },
    });
    await platform().must('PUT', `/api/delegates/${owner.id}`, {
      token: company.token,
      body: { role: 'viewer' },
    });
  });

  test('an account client manages delegates, but no owners, and has nothing of their sign-in', async () => {
    const { company, logins } = await everyRole();
    const client = await platform().must('POST', '/api/account/clients', {
      token: company.token,
      body: { name: 'people', capabilities: ['delegate_management'] },
    });
    const token = await tokenFor(platform(), client.client_id, client.client_secret);
    const email = freshEmail();
    const invited = await platform().call('POST', '/api/delegates', {
      token,
      body: { email, role: 'admin' },
    });
    assert.equal(invited.status, 201, invited.text);
    const owner = await platform().call('POST', '/api/delegates', {
      token,
      body: { email: freshEmail(), role: 'owner' },
    });
    assert.deepEqual([owner.status, owner.body.error_key], [403, 'auth.role_forbidden']);
    const removed = await platform().call('DELETE', `/api/delegates/${logins.owner.id}`, { token });
    assert.equal(removed.body.error_key, 'auth.role_forbidden');
    for (const [method, path] of [
      ['PUT', '/api/account/password'],
      ['POST', '/api/account/email'],
      ['POST', '/api/account/email/confirm'],
      ['GET', '/api/account/2fa'],
      ['POST', '/api/account/2fa/enrol'],
      ['POST', '/api/account/delete-request'],
      ['POST', '/api/account/confirm-delete'],
      ['GET', '/api/account/trusted-devices'],
      ['GET', '/api/account/sessions'],
      ['GET', '/api/account/audit-log'],
      ['GET', '/api/profile/keys'],
      ['GET', '/api/account-key'],
    ] as const) {
      const refused = await platform().call(method, path, { token });
      assert.deepEqual([refused.status, refused.body.error_key], [403, 'auth.client_endpoint_forbidden']);
    }
  });

  test('delegates of another company are not found', async () => {
    const { logins } = await everyRole();
    const stranger = await registerCompany(platform());
    const path = `/api/delegates/${logins.viewer.id}`;
    for (const [method, at, body] of [
      ['GET', path, undefined],
      ['PUT', path, { role: 'admin' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/resend`, undefined],
    ] as const) {
      const answer = await platform().call(method, at, { token: stranger.token, body });
      assert.deepEqual([answer.status, answer.body.error_key], [404, 'delegates.not_found']);
    }
  });
});
