import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { bytesOf, checkPage } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';

describe('the log of a service in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());

  const write = (company: { id: string }, service: { id: string }, n: number) => {
    const { database, logs } = world().platform.context;
    return database.write((writer) =>
      logs.write(writer, {
        companyId: company.id,
        serviceId: service.id,
        type: 'purge',
        message: `Purge ${n}`,
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

  test('is read page by page, each by its address, and saved as a file', async (visit) => {
    const { company, address } = await shop('Harbour Bikes', 70);
    const page = await visit();
    await portalAt(page, address, company);
    const table = page.getByRole('table');
    await table.getByText('Purge 70', { exact: true }).waitFor();
    await table.getByText('purged events: 70 · slugs: email, name').waitFor();
    assert.equal(await table.getByRole('row').count(), 51);
    await checkPage(page);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save this page as CSV' }).click();
    const text = (await bytesOf(await saving)).toString();
    const [head, first, ...others] = text.trimEnd().split('\r\n');
    assert.equal(head, '\ufeffid,created_at,type,message,metadata');
    assert.match(first ?? '', /,purge,Purge 70,"purged events: 70 · slugs: email, name"$/);
    assert.equal(others.length, 49);

    await page.getByRole('button', { name: 'Older' }).click();
    await table.getByText('Purge 20', { exact: true }).waitFor();
    assert.equal(new URL(page.url()).search, '?page=1');
    await page.reload();
    await table.getByText('Purge 1', { exact: true }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Newer' }).click();
    await table.getByText('Purge 70', { exact: true }).waitFor();
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
