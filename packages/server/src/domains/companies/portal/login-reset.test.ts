import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentials, portalAccount } from '@symbolon/testkit/actors/accounts';
import { openSealed, registerCompany, sealed, sharedPublicKey } from '@symbolon/testkit/actors/actors';
import { addDelegate, codeOfMail, lastMail, loginMaterial } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { beforeNextWrite } from '@symbolon/testkit/platform/overtaking';
import { onPlatform } from '@symbolon/testkit/platform/platform';

onPlatform('a login that has no secrets yet', (platform) => {
  /** As the release before login secrets left it; gives what makes its secrets. */
  const without = async (email: string) => {
    await platform().context.database.write((writer) =>
      writer
        .updateTable('portal_logins')
        .set({ login_hash: null, login_salt: null, login_version: null, public_key: null })
        .where('email', '=', email)
        .execute(),
    );
    const { ticket } = await platform().must('POST', '/api/portal/reset', { body: { email } });
    const body = { ticket, code: await codeOfMail(platform(), email), ...(await loginMaterial()) };
    return {
      body,
      finish: (sent: object) => platform().call('POST', '/api/portal/reset/confirm', { body: sent }),
    };
  };

  const signIn = async (email: string, login_secret: string) =>
    (await platform().call('POST', '/api/portal/sign-in', { body: { email, login_secret } })).status;

  test('needs a new recovery key for the company, and brings none for anybody else', async () => {
    const { recovery_key } = portalAccount(await sharedPublicKey());
    const company = await registerCompany(platform());
    const delegate = await addDelegate(platform(), company, 'admin');
    for (const [email, refused, taken, expected] of [
      [company.email, {}, { recovery_key }, [400, 'account.recovery_key_required']],
      [delegate.email, { recovery_key }, {}, [403, 'account.company_login_only']],
    ] as const) {
      const { body, finish } = await without(email);
      const answer = await finish({ ...body, ...refused });
      assert.deepEqual([answer.status, answer.body.error_key], expected, answer.text);
      proves(`error:${expected[1]}`);
      assert.equal(await signIn(email, body.login_secret), 401);
      assert.equal((await finish({ ...body, ...taken })).status, 204);
      assert.equal(await signIn(email, body.login_secret), 200);
    }
  });

  test('of a company is reset by mail and by nothing else, and brings its new recovery key', async () => {
    const company = await registerCompany(platform());
    const { email } = company;
    const { body, finish } = await without(email);
    const recover = { email, recovery_secret: company.recoverySecret, ...credentials() };
    const refused = await platform().call('POST', '/api/portal/recover', { body: recover });
    assert.deepEqual([refused.status, refused.body.error_key], [401, 'account.recovery_invalid']);
    assert.equal(await signIn(email, company.loginSecret), 401);
    const unknown = await platform().call('POST', '/api/portal/reset', { body: { email: 'no@example.com' } });
    proves('route:POST /api/portal/reset');
    assert.deepEqual(
      [unknown.status, unknown.body.ticket.length],
      [202, body.ticket.length],
      'alike for all',
    );

    const sent = {
      ...body,
      recovery_key: {
        public_key: await sharedPublicKey(),
        sealed: JSON.parse(await sealed('the recovery key')),
      },
    };
    const wrong = await finish({ ...sent, code: '000000' });
    assert.deepEqual([wrong.status, wrong.body.error_key], [401, 'account.code_invalid']);
    const done = await finish(sent);
    proves('route:POST /api/portal/reset/confirm', 'state:login.reset');
    assert.equal(done.status, 204, done.text);
    assert.equal((await finish(sent)).status, 401, 'once');
    const mail = await lastMail(platform(), email);
    assert.match(mail, /was reset/);
    assert.match(mail, /new recovery key/);

    const { login_secret } = body;
    const { token } = await platform().must('POST', '/api/portal/sign-in', { body: { email, login_secret } });
    const opening = { token, body: { login_secret } };
    const opened = await platform().must('POST', '/api/account/recovery-key/open', opening);
    assert.equal(await openSealed(JSON.stringify(opened.sealed)), 'the recovery key');
    const { items } = await platform().must('GET', '/api/account/audit-log', { token });
    const entry = items.find(({ action }: { action: string }) => action === 'login.reset');
    assert.equal(entry?.actor.name, email);
  });

  test('is reset once, by an address that can be one', async (t) => {
    const wrong = await platform().call('POST', '/api/portal/reset', { body: { email: 'nowhere' } });
    assert.deepEqual([wrong.status, wrong.body.error_key], [400, 'account.email_invalid']);
    const company = await registerCompany(platform());
    const { email } = await addDelegate(platform(), company, 'admin');
    const { database } = platform().context;
    const late = await without(email);
    // It was given its secrets meanwhile.
    beforeNextWrite(t, platform(), () =>
      database.write((writer) =>
        writer.updateTable('portal_logins').set({ login_hash: '1:x' }).where('email', '=', email).execute(),
      ),
    );
    const reset = await late.finish(late.body);
    assert.deepEqual([reset.status, reset.body.error_key], [401, 'account.code_invalid']);
    // It is gone by then.
    const other = await addDelegate(platform(), company, 'admin');
    const { body, finish } = await without(other.email);
    await database.write((writer) =>
      writer.deleteFrom('portal_logins').where('email', '=', other.email).execute(),
    );
    const gone = await finish(body);
    assert.deepEqual([gone.status, gone.body.error_key], [401, 'account.code_invalid']);
  });
});
