import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import { connect } from '@symbolon/testkit/actors/actors';
import { fileOf } from '@symbolon/testkit/actors/files';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { checkPage, isDrawn, widthOf } from '@symbolon/testkit/browser/looks';
import { personAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { plainPdf } from '@symbolon/testkit/pdf/samples';

/** One pixel, red. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

describe('documents in the browser', { skip }, () => {
  const { world, test } = browserTests();
  let service: TalkingService;

  before(async () => {
    if (!skip) service = await talkingService(world().platform, { name: 'Acme Bikes', service: 'Bike Club' });
  });

  test('what a service sends appears by itself, and is read in the page', async (visit) => {
    const page = await visit();
    const person = await personAt(world(), page, '/me/documents', 'reader@example.org');
    const connectionId = await connect(world().platform, person, service);
    await page.getByText('No documents yet').waitFor();
    await checkPage(page);
    const { documents } = service.client;
    const to = { connectionId };
    await documents.create({
      name: 'House rules',
      to,
      content: fileOf('rules.pdf', 'application/pdf', plainPdf({ pages: 3 })),
    });
    await page.getByRole('link', { name: 'House rules' }).waitFor();
    const bill = {
      customer_number: 4711,
      paid: false,
      items: [
        { item: 'Bike', price: '20.00' },
        { item: 'Lock', price: '3.50' },
      ],
    };
    await documents.create({ name: 'Bill', to, content: { json: bill } });
    await documents.create({ name: 'Map', to, content: fileOf('map.png', 'image/png', PNG) });
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    await documents.create({ name: 'Prices', content: fileOf('prices.docx', docx, Buffer.from('PK')) });
    // A document for all customers raises no signal.
    await page.reload();
    await page.getByRole('link', { name: 'Prices' }).waitFor();
    await checkPage(page);

    await page.getByRole('link', { name: 'House rules' }).click();
    await page.getByRole('heading', { name: 'House rules' }).waitFor();
    const first = page.getByRole('region', { name: 'Page 1 of 3' });
    await first.getByText('page 1', { exact: false }).first().waitFor();
    await isDrawn(page, 'Page 1 of 3');
    await checkPage(page);
    await page.getByRole('button', { name: 'Larger' }).click();
    await page.getByText('150 %').waitFor();
    await checkPage(page);
    const [kept] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.equal(kept.suggestedFilename(), 'rules.pdf');

    await page.getByRole('link', { name: 'All documents' }).click();
    await page.getByRole('link', { name: 'Bill' }).click();
    await page.getByRole('row', { name: 'Lock 3.50', exact: true }).waitFor();
    await page.getByRole('row', { name: 'Paid no' }).waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'All documents' }).click();
    await page.getByRole('link', { name: 'Map' }).click();
    const shown = page.getByRole('img', { name: 'map.png' });
    await shown.waitFor();
    assert.equal(await widthOf(shown), 1);
    await page.getByRole('link', { name: 'All documents' }).click();
    await page.getByRole('link', { name: 'Prices' }).click();
    await page.getByText('This file cannot be shown here').waitFor();
    await page.getByText('to all customers').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Delete my copy' }).count(), 0);
    await checkPage(page);
  });

  test('a copy is deleted after a question, and a document that the company deletes goes by itself', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark' });
    const person = await personAt(world(), page, '/me/documents', 'deleter@example.org');
    const connectionId = await connect(world().platform, person, service);
    const { documents } = service.client;
    const content = fileOf('rules.pdf', 'application/pdf', plainPdf({ pages: 1 }));
    const { id } = await documents.create({ name: 'House rules', to: { connectionId }, content });
    const other = await documents.create({ name: 'Notice', to: { connectionId }, content });
    await page.getByRole('link', { name: 'House rules' }).click();
    await page.getByRole('region', { name: 'Page 1 of 1' }).locator('canvas').waitFor();
    await page.getByRole('button', { name: 'Delete my copy' }).click();
    await page.getByText('Delete your copy of House rules?').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Delete House rules' }).click();
    await page.getByRole('link', { name: 'Notice' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'House rules' }).count(), 0);
    assert.equal((await documents.get(id)).name, 'House rules', 'the company keeps it');
    await checkPage(page);
    await page.getByRole('link', { name: 'Notice' }).click();
    await page.getByRole('heading', { name: 'Notice' }).waitFor();
    await documents.delete(other.id);
    await page.getByRole('heading', { name: 'This document is not here' }).waitFor();
    await checkPage(page);
  });

  test('files that are damaged or hostile are refused in words, and run nothing', async (visit) => {
    const page = await visit();
    const person = await personAt(world(), page, '/me/documents', 'hostile@example.org');
    const connectionId = await connect(world().platform, person, service);
    const { documents } = service.client;
    const to = { connectionId };
    const damaged = Buffer.from('%PDF-1.7\nnothing of a PDF');
    await documents.create({
      name: 'Damaged',
      to,
      content: fileOf('damaged.pdf', 'application/pdf', damaged),
    });
    const script = Buffer.from('<html><script>window.injected = 1</script></html>');
    await documents.create({ name: 'A page', to, content: fileOf('page.png', 'image/png', script) });
    const json = { '<img src=x onerror=window.injected=1>': '<script>window.injected = 1</script>' };
    await documents.create({ name: 'Markup', to, content: { json } });
    await page.getByRole('link', { name: 'Damaged' }).click();
    await page.getByText('it is damaged or wants a password').waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'All documents' }).click();
    await page.getByRole('link', { name: 'A page' }).click();
    await page.getByText('This file cannot be shown here').waitFor();
    await page.getByRole('link', { name: 'All documents' }).click();
    await page.getByRole('link', { name: 'Markup' }).click();
    await page.getByText('<script>window.injected = 1</script>').waitFor();
    assert.equal(await page.evaluate(() => (window as { injected?: number }).injected), undefined);
  });
});
