import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asked, createAskingService, enrol, poll } from '@symbolon/testkit/actors/second-factor';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import type { Page } from 'playwright-core';
import { browserWorld, checkPage, picture, skip } from './support/browser.ts';
import { withAuthenticator } from './support/passkeys.ts';
import { PASSWORD, proveByMail, registerAt, signedIn } from './support/people.ts';

const NEXT_PASSWORD = 'walnut harbour violet 58';

async function addPasskey(platform: TestPlatform, page: Page, email: string): Promise<void> {
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await section.getByLabel('Name of the passkey').fill('My phone');
  await proveByMail(platform, section, email);
  await checkPage(page);
  await section.getByRole('button', { name: 'Make the passkey' }).click();
  await section.getByText('My phone').waitFor();
}

describe('passkeys in the browser', { skip }, () => {
  const world = browserWorld();

  test('a passkey signs in, opens the key, approves by one touch, and is removed', async () => {
    const { platform } = world();
    const visitor = await world().visitor();
    const page = await visitor.newPage();
    await withAuthenticator(page, { prf: true });
    await registerAt(page, '/register?next=%2Fme%2Fsecurity', 'passkey@example.org');
    await addPasskey(world().platform, page, 'passkey@example.org');
    const section = page.getByRole('region', { name: 'Passkeys' });
    await section.getByText('opens your values').waitFor();
    await checkPage(page);
    await picture(page, 'passkeys');
    const person = await signedIn(page);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await section.waitFor();
    const kept = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
    assert.deepEqual(kept, ['symbolon']);

    const service = await createAskingService(platform);
    await enrol(platform, person, service);
    await page.getByRole('link', { name: 'Approvals' }).click();
    const { challenge_id: id } = await asked(platform, service, person);
    const card = page.getByRole('article');
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByText('fingerprint').waitFor();
    await checkPage(page);
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByText('Approved').waitFor();
    assert.equal((await poll(platform, service, id)).body.status, 'approved');

    await page.getByRole('link', { name: 'Security' }).click();
    await section.getByRole('button', { name: 'Remove My phone' }).click();
    // The form that takes the touch comes when the platform has said what proves the presence.
    await section.getByText('After the button').waitFor();
    await section.getByRole('button', { name: 'Remove My phone' }).last().click();
    await section.getByText('My phone', { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });

  test('where there is a passkey, it confirms the next one: the password alone does not, and no code is mailed', async () => {
    const visitor = await world().visitor();
    const page = await visitor.newPage();
    await withAuthenticator(page, { prf: true });
    await registerAt(page, '/register?next=%2Fme%2Fsecurity', 'two-passkeys@example.org');
    await addPasskey(world().platform, page, 'two-passkeys@example.org');
    const section = page.getByRole('region', { name: 'Passkeys' });
    await section.getByRole('button', { name: 'Add a passkey' }).click();
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
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });

  test('a passkey that opens no key signs in, and values ask for the password', async () => {
    const visitor = await world().visitor({ phone: true });
    const page = await visitor.newPage();
    await withAuthenticator(page, { prf: false });
    await registerAt(page, '/register?next=%2Fme%2Fsecurity', 'plain-passkey@example.org');
    await addPasskey(world().platform, page, 'plain-passkey@example.org');
    await page.getByText('values ask for the password').waitFor();
    const isCut = await page
      .getByRole('button', { name: 'Remove My phone' })
      .getByText('Remove')
      .evaluate((label) => label.scrollWidth > label.clientWidth);
    assert.ok(!isCut, 'the button shows its whole name');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    const recovery = page.getByRole('region', { name: 'Recovery code' });
    await recovery.getByRole('button', { name: 'Make a new recovery code' }).click();
    await recovery.getByLabel('Your password').fill(PASSWORD);
    await recovery.getByRole('button', { name: 'Make a new recovery code' }).click();
    await recovery.getByText('Sign in with your password first').waitFor();
    await checkPage(page);

    // A new password wraps the key anew, so the present one opens it first.
    const password = page.getByRole('region', { name: 'Password' });
    await password.getByRole('button', { name: 'Change the password' }).click();
    await password.getByText('Your password opens your values').waitFor();
    await password.locator('input[name=password]').fill(PASSWORD);
    await password.getByRole('button', { name: 'Open my values' }).click();
    await password.getByLabel('Present password').fill(PASSWORD);
    await password.getByLabel('New password').fill(NEXT_PASSWORD);
    await password.getByRole('button', { name: 'Change the password' }).click();
    await password.getByText('The password is changed').waitFor();
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });

  test('after a sign-in by a passkey that opens the key, that passkey sets another password', async () => {
    const email = 'forgot@example.org';
    const visitor = await world().visitor();
    const page = await visitor.newPage();
    await withAuthenticator(page, { prf: true });
    await registerAt(page, '/register?next=%2Fme%2Fsecurity', email);
    await addPasskey(world().platform, page, email);
    await page.getByText('opens your values').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    const password = page.getByRole('region', { name: 'Password' });
    await password.getByRole('button', { name: 'Change the password' }).click();
    await password.getByText('Your passkey confirms the change').waitFor();
    assert.equal(await password.getByLabel('Present password').count(), 0);
    await checkPage(page);
    await password.getByLabel('New password').fill(NEXT_PASSWORD);
    await password.getByRole('button', { name: 'Change the password' }).click();
    await password.getByText('The password is changed').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.locator('input[name=password]').fill(NEXT_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await password.waitFor();
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });
});
