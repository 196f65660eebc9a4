import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { Keyboard } from '@symbolon/testkit/browser/keyboard';
import { bytesOf, checkPage, picture } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';

const ROWS = [{ slug: 'email', label: 'E-mail', type: 'email' }];

describe('the events of a service in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());

  async function shop(name: string) {
    const { platform } = world();
    const company = await registerCompany(platform, name);
    const service = await createService(platform, company, ROWS);
    const customer = await insertCustomer(platform, service);
    return {
      company,
      customer,
      address: `/portal/services/${service.id}/events`,
      change: () => raise(platform, service, customer, 'field_updated', { slug: 'email' }),
      message: () => raise(platform, service, customer, 'message_received'),
    };
  }

  test('are seen as they happen, and found by their name and their customer', async (visit) => {
    const { company, customer, address, change, message } = await shop('Harbour Events');
    const page = await visit();
    await portalAt(page, address, company);
    await page.getByText('Nothing yet').waitFor();
    await page.getByText('no event waits in the change feed').waitFor();
    await page.getByText('No data client yet').waitFor();
    await checkPage(page);
    await change();
    const table = page.getByRole('region', { name: 'Events' });
    await table.getByRole('button', { name: 'field_updated' }).waitFor();
    await message();
    await table.getByRole('button', { name: 'message_received' }).waitFor();
    await page.getByText('2 events wait in the change feed').waitFor();
    await checkPage(page);
    await picture(page, 'portal-events');

    await page.getByLabel('Event', { exact: true }).selectOption('field_updated');
    await table.getByRole('button', { name: 'message_received' }).waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '?event=field_updated');
    await page.getByLabel('Share code of a customer').fill('nobody');
    await page.getByText('No such event').waitFor();
    await page.getByLabel('Share code of a customer').fill(customer.person.share_code.toLowerCase());
    await table.getByRole('button', { name: 'field_updated' }).waitFor();
    await checkPage(page);

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save what is shown as CSV' }).click();
    const [head, first] = (await bytesOf(await saving)).toString().split('\r\n');
    assert.equal(head, '\ufeffid,at,event,customer_type,share_code,person_user_id,slug');
    assert.match(first ?? '', new RegExp(`,field_updated,person,${customer.person.share_code},.*,email$`));
  });

  test('open as a whole by the keyboard, and lead to their customer', async (visit) => {
    const { company, customer, address, change } = await shop('Harbour Keyboard');
    const page = await visit();
    await portalAt(page, address, company);
    await page.getByText('Nothing yet').waitFor();
    await change();
    const keyboard = new Keyboard(page);
    await page.getByRole('button', { name: 'field_updated' }).waitFor();
    await keyboard.to(page.getByRole('button', { name: 'field_updated' }));
    await keyboard.keys('Enter');
    const event = page.getByRole('dialog', { name: 'field_updated' });
    await event.getByText('email', { exact: true }).waitFor();
    await checkPage(page);
    await keyboard.to(event.getByRole('link', { name: customer.person.share_code }));
    await keyboard.keys('Enter');
    await page.waitForURL(`**/customers/${customer.connectionId}`);
  });

  test('on a phone in German, in the dark', async (visit) => {
    const { company, address, change } = await shop('Hafenräder');
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, address, company);
    await page.getByRole('heading', { name: 'Ereignisse', level: 1 }).waitFor();
    await page.getByText('Noch nichts').waitFor();
    await change();
    await page.getByRole('button', { name: 'field_updated' }).waitFor();
    await checkPage(page);
  });
});
