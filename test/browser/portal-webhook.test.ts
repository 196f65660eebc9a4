import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { createService, createWebhook, registerCompany } from '@symbolon/testkit/actors/actors';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { LOOPBACK_PLUGINS } from '@symbolon/testkit/servers/plugin-server';
import { startReceiver } from '@symbolon/testkit/servers/receiver';

describe('a webhook in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages(LOOPBACK_PLUGINS));

  /** A webhook at an endpoint that answers what a test tells it to. */
  const stand = async (context: TestContext) => {
    const { platform } = world();
    const answer = { status: 200, body: 'taken' };
    const came: string[] = [];
    const receiver = await startReceiver((_request, body, response) => {
      came.push(String(body));
      response.writeHead(answer.status).end(answer.body);
    });
    context.after(() => receiver.stop());
    const company = await registerCompany(platform, 'Harbour Bikes');
    const service = await createService(platform, company);
    const webhook = await createWebhook(platform, service, { url: receiver.url });
    const customer = await insertCustomer(platform, service);
    const { dispatcher } = platform.context;
    return {
      company,
      answer,
      came,
      at: `/portal/services/${service.id}/webhooks/${webhook.id}`,
      async send() {
        await raise(platform, service, customer, 'connection_created');
        await dispatcher.scan();
        await dispatcher.idle();
      },
      async settle() {
        await dispatcher.scan();
        await dispatcher.idle();
      },
    };
  };

  test('tells why a delivery failed, and is tried again at once', async (visit, context) => {
    const { company, answer, send, settle } = await stand(context);
    const page = await visit();
    await portalAt(page, '/portal/webhooks', company);
    await page.getByRole('link', { name: '/hook' }).click();
    await page.getByText('No attempts yet').waitFor();
    await page.getByText('"test": true').waitFor();
    await checkPage(page);

    await send();
    Object.assign(answer, { status: 503, body: '<h1>upstream not ready</h1>' });
    await send();
    await send();
    // It appears by itself.
    // No number of a port.
    const failed = page.getByRole('button', { name: /\b503\b/ });
    await failed.click();
    await page.getByText(/answered 503 after .* ms, not 200/).waitFor();
    await page
      .getByRole('region', { name: 'What it answered' })
      .getByText('<h1>upstream not ready</h1>')
      .waitFor();
    await page.getByText('Failing', { exact: true }).waitFor();
    await page.getByText('1 of the last 2').waitFor();
    await page.getByText('The oldest event that waits').waitFor();
    await checkPage(page);
    await picture(page, 'portal-webhook');

    // The address is that of the attempt, and of those that are listed.
    await page.waitForURL(/attempt=/);
    await page.getByText('Failed', { exact: true }).click();
    await page.getByRole('button', { name: /\b200\b/ }).waitFor({ state: 'detached' });
    await page.waitForURL(/only=failed/);
    await page.reload();
    await page.getByRole('button', { name: /\b503\b/ }).waitFor();
    assert.equal(await page.getByRole('button', { name: /\b200\b/ }).count(), 0);
    await page.getByText('Examples', { exact: true }).click();
    await page.getByText('None of these').waitFor();
    await page.getByText('XML', { exact: true }).click();
    await page.getByText('<event>connection_created</event>').waitFor();
    await checkPage(page);

    answer.status = 200;
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('The oldest event is being sent').waitFor();
    await settle();
    await page.getByText('Running', { exact: true }).waitFor();
    await page.getByRole('img', { name: 'Times of the last 4 deliveries, of which 1 failed' }).waitFor();
    await page.getByRole('button', { name: 'Send an example' }).click();
    await page.getByText('The example arrived').waitFor();
    await page.getByRole('button', { name: 'connection_created · Example' }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Switch off' }).click();
    const question = page.getByRole('dialog', { name: 'Switch this webhook off?' });
    await question.getByText('Events that happen while it is off are not kept').waitFor();
    await checkPage(page);
    await question.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Switched off', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('Not tried yet', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No webhooks yet').waitFor();
  });

  test('is paused, says what waits, and sends it when it is resumed', async (visit, context) => {
    const { company, at, came, send, settle } = await stand(context);
    await send();
    const page = await visit();
    await portalAt(page, at, company);
    await page.getByText('Running', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByText('Events are held: none waits yet.').waitFor();
    await send();
    await page.getByText(/Events are held: 1 waits, since .*\d+:\d\d/).waitFor();
    await send();
    await page.getByText(/Events are held: 2 wait, the oldest since .*\d+:\d\d/).waitFor();
    assert.equal(came.length, 1);
    await checkPage(page);
    await picture(page, 'portal-webhook-paused');
    const german = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(german, at, company);
    await german.getByText(/Ereignisse werden zurückgehalten: 2 warten, das älteste seit/).waitFor();
    await checkPage(german);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await settle();
    assert.equal(came.length, 3);
    await page.getByText('Running', { exact: true }).waitFor();
    await page.getByText('nothing waits').waitFor();
  });

  test('renews its secret, and the one before it signs on until it is ended', async (visit, context) => {
    const { company, at } = await stand(context);
    const page = await visit();
    await portalAt(page, at, company);
    await page.getByRole('button', { name: 'Renew secret' }).click();
    const question = page.getByRole('dialog', { name: 'Renew secret' });
    await question.getByLabel('How long does the present secret hold?').selectOption('3 days');
    await checkPage(page);
    await question.getByRole('button', { name: 'Renew secret' }).click();
    const sheet = page.getByRole('dialog', { name: 'Secret of the webhook' });
    await sheet.getByText('It is shown this once.').waitFor();
    await checkPage(page);
    await sheet.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText('The secret before it still makes the signature').waitFor();
    await page.getByRole('button', { name: 'Renew secret' }).waitFor({ state: 'detached' });
    await picture(page, 'portal-webhook-secret');
    await page.getByRole('button', { name: 'End the old one now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End the old one now' }).click();
    await page.getByRole('button', { name: 'Renew secret' }).waitFor();
    await checkPage(page);
  });

  test('on a phone in German, in the dark', async (visit, context) => {
    const { company, answer, at, send } = await stand(context);
    await send();
    Object.assign(answer, { status: 500, body: '' });
    await send();
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, at, company);
    await page.getByRole('button', { name: /\b500\b/ }).click();
    await page.getByText('Die Antwort war leer.').waitFor();
    await checkPage(page);
  });
});
