import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { createService, createWebhook, registerCompany } from '@symbolon/testkit/actors/actors';
import { Keyboard } from '@symbolon/testkit/browser/keyboard';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { LOOPBACK_PLUGINS } from '@symbolon/testkit/servers/plugin-server';
import { startReceiver } from '@symbolon/testkit/servers/receiver';
import type { Locator, Page } from 'playwright-core';

const TOKEN = 'token-of-the-shop';

describe('the settings of a webhook in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages(LOOPBACK_PLUGINS));

  /** An endpoint, and how each request came to it. */
  const startSink = async (context: TestContext) => {
    const came: { path: string | undefined; authorization: string | undefined }[] = [];
    const receiver = await startReceiver(({ url, headers }, _body, response) => {
      came.push({ path: url, authorization: headers.authorization });
      response.end();
    });
    context.after(() => receiver.stop());
    return { ...receiver, came };
  };

  const stand = async (context: TestContext) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Harbour Bikes');
    const service = await createService(platform, company, [], 'Bike Club');
    return { platform, company, service, sink: await startSink(context) };
  };

  const edit = async (page: Page) => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    return page.getByRole('dialog', { name: 'Edit the webhook' });
  };
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  /** What a screen reader says of a field besides its name. */
  const saidOf = (field: Locator) =>
    field.evaluate((input) =>
      (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    );
  const sendExample = async (page: Page) => {
    const answered = page.waitForResponse((response) => response.url().endsWith('/test'));
    await page.getByRole('button', { name: 'Send an example' }).click();
    await answered;
    await page.getByText('The example arrived').waitFor();
  };

  test('is made with a token, which stays as it moves, and is given a password instead', async (visit, context) => {
    const { company, sink } = await stand(context);
    const page = await visit();
    await portalAt(page, '/portal/webhooks', company);
    await page.getByRole('button', { name: 'New webhook' }).click();
    const making = page.getByRole('dialog', { name: 'New webhook' });
    await making.getByRole('textbox', { name: 'Address' }).fill(sink.url);
    await making.getByLabel('How your backend knows').selectOption('Bearer token');
    await making.getByLabel('Token', { exact: true }).fill(TOKEN);
    await checkPage(page);
    await picture(page, 'portal-webhook-new');
    await making.getByRole('button', { name: 'Create' }).click();
    await making.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: sink.url }).click();
    await page.getByText('POST, JSON, Bearer token').waitFor();
    await sendExample(page);

    const editing = await edit(page);
    await editing.getByText('••••shop is saved').waitFor();
    await editing.getByRole('textbox', { name: 'Address' }).fill(`${sink.base}/moved`);
    await editing.getByLabel('Events').click();
    await page.getByRole('option', { name: 'field_updated' }).click();
    await page.keyboard.press('Escape');
    await editing.getByLabel('Seal everything').check();
    await checkPage(page);
    await picture(page, 'portal-webhook-edit');
    await save(page);
    await page.getByRole('heading', { level: 1, name: '/moved' }).waitFor();
    await page.getByText('all of it sealed · Events: field_updated').waitFor();
    await sendExample(page);

    await (await edit(page))
      .getByLabel('How your backend knows')
      .selectOption('User name and password (Basic)');
    await page.getByLabel('User name').fill('shop');
    await page.getByLabel('Password', { exact: true }).fill('of the shop');
    await save(page);
    await sendExample(page);
    const bearer = `Bearer ${TOKEN}`;
    const basic = `Basic ${Buffer.from('shop:of the shop').toString('base64')}`;
    assert.deepEqual(sink.came, [
      { path: '/hook', authorization: bearer },
      { path: '/moved', authorization: bearer },
      { path: '/moved', authorization: basic },
    ]);
    await checkPage(page);
  });

  test('says beside a field why it was refused', async (visit, context) => {
    const { platform, company, service, sink } = await stand(context);
    const other = await startSink(context);
    const hook = { url: sink.url, auth_type: 'bearer', auth_token: TOKEN };
    const { id } = await createWebhook(platform, service, hook);
    const page = await visit();
    await portalAt(page, `/portal/services/${service.id}/webhooks/${id}`, company);
    const editing = await edit(page);
    const address = editing.getByRole('textbox', { name: 'Address' });
    await address.fill('http://hooks.example/in');
    await editing.getByRole('button', { name: 'Save' }).click();
    await editing.getByText('A webhook cannot be at this address').waitFor();
    assert.match(await saidOf(address), /A webhook cannot be at this address/);
    assert.equal(await editing.getByRole('alert').count(), 0);
    await checkPage(page);

    await address.fill(other.url);
    await editing.getByRole('button', { name: 'Save' }).click();
    await editing.getByText('The address now leads to another place').waitFor();
    const token = editing.getByLabel('Token', { exact: true });
    assert.match(await saidOf(token), /The address now leads to another place/);
    await checkPage(page);
    await token.fill('token-of-the-other');
    await save(page);
    await sendExample(page);
    assert.deepEqual(other.came, [{ path: '/hook', authorization: 'Bearer token-of-the-other' }]);

    await (await edit(page)).getByLabel('How your backend knows').selectOption('A header of your own');
    await editing.getByLabel('Name of the header').fill('host');
    await editing.getByLabel('Value of the header').fill('mine');
    await editing.getByRole('button', { name: 'Save' }).click();
    await editing.getByText('no header that the platform sets itself').waitFor();
    await checkPage(page);
  });

  test('keeps what was typed but for secrets, and what another login changed meanwhile', async (visit, context) => {
    const { platform, company, service, sink } = await stand(context);
    const { id } = await createWebhook(platform, service, { url: sink.url, auth_type: 'none' });
    const hook = `/api/services/${service.id}/webhooks/${id}`;
    const page = await visit();
    await portalAt(page, `/portal/services/${service.id}/webhooks/${id}`, company);
    const editing = await edit(page);
    await editing.getByRole('textbox', { name: 'Address' }).fill(`${sink.base}/typed`);
    await editing.getByLabel('How your backend knows').selectOption('Signature (HMAC)');
    await editing.getByLabel('Secret of the signature').fill('typed-secret');
    assert.ok(!(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).includes('typed-secret'));
    await platform.must('PUT', hook, { token: company.token, body: { format: 'xml' } });
    await page.reload();
    await edit(page);
    assert.equal(await editing.getByLabel('Secret of the signature').inputValue(), '');
    await editing.getByRole('button', { name: 'Save' }).click();
    const made = page.getByRole('dialog', { name: 'Secret of the webhook' });
    await made.getByText('It is shown this once.').waitFor();
    await made.getByRole('button', { name: 'I have saved it' }).click();
    const { url, format, auth_type } = await platform.must('GET', hook, { token: company.token });
    assert.deepEqual(
      { url, format, auth_type },
      { url: `${sink.base}/typed`, format: 'xml', auth_type: 'hmac' },
    );

    // Given up, nothing of it is left.
    await (await edit(page)).getByRole('textbox', { name: 'Address' }).fill(`${sink.base}/not`);
    await editing.getByRole('button', { name: 'Cancel' }).click();
    await edit(page);
    assert.equal(await editing.getByRole('textbox', { name: 'Address' }).inputValue(), `${sink.base}/typed`);
  });

  test('is edited by the keyboard alone', async (visit, context) => {
    const { platform, company, service, sink } = await stand(context);
    const { id } = await createWebhook(platform, service, { url: sink.url });
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, `/portal/services/${service.id}/webhooks/${id}`, company);
    const opener = page.getByRole('button', { name: 'Edit', exact: true });
    const sheet = await keyboard.open(opener, page.getByRole('dialog', { name: 'Edit the webhook' }));
    await keyboard.type(sheet.getByRole('textbox', { name: 'Address' }), `${sink.base}/keys`);
    await keyboard.to(sheet.getByLabel('How your backend knows'));
    await page.keyboard.type('Bearer');
    await keyboard.type(sheet.getByLabel('Token', { exact: true }), TOKEN);
    await keyboard.press(sheet.getByLabel('Seal everything'), 'Space');
    await keyboard.press(sheet.getByRole('button', { name: 'Save' }));
    await keyboard.isBackAt(opener);
    await keyboard.press(page.getByRole('button', { name: 'Send an example' }));
    await page.getByText('The example arrived').waitFor();
    assert.deepEqual(sink.came, [{ path: '/keys', authorization: `Bearer ${TOKEN}` }]);
  });

  test('is what the overview leads to when one fails; on a phone in German', async (visit, context) => {
    const { platform, company, service } = await stand(context);
    const receiver = await startReceiver((_request, _body, response) => response.writeHead(503).end());
    context.after(() => receiver.stop());
    await createWebhook(platform, service, { url: receiver.url });
    const customer = await insertCustomer(platform, service);
    const { dispatcher } = platform.context;
    for (let event = 0; event < 3; event++) await raise(platform, service, customer, 'connection_created');
    await dispatcher.scan();
    await dispatcher.idle();
    const page = await visit();
    await portalAt(page, '/portal', company);
    await page.getByText(/has refused events since.*3 events wait/).waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'Look at the webhook' }).click();
    await page.getByRole('heading', { level: 1, name: /\/hook$/ }).waitFor();
    const [title, act] = await Promise.all(
      [page.getByRole('heading', { level: 1 }), page.getByRole('button', { name: 'Try now' })].map((each) =>
        each.boundingBox(),
      ),
    );
    assert.ok(title && act && act.x > title.x + title.width, 'beside the title');
    assert.ok(act.y < title.y + title.height + 60, 'in the head');

    const german = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(german, new URL(page.url()).pathname, company);
    await german.getByRole('button', { name: 'Jetzt versuchen' }).waitFor();
    await checkPage(german);
    await german.getByRole('button', { name: 'Bearbeiten' }).click();
    await german.getByLabel('Woran Ihr Backend').selectOption('Ein eigener Header');
    await german.getByText('Alles versiegeln').waitFor();
    await checkPage(german);
    await picture(german, 'portal-webhook-phone');
  });
});
