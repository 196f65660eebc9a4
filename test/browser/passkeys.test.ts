import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { asked, createAskingService, enrol, poll } from '@symbolon/testkit/actors/second-factor';
import { withAuthenticator } from '@symbolon/testkit/browser/authenticator';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { personAt, proveByMail, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import type { Page } from 'playwright-core';

const NEXT_PASSWORD = 'walnut harbour violet 58';
/** What a session that is over is answered. */
const ENDED = { error_key: 'auth.invalid', message: 'The session has ended.', details: {} };

async function addPasskey(platform: TestPlatform, page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: /^Add a passkey/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Add a passkey' });
  await sheet.getByLabel('Name of the passkey').fill('My phone');
  await proveByMail(platform, sheet, email);
  await checkPage(page);
  await sheet.getByRole('button', { name: 'Make the passkey' }).click();
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Passkeys' }).getByText('My phone').waitFor();
}

describe('passkeys in the browser', { skip }, () => {
  const { world, test } = browserTests();

  test('a passkey signs in, opens the key, approves by one touch, and is removed', async (visit) => {
    const { platform } = world();
    const page = await visit();
    await withAuthenticator(page, { prf: true });
    const person = await personAt(world(), page, '/me/security', 'passkey@example.org');
    await addPasskey(world().platform, page, 'passkey@example.org');
    const section = page.getByRole('region', { name: 'Passkeys' });
    await section.getByText('opens your values').waitFor();
    await checkPage(page);
    await picture(page, 'passkeys');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await section.waitFor();
    const kept = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
    assert.deepEqual(kept.sort(), ['symbolon', 'symbolon-answers', 'symbolon-files']);

    const service = await createAskingService(platform);
    await enrol(platform, person, service);
    await page.goto('/me/approvals');
    const { challenge_id: id } = await asked(platform, service, person);
    const card = page.getByRole('dialog', { name: /is this you/ });
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByText('fingerprint').waitFor();
    await checkPage(page);
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByText('Approved').waitFor();
    assert.equal((await poll(platform, service, id)).body.status, 'approved');

    await page.goto('/me/security');
    await section.getByRole('button', { name: /^My phone/ }).click();
    const sheet = page.getByRole('dialog', { name: 'My phone' });
    // The last passkey goes when the person has shown another way in beside the password.
    await sheet.getByText('Two ways in stay').waitFor();
    await checkPage(page);
    await platform.must('POST', '/api/person/recovery-code/confirm', {
      token: person.token,
      body: { recovery_secret: person.recoverySecret },
    });
    await page.reload();
    await section.getByRole('button', { name: /^My phone/ }).click();
    await sheet.getByRole('button', { name: 'Remove My phone' }).click();
    // The form that takes the touch comes when the platform has said what proves the presence.
    await sheet.getByText('After the button').waitFor();
    await sheet.getByRole('button', { name: 'Remove My phone' }).click();
    await section.getByText('My phone', { exact: true }).waitFor({ state: 'detached' });
  });

  test('where there is a passkey, it confirms the next one: the password alone does not, and no code is mailed', async (visit) => {
    const page = await visit();
    await withAuthenticator(page, { prf: true });
    await personAt(world(), page, '/me/security', 'two-passkeys@example.org');
    await addPasskey(world().platform, page, 'two-passkeys@example.org');
    await page.getByRole('button', { name: /^Add a passkey/ }).click();
    const section = page.getByRole('dialog', { name: 'Add a passkey' });
    await section.getByText('One of your passkeys confirms this').waitFor();
    assert.equal(await section.getByRole('button', { name: 'Send a code by mail' }).count(), 0);
    await section.getByLabel('Name of the passkey').fill('My key ring');
    await section.getByLabel('Your password').fill('not the password');
    await section.getByRole('button', { name: 'Make the passkey' }).click();
    await section.getByText('cannot be opened with this').waitFor();
    await checkPage(page);
    await section.getByLabel('Your password').fill(PASSWORD);
    const allowed = page.waitForResponse((response) => response.url().endsWith('/passkeys/options'));
    await section.getByRole('button', { name: 'Make the passkey' }).click();
    assert.equal((await allowed).status(), 200);
    // This device has one of the account already, and makes no other.
    await section.getByText('The device did not confirm').waitFor();
  });

  test('a passkey that opens no key signs in, and values ask for the password', async (visit) => {
    const page = await visit({ phone: true });
    await withAuthenticator(page, { prf: false });
    await personAt(world(), page, '/me/security', 'plain-passkey@example.org');
    await addPasskey(world().platform, page, 'plain-passkey@example.org');
    const passkeys = page.getByRole('region', { name: 'Passkeys' });
    await passkeys.getByText('only signs in').waitFor();
    await passkeys.getByRole('button', { name: /^My phone/ }).click();
    await page.getByText('Its device cannot open your values').waitFor();
    await checkPage(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: /^Make a new recovery code/ }).click();
    const recovery = page.getByRole('dialog', { name: 'Make a new recovery code' });
    await recovery.getByLabel('Your password').fill(PASSWORD);
    await recovery.getByRole('button', { name: 'Make a new recovery code' }).click();
    await recovery.getByText('Sign in with your password first').waitFor();
    await checkPage(page);
    await page.keyboard.press('Escape');
    await recovery.waitFor({ state: 'detached' });

    // A new password wraps the key again, so the present one opens it first.
    await page.getByRole('button', { name: 'Change the password' }).click();
    const password = page.getByRole('dialog', { name: 'Change the password' });
    await password.getByText('Your password opens your values').waitFor();
    await password.locator('input[name=password]').fill(PASSWORD);
    await password.getByRole('button', { name: 'Open my values' }).click();
    await password.getByLabel('Present password').fill(PASSWORD);
    await password.getByLabel('New password').fill(NEXT_PASSWORD);
    await password.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password is changed').waitFor();
  });

  test('after a sign-in by a passkey that opens the key, that passkey sets another password', async (visit) => {
    const email = 'forgot@example.org';
    const page = await visit();
    await withAuthenticator(page, { prf: true });
    await personAt(world(), page, '/me/security', email);
    await addPasskey(world().platform, page, email);
    await page.getByText('opens your values').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: 'Change the password' }).click();
    const password = page.getByRole('dialog', { name: 'Change the password' });
    await password.getByText('Your passkey confirms the change').waitFor();
    assert.equal(await password.getByLabel('Present password').count(), 0);
    await checkPage(page);
    await password.getByLabel('New password').fill(NEXT_PASSWORD);
    // Before the answer comes, the page asks by the former session, which is over: that must not sign the page out.
    await page.route('**/api/person/password', async (changing) => {
      const isRead = (url: URL) =>
        url.pathname.startsWith('/api/person/') && !url.pathname.endsWith('/events');
      const refused = page.waitForResponse((response) => response.status() === 401);
      await page.route(isRead, (reading) => reading.fulfill({ status: 401, json: ENDED }));
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await refused;
      await page.unroute(isRead);
      await changing.continue();
    });
    await password.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password is changed').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await typeSignIn(page, email, NEXT_PASSWORD);
    await page.getByRole('region', { name: 'Password' }).waitFor();
  });
});
