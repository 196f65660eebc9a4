import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { sealValue, serializeWrapper } from '@symbolon/crypto';
import {
  connect,
  createService,
  openSealed,
  registerCompany,
  registerPerson,
  sealed,
} from '@symbolon/testkit/actors/actors';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { Keyboard } from '@symbolon/testkit/browser/keyboard';
import { bytesOf, checkPage, holds, picture } from '@symbolon/testkit/browser/looks';
import { openServiceKey, portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

describe('customers in the portal', { skip }, () => {
  const { world, test } = browserTests();

  const stand = async () => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Bike Club');
    const rows = [{ slug: 'note', label: 'What should we know?', type: 'text', one_time: true }];
    const service = await createService(platform, company, rows);
    for (const name of ['Ada Berg', 'Ben Ali']) {
      const person = await registerPerson(platform, name);
      await connect(platform, person, service, {
        note: { once: `${name} is left-handed` },
      });
    }
    return company;
  };

  test('are gone to by a few letters, from any page, and so are pages and services', async (visit) => {
    const company = await stand();
    const page = await visit();
    await portalAt(page, '/portal/team', company);
    // Until it is known who is signed in, the page has another heading, and hears no such key.
    await page.getByText('login of the registration').waitFor();
    await page.keyboard.press('Control+k');
    const sheet = page.getByRole('dialog', { name: 'Go to' });
    const field = sheet.getByRole('searchbox', { name: 'Page, service or customer' });
    await field.fill('ada b');
    await sheet.getByRole('link', { name: 'Ada Berg' }).waitFor();
    await checkPage(page);
    await picture(page, 'portal-go-to');
    await field.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ada Berg' }).waitFor();
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Go to' }).first().click();
    await field.fill('webh');
    await field.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });

  test('are found by name, and what one shares is opened with the key of the service and locked again', async (visit) => {
    const company = await stand();
    const page = await visit();
    await portalAt(page, '/portal/customers', company);
    await page.getByRole('link', { name: 'Ben Ali' }).waitFor();
    await checkPage(page);
    await picture(page, 'portal-customers');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save this page as CSV' }).click(),
    ]);
    assert.match((await bytesOf(saved)).toString(), /^\ufeffconnection_id,name,.*\r\n.*,Ben Ali,person,/);
    await page.getByLabel('Search by name or code').fill('nobody');
    await page.getByText('Nothing found').waitFor();
    await page.getByLabel('Search by name or code').fill('berg');
    await page.getByRole('link', { name: 'Ben Ali' }).waitFor({ state: 'detached' });
    await page.waitForURL(/q=berg/);
    await page.reload();
    await page.getByRole('link', { name: 'Ada Berg' }).click();
    await page.getByText('Sealed', { exact: true }).waitFor();
    await checkPage(page);

    await openServiceKey(page);
    await page.getByText('Ada Berg is left-handed').waitFor();
    await checkPage(page);
    await picture(page, 'portal-customer');
    await page.getByRole('button', { name: 'Lock again' }).click();
    await page.getByText('Sealed', { exact: true }).waitFor();
    await page.getByText('Ada Berg is left-handed').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'All customers' }).click();
    await page.getByRole('link', { name: 'Ben Ali' }).waitFor();
  });

  test('what is looked at often is kept under a name, renamed and removed, by keyboard', async (visit) => {
    const company = await stand();
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, '/portal/customers?q=berg', company);
    const sheet = page.getByRole('dialog');
    const name = sheet.getByLabel('Name');
    const keep = page.getByRole('button', { name: 'Keep this view' });
    const change = page.getByRole('button', { name: 'Change this view' });
    const views = page.getByRole('navigation', { name: 'Kept views' });
    const search = page.getByLabel('Search by name or code');
    await keyboard.open(keep, sheet);
    await checkPage(page);
    await keyboard.type(name, 'The Bergs');
    await keyboard.keys('Enter');
    await keyboard.isBackAt(change);
    await views
      .getByRole('link', { name: 'The Bergs', exact: true })
      .and(page.locator('[aria-current]'))
      .waitFor();
    await checkPage(page);

    await keyboard.type(search, 'ali');
    await page.getByRole('link', { name: 'Ada Berg' }).waitFor({ state: 'detached' });
    await keyboard.open(keep, sheet);
    await keyboard.type(name, 'The Bergs');
    await sheet.getByText('Another view has this name.').waitFor();
    await keyboard.type(name, 'Alis');
    await keyboard.keys('Enter');
    await page.reload();
    await keyboard.press(views.getByRole('link', { name: 'The Bergs' }));
    await page.getByRole('link', { name: 'Ada Berg' }).waitFor();
    await holds(search, 'berg');

    await keyboard.open(change, sheet);
    await holds(name, 'The Bergs');
    await keyboard.type(name, 'Bergs');
    await keyboard.keys('Enter');
    await keyboard.isBackAt(change);
    await keyboard.open(change, sheet);
    await keyboard.press(sheet.getByRole('button', { name: 'Remove this view' }));
    await keyboard.isBackAt(keep);
    assert.deepEqual(await views.getByRole('link').allInnerTexts(), ['Alis']);
    await keyboard.press(page.getByRole('button', { name: 'Undo' }));
    await change.waitFor();
    assert.deepEqual(await views.getByRole('link').allInnerTexts(), ['Alis', 'Bergs']);

    const colleague = await addDelegate(world().platform, company, 'viewer');
    await portalAt(page, '/portal/customers?q=berg', colleague);
    await keep.waitFor();
    assert.equal(await views.count(), 0, 'views are those of a login');
    await portalAt(page, '/portal/customers', company);
    await views.getByRole('link', { name: 'Bergs' }).waitFor();

    // A view may name a customer.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the portal' }).waitFor();
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    assert.doesNotMatch(kept, /berg/i);
  });

  /** A thread in which the customer has asked something, on the page of the customer. */
  const asked = async (page: Page, words?: Parameters<typeof openServiceKey>[1]) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Bike Club');
    const service = await createService(platform, company);
    const person = await registerPerson(platform, 'Ada Berg');
    const connectionId = await connect(platform, person, service);
    const ofPerson = `/api/person/connections/${connectionId}/messages`;
    const body = serializeWrapper(await sealValue('Is my bike ready?', service.publicKey));
    const sent = { body, sender_body: await sealed('Is my bike ready?') };
    await platform.must('POST', ofPerson, { token: person.token, body: sent });
    await portalAt(page, `/portal/services/${service.id}/customers/${connectionId}`, company);
    await openServiceKey(page, words);
    await page.getByRole('log').getByText('Is my bike ready?').waitFor();
    return {
      /** What the customer reads, newest first. */
      thread: async () => {
        const { items } = await platform.must('GET', ofPerson, { token: person.token });
        return items as { body: string; read_at: string | null }[];
      },
    };
  };

  test('staff reads what a customer wrote, and answers sealed; what was begun stays meanwhile', async (visit) => {
    const page = await visit();
    const acknowledged = page.waitForResponse(/\/messages\/read$/);
    const { thread } = await asked(page);
    assert.equal((await acknowledged).status(), 200);
    const writing = page.getByRole('textbox', { name: 'Your message to Ada Berg' });
    await writing.fill('Yes, come at five.');
    await page.getByRole('link', { name: 'All customers' }).click();
    await page.getByRole('link', { name: 'Ada Berg' }).click();
    await writing.waitFor();
    await holds(writing, 'Yes, come at five.');
    await checkPage(page);
    const posted = page.waitForRequest(
      (request) => request.method() === 'POST' && /\/messages$/.test(request.url()),
    );
    await page.getByRole('button', { name: 'Send to Ada Berg' }).click();
    assert.ok(!(await posted).postData()?.includes('come at five'), 'nothing readable leaves the browser');
    const log = page.getByRole('log', { name: 'Messages with Ada Berg' });
    await log.getByText('Yes, come at five.').waitFor();
    await log.getByText('· sent').waitFor();
    await holds(writing, '');
    const [answer, question] = await thread();
    assert.equal(await openSealed(answer?.body ?? ''), 'Yes, come at five.');
    assert.notEqual(question?.read_at, null);
    await page.reload();
    await openServiceKey(page);
    // The copy for the key of the service.
    await log.getByText('Yes, come at five.').waitFor();
    await checkPage(page);
    await picture(page, 'portal-customer-messages');
  });

  test('messages on a phone in German', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await asked(page, {
      choose: 'Schlüsseldatei wählen',
      passphrase: 'Passphrase des Schlüssels',
      open: 'Öffnen',
    });
    await page.getByRole('textbox', { name: 'Ihre Nachricht an Ada Berg' }).fill('Ja, um fünf.');
    await checkPage(page);
    await page.getByRole('button', { name: 'An Ada Berg senden' }).click();
    await page.getByRole('log').getByText('Ja, um fünf.').waitFor();
    await checkPage(page);
  });

  test('on a phone in German', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, '/portal/customers', await stand());
    await page.getByRole('link', { name: 'Ada Berg' }).waitFor();
    await page.getByRole('button', { name: 'Diese Ansicht merken' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Alle');
    await checkPage(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Diese Ansicht merken' }).click();
    await page.getByRole('link', { name: 'Alle', exact: true }).waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'Ada Berg' }).click();
    await page.getByText('Versiegelt', { exact: true }).waitFor();
    await checkPage(page);
  });
});
