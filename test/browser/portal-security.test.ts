import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { PASSWORD, passwordLogin, registerCompany } from '@symbolon/testkit/actors/actors';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';

describe('keys and security in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());

  test('says who holds the recovery key, and ends sessions elsewhere', async (visit) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Harbour Bikes');
    const page = await visit();
    await portalAt(page, '/portal/security', company);
    const holders = page.getByRole('list', { name: 'Who holds it' });
    await holders.getByText('Holds it', { exact: true }).waitFor();
    await page.getByText('Only one person holds it.').waitFor();
    await page.getByText('No copies yet').waitFor();
    await checkPage(page);
    await picture(page, 'portal-security');
    // The company was registered by a program, whose session goes on.
    const sessions = page.getByRole('region', { name: 'Where you are signed in' });
    await sessions.getByText('This browser', { exact: true }).waitFor();
    await sessions
      .getByRole('button', { name: /^End the session in/ })
      .first()
      .click();
    await sessions.getByRole('button', { name: /^End the session in/ }).waitFor({ state: 'detached' });
    const { status } = await platform.call('GET', '/api/account', { token: company.token });
    assert.equal(status, 401);
    await checkPage(page);
  });

  test('an owner has the company deleted by its name, a proof and a mailed code, and keeps it after all', async (visit) => {
    const { platform } = world();
    const { credentials } = await passwordLogin();
    const company = await registerCompany(platform, 'Harbour Bikes', undefined, credentials);
    const page = await visit();
    await portalAt(page, '/portal/security', company);
    await page.getByRole('button', { name: /^Delete the company/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Delete the company' });
    await sheet.getByText('All services end').waitFor();
    await checkPage(page);
    assert.equal(await sheet.getByLabel('Your password').count(), 0);
    await sheet.getByLabel('Type the name of the company: Harbour Bikes').fill('Harbour Bikes');
    await sheet.getByLabel('Your password, to confirm that it is you').fill(PASSWORD);
    await sheet.getByRole('button', { name: 'Delete the company' }).click();
    await sheet.getByText('With it the 14 days begin.').waitFor();
    await checkPage(page);
    await sheet.getByLabel('Code from the mail').fill(await mailedCode(platform, company.email));
    await sheet.getByRole('button', { name: 'Delete it in 14 days' }).click();
    await page.getByText('The company will be deleted').waitFor();
    const state = () => platform.must('GET', '/api/account/delete-request', { token: company.token });
    assert.equal((await state()).pending, true);
    await checkPage(page);
    await page.getByRole('button', { name: 'Keep the company' }).click();
    await page.getByRole('button', { name: /^Delete the company/ }).waitFor();
    assert.equal((await state()).pending, false);
  });

  test('on a phone in German, in the dark', async (visit) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Hafenräder');
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, '/portal/security', company);
    await page.getByText('Hält ihn', { exact: true }).waitFor();
    await checkPage(page);
  });
});
