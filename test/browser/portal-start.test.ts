import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { decryptPem, importPrivateKey, openText, sealValue } from '@symbolon/crypto';
import { DataClient } from '@symbolon/sdk';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { bytesOf, checkPage, picture } from '@symbolon/testkit/browser/looks';
import { keepRecoveryCode } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

const EMAIL = 'kim@harbour.example';

describe('a company starts in the portal', { skip }, () => {
  const { world, test } = browserTests(() =>
    servePages({ SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'false' }),
  );
  const goTo = (page: Page, name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  const saved = async (page: Page, button: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return (await bytesOf(download)).toString();
  };

  test('from no account to a first service, its keys, a client, a webhook and a colleague', async (visit) => {
    const page = await visit();
    await page.goto('/portal/sign-in');
    await page.getByRole('link', { name: 'Register your company' }).click();
    await page.getByLabel('Name of the company').fill('Harbour Bikes');
    await page.getByLabel('Email address').fill(EMAIL);
    await page.locator('input[name=password]').fill(PASSWORD);
    await checkPage(page);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByLabel('Code from the mail').fill(await mailedCode(world().platform, EMAIL));
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await keepRecoveryCode(page);
    await page.getByRole('link', { name: 'Create your first service, with its keys' }).waitFor();
    await checkPage(page);

    await page.getByRole('link', { name: 'Create your first service, with its keys' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Bike Club');
    await page.getByRole('radio', { name: 'Shop' }).click();
    await checkPage(page);
    await page.getByRole('button', { name: 'Make the keys' }).click();
    await page.getByRole('heading', { name: 'Keys of Bike Club' }).waitFor();
    const create = page.getByRole('button', { name: 'Create the service' });
    assert.equal(await create.isDisabled(), true);
    const pem = await saved(page, 'Save file: bike-club.pem');
    const passphrase = (await saved(page, 'Save file: bike-club.passphrase')).trim();
    await checkPage(page);
    await picture(page, 'portal-keys');
    await create.click();

    await page.getByRole('heading', { name: 'What Bike Club asks' }).waitFor();
    const questions = page.getByRole('list', { name: 'What it asks' });
    await questions.getByText('Delivery address').waitFor();
    await page.getByRole('button', { name: 'Add a question' }).click();
    await checkPage(page);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Number/ })
      .click();
    await page.getByRole('textbox', { name: 'Question' }).fill('Size of your bike');
    await page.getByRole('textbox', { name: 'Name for your backend' }).fill('bike_size');
    await checkPage(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Move Size of your bike up' }).click();
    await page.getByRole('button', { name: /^Publish version/ }).click();
    await page.getByText(/^Version \d+ is published\.$/).waitFor();
    await checkPage(page);
    await picture(page, 'portal-asks');

    await goTo(page, 'API access');
    await page.getByRole('button', { name: 'Make a client: Bike Club' }).click();
    const client = JSON.parse(await saved(page, 'Download'));
    await checkPage(page);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText(client.client_id).waitFor();
    await page.getByText('no event waits in the change feed').waitFor();

    await goTo(page, 'Webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill('https://hooks.example.com/in');
    await checkPage(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText('Not tried yet').waitFor();
    await checkPage(page);

    await goTo(page, 'Team');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill('lea@harbour.example');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('invited', { exact: true }).waitFor();
    await checkPage(page);
    await goTo(page, 'Audit log');
    await page.getByRole('grid').waitFor();
    await checkPage(page);
    await goTo(page, 'Overview');
    await page.getByText('Connect a first person').waitFor();
    await page.getByRole('link', { name: 'See the first event as it happens' }).waitFor();
    await checkPage(page);
    await picture(page, 'portal-overview');

    // What was saved here is what a backend works with.
    const backend = new DataClient({
      url: world().platform.url,
      clientId: client.client_id,
      clientSecret: client.client_secret,
    });
    const asked = await backend.requestFields();
    assert.deepEqual(
      asked.map(({ slug }) => slug),
      ['email', 'delivery', 'bike_size', 'phone'],
    );
    const { items } = await page.request.get('/api/services').then((answer) => answer.json());
    const key = await importPrivateKey(await decryptPem(pem, passphrase));
    assert.equal(await openText(await sealValue('58', items[0].public_key), key), '58');
  });
});
