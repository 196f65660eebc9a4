import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { decryptPem, importPrivateKey, openText, sealValue } from '@symbolon/crypto';
import type { OAuthApp } from '@symbolon/protocol';
import {
  createAccountClient,
  createDataClient,
  createService,
  registerCompany,
  sharedPublicKey,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { createApp } from '@symbolon/testkit/actors/sign-ins';
import { bytesOf, checkPage, picture } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

describe('sign-in apps in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());

  const saved = async (page: Page, button: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return (await bytesOf(download)).toString();
  };
  const stand = async () => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Harbour Bikes');
    await createService(platform, company);
    const apps = async (): Promise<OAuthApp[]> =>
      (await platform.must('GET', '/api/account/oauth-apps', { token: company.token })).oauth_apps;
    return { company, apps };
  };

  test('an app is made with its key, changed, given a new secret and deleted', async (visit) => {
    const { company, apps } = await stand();
    const page = await visit();
    await portalAt(page, '/portal/apps', company);
    await page.getByText('No sign-in apps yet').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'New sign-in app' }).click();
    const making = page.getByRole('dialog', { name: 'New sign-in app' });
    await making.getByRole('textbox', { name: 'Name' }).fill('Harbour Shop');
    await making
      .getByRole('textbox', { name: 'Addresses to come back to' })
      .fill('https://shop.example/back\n\n http://127.0.0.1:9000/back ');
    const seen = making.getByTestId('consent-preview');
    await seen.getByText('Harbour Shop').first().waitFor();
    await seen.getByText('https://shop.example').waitFor();
    await seen.getByText('Email address', { exact: true }).waitFor();
    await making.getByRole('checkbox').uncheck();
    await seen.getByText('Email address', { exact: true }).waitFor({ state: 'detached' });
    await making.getByRole('checkbox').check();
    await checkPage(page);
    await picture(page, 'portal-new-app');
    await making.getByRole('button', { name: 'Make the key' }).click();
    const create = page.getByRole('button', { name: 'Create the app' });
    await create.waitFor();
    assert.equal(await create.isDisabled(), true);
    const pem = await saved(page, 'Save file: harbour-shop.pem');
    const passphrase = (await saved(page, 'Save file: harbour-shop.passphrase')).trim();
    await checkPage(page);
    await create.click();
    const credentials = JSON.parse(await saved(page, 'Download'));
    await page.getByRole('button', { name: 'I have saved it' }).click();
    const [made] = await apps();
    assert.ok(made !== undefined);
    assert.equal(credentials.client_id, made.client_id);
    assert.deepEqual(made.redirect_uris, ['https://shop.example/back', 'http://127.0.0.1:9000/back']);
    const key = await importPrivateKey(await decryptPem(pem, passphrase));
    const claim = await sealValue('Ada', made.public_key ?? '');
    assert.equal(await openText(claim, key), 'Ada');

    await page.getByRole('button', { name: /^Harbour Shop/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Harbour Shop' });
    const href = await sheet.getByRole('link', { name: /sign-in page/ }).getAttribute('href');
    assert.match(href ?? '', new RegExp(`^/auth\\?client_id=${made.client_id}&redirect_uri=https`));
    await sheet.getByRole('textbox', { name: 'Name' }).fill('Harbour Shop and Club');
    await sheet.getByLabel('The e-mail address is needed').check();
    await sheet.getByLabel('Only a verified e-mail address').check();
    await sheet.getByLabel('How claims arrive').selectOption('plaintext');
    await sheet.getByLabel('Service').selectOption({ index: 1 });
    await checkPage(page);
    await picture(page, 'portal-app');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await sheet.waitFor({ state: 'detached' });
    const [changed] = await apps();
    assert.deepEqual(
      [changed?.name, changed?.claims_delivery, changed?.claim_config, typeof changed?.service_id],
      ['Harbour Shop and Club', 'plaintext', [{ name: 'email', required: true, verified: true }], 'string'],
    );

    await page.getByRole('button', { name: /^Harbour Shop and Club/ }).click();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    const renewed = JSON.parse(await saved(page, 'Download'));
    assert.notEqual(renewed.client_secret, credentials.client_secret);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: /^Harbour Shop and Club/ }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No sign-in apps yet').waitFor();
    assert.deepEqual(await apps(), []);
  });

  test('an app on devices has no secret, also on a phone in German, in the dark', async (visit) => {
    const { company, apps } = await stand();
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, '/portal/apps', company);
    await page.getByRole('button', { name: 'Neue Anmelde-App' }).click();
    const making = page.getByRole('dialog', { name: 'Neue Anmelde-App' });
    await making.getByRole('textbox', { name: 'Name' }).fill('Hafen');
    await making.getByLabel('Auf Geräten').check();
    await making.getByRole('textbox', { name: 'Adressen zum Zurückkehren' }).fill('hafen.app:/back');
    await making.getByLabel('Sie fragt nach Angaben').uncheck();
    await checkPage(page);
    await making.getByRole('button', { name: 'App anlegen' }).click();
    await page.getByRole('button', { name: /^Hafen/ }).click();
    await page.getByText('Sie hat keinen Schlüssel').waitFor();
    await checkPage(page);
    const [made] = await apps();
    assert.deepEqual([made?.app_type, made?.public_key], ['public', null]);
  });

  test('each client says when it was last used, before its secret is replaced', async (visit) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Harbour Bikes');
    const { clientId, clientSecret } = await createDataClient(
      platform,
      await createService(platform, company),
    );
    await createApp(platform, company, { name: 'Harbour Shop' });
    const page = await visit();
    await portalAt(page, '/portal/access', company);
    await page.getByText('Not used yet').waitFor();
    await checkPage(page);
    await tokenFor(platform, clientId, clientSecret);
    await page.reload();
    await page.getByText(/^Last used (this minute|.* ago)$/).waitFor();
    await checkPage(page);
    await picture(page, 'portal-last-use');
    await page.goto('/portal/apps');
    await page.getByRole('button', { name: /^Harbour Shop.*Not used yet$/ }).click();
    await page.getByRole('dialog', { name: 'Harbour Shop' }).getByText('Not used yet').waitFor();
    await createAccountClient(platform, company);
    await page.goto('/portal/clients');
    await page.getByRole('button', { name: /^Automation.*Last used/ }).click();
    await page.getByRole('dialog', { name: 'Automation' }).getByText('Last used').waitFor();
    await checkPage(page);
  });

  test('the consent page is previewed while an app is edited', async (visit) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Harbour Bikes');
    await createApp(platform, company, { name: 'Harbour Shop', public_key: await sharedPublicKey() });
    const page = await visit();
    await portalAt(page, '/portal/apps', company);
    await page.getByRole('button', { name: /^Harbour Shop/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Harbour Shop' });
    const preview = sheet.getByRole('region', { name: 'Preview' });
    await preview.getByText(/Nothing is saved yet/).waitFor();
    await preview.getByRole('heading', { name: 'Sign in to Harbour Shop' }).waitFor();
    assert.equal(await preview.getByTestId('origin').textContent(), 'https://shop.example');
    await sheet.getByRole('textbox', { name: 'Name' }).fill('Harbour Club');
    await preview.getByRole('heading', { name: 'Sign in to Harbour Club' }).waitFor();
    await preview.getByText('Share 2 answers with Harbour Club').waitFor();
    assert.equal(await preview.getByText('optional', { exact: true }).count(), 2);
    await sheet.getByLabel('The e-mail address is needed').check();
    await sheet.getByLabel('Only a verified e-mail address').check();
    assert.equal(await preview.getByText('optional', { exact: true }).count(), 1);
    await preview.getByText('verified answers only').waitFor();
    await sheet.getByLabel('How claims arrive').selectOption('plaintext');
    assert.equal(await preview.getByText('readable by this site', { exact: true }).count(), 2);
    await sheet
      .getByRole('textbox', { name: 'Addresses to come back to' })
      .fill('https://club.example/back\nclub.app:/back');
    assert.equal(await preview.getByTestId('origin').textContent(), 'https://club.example');
    await preview.getByText('People may come back to https://club.example, club.app:.').waitFor();
    await checkPage(page);
    await picture(page, 'portal-app-preview');
    await preview.getByText('Phone', { exact: true }).click();
    await checkPage(page);
    await picture(page, 'portal-app-preview-phone');
  });

  test('the preview also stands on a phone, in German', async (visit) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Hafenräder');
    await createApp(platform, company, { name: 'Hafen', public_key: await sharedPublicKey() });
    const page = await visit({ phone: true, locale: 'de-DE' });
    await portalAt(page, '/portal/apps', company);
    await page.getByRole('button', { name: /^Hafen/ }).click();
    const preview = page.getByRole('region', { name: 'Vorschau' });
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Hafenladen');
    await preview.getByRole('heading', { name: /Hafenladen/ }).waitFor();
    await preview.getByText('Noch ist nichts gespeichert').scrollIntoViewIfNeeded();
    await checkPage(page);
    await picture(page, 'portal-app-preview-de');
  });
});
