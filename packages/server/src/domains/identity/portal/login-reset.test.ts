import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portalAccount } from '@symbolon/testkit/actors/accounts';
import { registerCompany, sharedPublicKey } from '@symbolon/testkit/actors/actors';
import { addDelegate, codeOfMail, loginMaterial } from '@symbolon/testkit/actors/portal-logins';
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
      assert.equal(await signIn(email, body.login_secret), 401);
      assert.equal((await finish({ ...body, ...taken })).status, 204);
      assert.equal(await signIn(email, body.login_secret), 200);
    }
  });
});
