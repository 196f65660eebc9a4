import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { PASSWORD, passwordLogin, registerCompany } from '@symbolon/testkit/actors/actors';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { withAuthenticator } from '@symbolon/testkit/browser/authenticator';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { portalAt, proveByMail, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

const ADDRESS = '/portal/sign-in-means';
const NEXT_PASSWORD = 'harbour violet engine 81';

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to the portal' }).waitFor();
}

describe('how staff sign in to the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());
  const companyOf = async (name: string) =>
    registerCompany(world().platform, name, undefined, (await passwordLogin()).credentials);

  test('another password ends other sessions and signs in; a recovery code is made with it', async (visit) => {
    const { platform } = world();
    const company = await companyOf('Harbour Bikes');
    const page = await visit();
    await page.goto(`/portal/sign-in?next=${encodeURIComponent('/portal/security')}`);
    await typeSignIn(page, company.email);
    await page.getByRole('main').getByRole('link', { name: 'Your sign-in' }).click();
    await page.getByRole('heading', { name: 'Your sign-in', level: 1 }).waitFor();

    const password = page.getByRole('dialog', { name: 'Change the password' });
    await page.getByRole('button', { name: 'Change the password' }).click();
    await password.getByLabel('Present password').fill('not the password');
    await password.getByLabel('New password').fill(NEXT_PASSWORD);
    await checkPage(page);
    await password.getByRole('button', { name: 'Change the password' }).click();
    await password.getByRole('alert').waitFor();
    await password.getByLabel('Present password').fill(PASSWORD);
    await password.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password is changed').waitFor();
    // The company was registered by a program, whose session is over now.
    assert.equal((await platform.call('GET', '/api/account', { token: company.token })).status, 401);

    const recovery = page.getByRole('dialog', { name: 'Make a new recovery code' });
    await page.getByRole('button', { name: /^Make a new recovery code/ }).click();
    await recovery.getByLabel('Your password').fill(NEXT_PASSWORD);
    await recovery.getByRole('button', { name: 'Make a new recovery code' }).click();
    const code = (await recovery.getByTestId('secret').innerText()).trim();
    assert.match(code, /^(\w{4}\s+){12}\w{4}$/);
    await checkPage(page);
    await page.keyboard.press('Escape');
    await recovery.waitFor({ state: 'detached' });

    await signOut(page);
    await typeSignIn(page, company.email, NEXT_PASSWORD);
    await page.getByRole('link', { name: 'Your sign-in' }).first().waitFor();
  });

  test('a passkey is added, signs in, and is removed; then a new password asks for the present one', async (visit) => {
    const company = await companyOf('Harbour Keys');
    const page = await visit();
    await withAuthenticator(page, { prf: false });
    await portalAt(page, ADDRESS, company);
    const passkeys = page.getByRole('region', { name: 'Passkeys' });
    await passkeys.getByRole('button', { name: /^Add a passkey/ }).click();
    const adding = page.getByRole('dialog', { name: 'Add a passkey' });
    await adding.getByLabel('Name of the passkey').fill('My laptop');
    // The password alone adds no factor.
    await proveByMail(world().platform, adding, company.email);
    await checkPage(page);
    await adding.getByRole('button', { name: 'Make the passkey' }).click();
    await adding.waitFor({ state: 'detached' });
    await passkeys.getByText('My laptop').waitFor();
    await checkPage(page);
    await picture(page, 'portal-sign-in-means');

    await signOut(page);
    await checkPage(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('link', { name: 'Your sign-in' }).first().click();
    await page.getByRole('heading', { name: 'Your sign-in', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'Change the password' }).click();
    const password = page.getByRole('dialog', { name: 'Change the password' });
    await password.getByText('You signed in without your password').waitFor();
    await checkPage(page);
    await password.locator('input[name=password]').fill(PASSWORD);
    await password.getByRole('button', { name: 'Continue' }).click();
    await password.getByLabel('Present password').waitFor();
    await page.keyboard.press('Escape');
    await password.waitFor({ state: 'detached' });

    await passkeys.getByRole('button', { name: /^My laptop/ }).click();
    const sheet = page.getByRole('dialog', { name: 'My laptop' });
    await sheet.getByText('Afterwards you sign in with your password').waitFor();
    await sheet.getByRole('button', { name: 'Remove My laptop' }).click();
    await sheet.getByText('After the button').waitFor();
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Remove My laptop' }).click();
    await passkeys.getByText('My laptop', { exact: true }).waitFor({ state: 'detached' });
  });

  test('an authenticator app is switched on, asked for at the sign-in, and switched off', async (visit) => {
    const company = await companyOf('Harbour Codes');
    const page = await visit();
    await portalAt(page, ADDRESS, company);
    const rows = page.getByRole('region', { name: 'Authenticator app' });
    const sheet = page.getByRole('dialog', { name: 'Authenticator app' });
    await rows.getByRole('button', { name: 'Switch on' }).click();
    await proveByMail(world().platform, sheet, company.email);
    await sheet.getByRole('button', { name: 'Continue' }).click();
    await sheet.getByRole('img', { name: 'QR code' }).waitFor();
    await checkPage(page);
    const secret = fromBase32((await sheet.locator('code').innerText()).replace(/\s/g, ''));
    const at = Date.now();
    await sheet.getByLabel('The code that the app shows').fill(totpCode(secret, at));
    await sheet.getByRole('button', { name: 'Switch on' }).click();
    const [recovery = ''] = (await sheet.getByTestId('secret').innerText()).trim().split(/\s+/);
    await page.keyboard.press('Escape');
    await rows.getByText('10 recovery codes left').waitFor();

    await signOut(page);
    await typeSignIn(page, company.email);
    await page.getByLabel('Code of your authenticator app').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The code is wrong').waitFor();
    // A step of time is good once: the next one is of half a minute later.
    await page.getByLabel('Code of your authenticator app').fill(totpCode(secret, at + 30_000));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Your sign-in' }).first().click();
    await rows.getByRole('button', { name: /^Codes and switching off/ }).click();
    await sheet.getByRole('button', { name: 'Switch off' }).click();
    await sheet.getByLabel('Your password').fill(PASSWORD);
    await sheet.getByLabel('Code of your authenticator app').fill(recovery);
    await sheet.getByRole('button', { name: 'Switch off' }).click();
    await rows.getByRole('button', { name: 'Switch on' }).waitFor();
  });

  test('on a phone in German, in the dark', async (visit) => {
    const company = await companyOf('Hafenräder');
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, ADDRESS, company);
    await page.getByRole('heading', { name: 'Ihre Anmeldung', level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Passkey hinzufügen/ }).waitFor();
    await checkPage(page);
  });
});
