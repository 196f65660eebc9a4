import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { PASSWORD, passwordLogin, registerCompany } from '@symbolon/testkit/actors/actors';
import { addDelegate, requireSecondFactor } from '@symbolon/testkit/actors/portal-logins';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { withAuthenticator } from '@symbolon/testkit/browser/authenticator';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { portalAt, proveByMail, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';

describe('a second factor for all in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());
  const companyOf = async (name: string) =>
    registerCompany(world().platform, name, undefined, (await passwordLogin()).credentials);

  test('stops a page that is open until an authenticator app is set up, and is taken back by who may', async (visit) => {
    const { platform } = world();
    const company = await companyOf('Harbour Bikes');
    const page = await visit();
    await portalAt(page, '/portal/team', company);
    await page.getByText('One person has none.').waitFor();
    await requireSecondFactor(world().platform, company);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Harbour Bikes asks for a second factor' }).waitFor();
    await checkPage(page);
    await picture(page, 'portal-second-factor-missing');
    // It is asked again, and nothing has changed.
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Harbour Bikes asks for a second factor' }).waitFor();

    await page.getByRole('region', { name: 'Authenticator app' }).getByRole('button').click();
    const sheet = page.getByRole('dialog', { name: 'Authenticator app' });
    await proveByMail(platform, sheet, company.email);
    await sheet.getByRole('button', { name: 'Continue' }).click();
    await sheet.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = fromBase32((await sheet.locator('code').innerText()).replace(/\s/g, ''));
    await sheet.getByLabel('The code that the app shows').fill(totpCode(secret, Date.now()));
    await sheet.getByRole('button', { name: 'Switch on' }).click();
    const [recovery = ''] = (await sheet.getByTestId('secret').innerText()).trim().split(/\s+/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Continue' }).click();

    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByText('Everybody has one.').waitFor();
    await checkPage(page);
    await picture(page, 'portal-team');
    const change = page.getByRole('dialog', { name: 'Second factor for all' });
    await page.getByRole('button', { name: /^Everybody needs one/ }).click();
    await change.getByLabel('Your password').fill(PASSWORD);
    await change.getByLabel('Code of your authenticator app').fill(recovery);
    await checkPage(page);
    await change.getByRole('button', { name: 'Let each choose' }).click();
    await page.getByRole('button', { name: /^Each may choose/ }).click();
    // This session was opened by the password alone.
    await change.getByText('Try it yourself first').waitFor();
    await checkPage(page);
  });

  test('is required by an admin who has signed in with a passkey', async (visit) => {
    const { platform } = world();
    const company = await companyOf('Harbour Keys');
    const viewer = await addDelegate(platform, company, 'viewer');
    const page = await visit();
    await withAuthenticator(page, { prf: false });
    await portalAt(page, '/portal/sign-in-means', company);
    await page
      .getByRole('region', { name: 'Passkeys' })
      .getByRole('button', { name: /^Add a/ })
      .click();
    const adding = page.getByRole('dialog', { name: 'Add a passkey' });
    await adding.getByLabel('Name of the passkey').fill('My laptop');
    await proveByMail(platform, adding, company.email);
    await adding.getByRole('button', { name: 'Make the passkey' }).click();
    await adding.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();

    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('button', { name: /^Each may choose/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Second factor for all' });
    await sheet.getByText(`The viewer, ${viewer.email}`).waitFor();
    await sheet.getByText('After the button').waitFor();
    await checkPage(page);
    await picture(page, 'portal-second-factor-for-all');
    await sheet.getByRole('button', { name: 'Require it of everybody' }).click();
    await page.getByRole('button', { name: /^Everybody needs one/ }).waitFor();
    const { status } = await platform.call('GET', '/api/account', { token: viewer.token });
    assert.equal(status, 403);
  });

  test('on a phone in German, in the dark', async (visit) => {
    const company = await companyOf('Hafenräder');
    await requireSecondFactor(world().platform, company);
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await page.goto('/portal');
    await page.getByLabel('E-Mail-Adresse').fill(company.email);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByRole('heading', { name: 'Hafenräder verlangt einen zweiten Faktor' }).waitFor();
    await checkPage(page);
    await picture(page, 'portal-second-factor-missing-phone');
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByLabel('E-Mail-Adresse').waitFor();
  });

  test('a login that signs in without one is asked for it', async (visit) => {
    const company = await companyOf('Harbour Doors');
    await requireSecondFactor(world().platform, company);
    const page = await visit();
    await page.goto('/portal/team');
    await typeSignIn(page, company.email);
    await page.getByRole('heading', { name: 'Harbour Doors asks for a second factor' }).waitFor();
  });
});
