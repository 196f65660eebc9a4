import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { factsOf } from '@symbolon/testkit/pdf/facts';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { browserWorld, checkPage, picture, skip } from './support/browser.ts';

describe('the page that verifies', { skip }, () => {
  const world = browserWorld();
  const pdf = plainPdf({ pages: 2 });
  const sealed = async () => {
    const { bytes } = await world().platform.context.seals.seal(pdf, factsOf(pdf, { sealedAt: Date.now() }));
    return Buffer.from(bytes);
  };

  test('tells what was signed, by whom and that it is unchanged, and sends the file nowhere', async () => {
    const visitor = await world().visitor();
    const page = await visitor.newPage();
    const sent: string[] = [];
    await page.goto('/verify');
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await checkPage(page);
    const file = await sealed();
    const choose = async (name: string, buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer });

    await choose('contract.pdf', file);
    await page.getByText('Sealed, and unchanged since').waitFor();
    await page.getByRole('heading', { name: 'Rental contract 12' }).waitFor();
    await page.getByText('Ada Lovelace').waitFor();
    await page.getByText('for Acme GmbH').waitFor();
    await checkPage(page);
    await picture(page, 'verify');

    const changed = Buffer.from(file);
    changed[40]! ^= 1;
    await choose('changed.pdf', changed);
    await page.getByText('changed.pdf is not what was signed').waitFor();
    assert.equal(await page.getByText('Ada Lovelace').count(), 0);
    await choose('longer.pdf', Buffer.concat([file, Buffer.from('\n')]));
    await page.getByText('Something was added').first().waitFor();
    await choose('original.pdf', pdf);
    await page.getByText('Not sealed').waitFor();
    await checkPage(page);

    // Files of the page itself aside, nothing but the certificates is asked for, and nothing is sent.
    const calls = sent.filter((call) => !/^GET \/(assets\/|icon)/.test(call));
    assert.deepEqual([...new Set(calls)], ['GET /api/seal/certificates']);
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });

  test('speaks German, on a phone in the dark', async () => {
    const visitor = await world().visitor({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    const page = await visitor.newPage();
    await page.goto('/verify');
    const buffer = await sealed();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'Vertrag.pdf', mimeType: 'application/pdf', buffer });
    await page.getByText('Besiegelt und seither unverändert').waitFor();
    await checkPage(page);
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });
});
