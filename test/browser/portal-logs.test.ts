import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { inOrder, walkDown } from '@symbolon/testkit/browser/endless-table';
import { Keyboard } from '@symbolon/testkit/browser/keyboard';
import { bytesOf, checkPage, picture } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';

describe('the log of a service in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());

  const write = (
    company: { id: string },
    service: { id: string },
    n: number,
    type: 'purge' | 'webhook' = 'purge',
  ) => {
    const { database, logs } = world().platform.context;
    return database.write((writer) =>
      logs.write(writer, {
        companyId: company.id,
        serviceId: service.id,
        type,
        message: `${type === 'purge' ? 'Purge' : 'Webhook'} ${n}`,
        metadata: { purged_events: n, slugs: ['email', 'name'] },
      }),
    );
  };

  async function shop(name: string, entries: number) {
    const { platform } = world();
    const company = await registerCompany(platform, name);
    const service = await createService(platform, company);
    for (let n = 1; n <= entries; n += 1) await write(company, service, n);
    return { company, service, address: `/portal/services/${service.id}/logs` };
  }

  test('follows what is new, while it is asked to', async (visit) => {
    const { company, service, address } = await shop('Harbour Live', 2);
    const page = await visit();
    await portalAt(page, address, company);
    await page.getByText('Purge 2', { exact: true }).waitFor();
    await page.getByText('Follow what is new').click();
    await page.waitForURL(/live=yes/);
    await checkPage(page);
    await write(company, service, 3);
    await page.getByText('Purge 3', { exact: true }).waitFor();
  });

  test('shows one type alone, which stands in the address, and says when there is nothing of it', async (visit) => {
    const { company, service, address } = await shop('Harbour Types', 2);
    await write(company, service, 3, 'webhook');
    const page = await visit();
    await portalAt(page, `${address}?type=purge&live=yes`, company);
    const table = page.getByRole('region', { name: 'Logs' });
    await table.getByRole('button', { name: 'Purge 2', exact: true }).waitFor();
    assert.equal(await table.getByRole('button', { name: 'Webhook 3' }).count(), 0);
    await page.getByLabel('Type', { exact: true }).selectOption('Mail');
    await page.getByText('Nothing of this type').waitFor();
    await page.waitForURL(/type=email/);
    assert.match(page.url(), /live=yes/);
    await checkPage(page);
    await page.getByLabel('Type', { exact: true }).selectOption('All types');
    await table.getByRole('button', { name: 'Webhook 3', exact: true }).waitFor();
    await table.getByRole('button', { name: 'Purge 1', exact: true }).waitFor();
  });

  test('is one table that goes on as it is scrolled, each entry once while others arrive', async (visit) => {
    const { company, service, address } = await shop('Harbour Bikes', 170);
    const page = await visit();
    await portalAt(page, address, company);
    const table = page.getByRole('region', { name: 'Logs' });
    await page.getByText('The latest 50, and there are more').waitFor();
    await table.getByText('purged events: 170 · slugs: email, name').waitFor();
    await checkPage(page);
    for (let n = 171; n <= 180; n += 1) await write(company, service, n);
    const purges = (from: number) => Array.from({ length: from }, (_, n) => `Purge ${from - n}`);
    const { rows, drawnMost } = await table.evaluate(walkDown);
    assert.deepEqual(inOrder(rows).slice(0, 170), purges(170));
    assert.ok(drawnMost <= 100, `${drawnMost} rows were drawn`);
    await checkPage(page);

    // What is new comes above it, and the address says that it is followed.
    await table.evaluate((box) => {
      box.scrollTop = 0;
    });
    await page.getByText('Follow what is new').click();
    await table.getByRole('button', { name: 'Purge 180', exact: true }).waitFor();
    assert.equal(new URL(page.url()).search, '?live=yes');
    assert.deepEqual(inOrder((await table.evaluate(walkDown)).rows).slice(0, 180), purges(180));

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save what is shown as CSV' }).click();
    const text = (await bytesOf(await saving)).toString();
    const [head, first, ...others] = text.trimEnd().split('\r\n');
    assert.equal(head, '\ufeffid,created_at,type,message,metadata');
    assert.match(first ?? '', /,purge,Purge 180,"purged events: 180 · slugs: email, name"$/);
    assert.ok(others.length >= 179);
  });

  test('opens an entry as a whole, by the keyboard too; so does the audit log', async (visit) => {
    const { company, address } = await shop('Harbour Keys', 3);
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, address, company);
    await keyboard.to(page.getByRole('button', { name: 'Purge 3', exact: true }));
    await keyboard.keys('ArrowDown');
    await keyboard.isIn(page.getByRole('button', { name: 'Purge 2', exact: true }));
    await keyboard.keys('Enter');
    const entry = page.getByRole('dialog', { name: 'Purge 2' });
    await entry.getByText('purged events: 2 · slugs: email, name').waitFor();
    await checkPage(page);
    await keyboard.keys('Escape');
    await entry.waitFor({ state: 'detached' });
    await keyboard.isIn(page.getByRole('button', { name: 'Purge 2', exact: true }));

    await page.getByRole('link', { name: 'Audit log' }).click();
    const log = page.getByRole('region', { name: 'Audit log' });
    await log.getByRole('button', { name: 'Registered the company' }).click();
    await page.getByRole('dialog', { name: 'Registered the company' }).getByText(company.email).waitFor();
    await checkPage(page);
  });

  test('the audit log says in words what was done to what, and finds it by its thing and its day', async (visit) => {
    const { company } = await shop('Harbour Search', 1);
    const page = await visit();
    await portalAt(page, '/portal/audit', company);
    const log = page.getByRole('region', { name: 'Audit log' });
    await log.getByRole('row').filter({ hasText: 'Changed a service' }).first().waitFor();
    await log.getByRole('button', { name: 'Registered the company' }).waitFor();
    await page.getByLabel('About').selectOption('Services');
    await log.getByRole('button', { name: 'Registered the company' }).waitFor({ state: 'detached' });
    await log.getByRole('row').filter({ hasText: 'Changed a service' }).first().waitFor();
    assert.equal(new URL(page.url()).search, '?thing=service');
    await checkPage(page);
    await picture(page, 'portal-audit');
    const entries = await log.getByRole('button').count();
    await page.getByLabel('Until').fill(new Date().toLocaleDateString('sv'));
    await page.waitForURL(/until=/);
    await log.getByRole('row').filter({ hasText: 'Changed a service' }).first().waitFor();
    assert.equal(await log.getByRole('button').count(), entries, 'today is among them');
    await page.getByLabel('Until').fill('2020-02-29');
    await page.getByText('Nothing of this kind was done until then.').waitFor();
    await page.reload();
    await page.getByText('Nothing of this kind was done until then.').waitFor();
    assert.equal(await page.getByLabel('About').inputValue(), 'service');
  });

  test('on a phone in German, in the dark', async (visit) => {
    const { company, address } = await shop('Hafenräder', 3);
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, address, company);
    await page.getByRole('heading', { name: 'Dienstprotokoll', level: 1 }).waitFor();
    await page.getByText('Purge 3', { exact: true }).waitFor();
    await checkPage(page);
  });
});
