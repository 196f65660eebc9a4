import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { factsOf } from '@symbolon/testkit/pdf/facts';
import { plainPdf } from '@symbolon/testkit/pdf/samples';

describe('the page that verifies', { skip }, () => {
  const { world, test } = browserTests();
  const pdf = plainPdf({ pages: 2 });
  const sealed = async () => {
    const { bytes } = await world().platform.context.seals.seal(pdf, factsOf(pdf, { sealedAt: Date.now() }));
    return Buffer.from(bytes);
  };

  test('tells what was signed, by whom and that it is unchanged, and sends the file nowhere', async (visit) => {
    const page = await visit();
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
  });

  test('says so when another platform sealed, with a certificate under the same root', async (visit) => {
    const page = await visit();
    const file = await sealed();
    const published = await world().platform.must('GET', '/api/seal/certificates');
    // As if the platform sealed with another certificate of that authority.
    const certificates = published.certificates.map((each: object) => ({
      ...each,
      name: 'Acme',
      sha256: '00',
    }));
    await page.route('**/api/seal/certificates', (route) =>
      route.fulfill({ json: { ...published, certificates } }),
    );
    await page.goto('/verify');
    const chosen = { name: 'contract.pdf', mimeType: 'application/pdf', buffer: file };
    await page.locator('input[type=file]').setInputFiles(chosen);
    await page.getByText('Sealed by somebody else').waitFor();
    assert.equal(
      await page.getByText('Ada Lovelace').count(),
      0,
      'what it says is not shown as this platform’s word',
    );
    await page.unroute('**/api/seal/certificates');
    await page.locator('input[type=file]').setInputFiles(chosen);
    await page.getByText('Sealed by this platform').waitFor();
  });

  test('speaks German, on a phone in the dark', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await page.goto('/verify');
    const buffer = await sealed();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'Vertrag.pdf', mimeType: 'application/pdf', buffer });
    await page.getByText('Besiegelt und seither unverändert').waitFor();
    await checkPage(page);
  });
});
