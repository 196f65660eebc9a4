import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { buildPagesEnvelope } from '@symbolon/crypto';
import { PersonClient } from '@symbolon/sdk/person';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { bytesOf, checkPage, drawnPhoto, picture } from '@symbolon/testkit/browser/looks';
import { personAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import { temporaryFolder } from '@symbolon/testkit/folder';
import {
  startIdentityProvider,
  type TestIdentityProvider,
} from '@symbolon/testkit/servers/identity-provider';

describe('fields and files in the browser', { skip }, () => {
  let provider: TestIdentityProvider;
  const { world, test } = browserTests(async () => {
    provider = await startIdentityProvider(() => ({ now: Date.now }));
    return servePages(provider.environment);
  });
  let shop: TalkingService;
  before(async () => {
    if (skip) return;
    const rows = [
      { slug: 'phone', label: 'Your telephone', type: 'phone' },
      { slug: 'face', label: 'A photo of you', type: 'photo' },
    ];
    shop = await talkingService(world().platform, { name: 'Bike Club', service: 'Repairs', rows });
  });
  after(() => {
    provider?.stop();
    return shop?.client.close();
  });

  test('a photo is chosen, looked at, replaced and deleted, and the service that follows it gets each', async (visit) => {
    const page = await visit({ phone: true });
    await personAt(world(), page, '/me/fields', 'photo@example.org');
    await page.getByText('You keep nothing yet').waitFor();
    await checkPage(page);
    const add = async (type: string, label?: string) => {
      await page.getByRole('combobox', { name: 'What is it?' }).click();
      await page.getByRole('option', { name: type, exact: true }).click();
      if (label) await page.getByLabel('What do you call it?').fill(label);
    };
    const keep = page.getByRole('button', { name: 'Keep it' });
    await add('Photo', 'My face');
    const photo = { name: 'me.png', mimeType: 'image/png', buffer: await drawnPhoto(page) };
    const adding = page.getByRole('region', { name: 'Add to your data' });
    await adding.locator('input[capture=environment]').setInputFiles(photo);
    await adding.getByRole('img', { name: 'Preview of My face' }).waitFor();
    await checkPage(page);
    const sealed = page.waitForRequest(
      (request) => request.method() === 'PUT' && request.url().endsWith('/file'),
    );
    await keep.click();
    assert.ok(!(await sealed).postData()?.includes('data:image'));
    const card = page.getByRole('article', { name: 'My face' });
    await card.getByRole('button', { name: 'Show My face' }).click();
    const shown = card.getByRole('img', { name: 'Preview of My face' });
    await shown.waitFor();
    const width = () => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth);
    assert.equal(await width(), 800);
    await checkPage(page);
    await picture(page, 'fields');
    const downloaded = page.waitForEvent('download');
    await card.getByRole('button', { name: /^Download/ }).click();
    assert.ok((await bytesOf(await downloaded)).length > 0);

    const device = await PersonClient.login({
      baseUrl: world().url,
      email: 'photo@example.org',
      password: PASSWORD,
    });
    const [field] = await device.fields();
    assert.ok(field);
    await device.connect(shop.company.code, shop.code, { face: { field: field.id } });
    const given = async () => {
      for await (const { values } of shop.client.connections()) return values.face?.value ?? null;
      return undefined;
    };
    await card.getByRole('button', { name: 'Replace the file of My face' }).click();
    await card.locator('input[type=file]').last().setInputFiles(photo);
    await card.getByRole('img').waitFor();
    await card.getByRole('button', { name: 'Keep it' }).click();
    await card.getByRole('button', { name: 'Replace the file of My face' }).waitFor();
    const events = await shop.client.changes();
    assert.deepEqual(
      events.map(({ event }) => event),
      ['connection_created', 'field_updated'],
    );
    assert.ok(await given());

    await card.getByRole('button', { name: 'Delete My face' }).click();
    await card.getByText('gone for good').waitFor();
    await checkPage(page);
    await card.getByRole('button', { name: 'Delete My face' }).click();
    await page.getByText('You keep nothing yet').waitFor();
    assert.equal(await given(), null);
  });

  test('a passport has pages and a number; mistakes are said before anything is sent', async (visit) => {
    const page = await visit({ colorScheme: 'dark' });
    await personAt(world(), page, '/me/fields', 'passport@example.org');
    const buffer = await drawnPhoto(page);
    await page.getByRole('combobox', { name: 'What is it?' }).click();
    await page.getByRole('option', { name: 'Passport', exact: true }).click();
    const keep = page.getByRole('button', { name: 'Keep it' });
    assert.ok(await keep.isDisabled());
    const place = (name: string) => page.getByRole('group', { name }).locator('input[type=file]');
    const half = Buffer.alloc(8 * 2 ** 20, 1);
    await place('Front').setInputFiles({ name: 'front.png', mimeType: 'image/png', buffer });
    await place('Back').setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: half });
    await page.getByText('a.pdf').waitFor();
    // A large file takes long to read: what is typed meanwhile stays, and nothing is sent without it.
    await page.evaluate(() => {
      const { arrayBuffer } = File.prototype;
      const read = Promise.withResolvers<void>();
      File.prototype.arrayBuffer = async function () {
        await read.promise;
        return arrayBuffer.call(this);
      };
      addEventListener('read', () => read.resolve(), { once: true });
    });
    await place('Another page').setInputFiles({ name: 'b.pdf', mimeType: 'application/pdf', buffer: half });
    await page.getByLabel('Number of the document').fill('C01X0006H');
    assert.ok(await keep.isDisabled(), 'a file is being read');
    await page.evaluate(() => dispatchEvent(new Event('read')));
    await page.getByText('b.pdf').waitFor();
    await keep.click({ trial: true });
    await page.getByRole('combobox', { name: 'Issued by (country)' }).click();
    await page.getByRole('option', { name: 'Germany', exact: true }).click();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    await keep.click();
    await page.getByRole('alert').getByText('15 MiB together').waitFor();
    assert.deepEqual(sent, []);
    await page
      .getByRole('group', { name: 'Another page' })
      .getByRole('button', { name: 'Leave out' })
      .click();
    await checkPage(page);
    await picture(page, 'passport');
    await keep.click();
    const card = page.getByRole('article', { name: 'Passport' });
    await card.getByRole('button', { name: 'Show Passport' }).click();
    await card.getByRole('img', { name: 'Preview of Front' }).waitFor();
    await card.getByText('Number of the document: C01X0006H').waitFor();
    await card.getByRole('button', { name: 'Download a.pdf' }).waitFor();
    await checkPage(page);
  });

  test('a value is added and changed by the keyboard alone, in German, and what follows it is told', async (visit) => {
    const page = await visit();
    await personAt(world(), page, '/me/fields', 'value@example.org');
    await page.getByText('You keep nothing yet').waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('combobox', { name: 'Was ist es?' }).focus();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.keyboard.type('Telefon');
    await page.getByRole('option', { name: 'Telefonnummer' }).waitFor();
    await press('ArrowDown', 'Enter');
    await page.getByLabel('Wie nennen Sie es?').focus();
    await press('Tab');
    await page.keyboard.type('+49 30 901820');
    await press('Enter');
    const card = page.getByRole('article', { name: 'Telefonnummer' });
    await card.getByText('+4930901820').waitFor();
    const device = await PersonClient.login({
      baseUrl: world().url,
      email: 'value@example.org',
      password: PASSWORD,
    });
    const [field] = await device.fields();
    assert.ok(field);
    await device.connect(shop.company.code, shop.code, { phone: { field: field.id } });
    await shop.client.changes();
    await card.getByRole('button', { name: 'Telefonnummer ändern' }).focus();
    await press('Enter');
    const input = card.getByRole('textbox');
    assert.equal(await input.inputValue(), '+4930901820');
    await input.fill('+49 30 901821');
    await checkPage(page);
    await press('Enter');
    await card.getByText('+4930901821').waitFor();
    const [event] = await shop.client.changes();
    assert.ok(event);
    const change = await shop.client.openChange(event);
    assert.deepEqual(
      [change.event, change.slug, change.value?.value],
      ['field_updated', 'phone', '+4930901821'],
    );
  });

  test('an address is verified by a mailed code, a passport by the provider, and both can be taken back', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark' });
    const email = 'checked@example.org';
    await personAt(world(), page, '/me/fields', email);
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    await device.createField({ type: 'email', label: 'My address', slug: 'mine', value: email });
    const passport = await device.createField({ type: 'passport', label: 'My passport', slug: 'passport' });
    const front = { mimeType: 'image/png', bytes: new Uint8Array(await drawnPhoto(page)) };
    const pages = [{ ...front, label: 'front' as const, originalName: 'front.png' }];
    await device.files.save(passport.id, buildPagesEnvelope({ pages, entries: { issuing_country: 'DE' } }));
    await page.reload();

    const address = page.getByRole('article', { name: 'My address' });
    await address.getByRole('button', { name: 'Verify My address' }).click();
    await address.getByText('Symbolon sees the address at this moment').waitFor();
    await checkPage(page);
    await address.getByRole('button', { name: 'Mail me a code' }).click();
    await address.getByLabel('Code from the mail').fill('000000');
    await address.getByRole('button', { name: 'Confirm the code' }).click();
    await address.getByRole('alert').getByText('wrong or no longer valid').waitFor();
    await address.getByLabel('Code from the mail').fill(await mailedCode(world().platform, email));
    await checkPage(page);
    await address.getByRole('button', { name: 'Confirm the code' }).click();
    await address.getByText(/^verified/).waitFor();
    await checkPage(page);
    await address.getByRole('button', { name: 'Verification of My address' }).click();
    await address.getByRole('button', { name: 'Take the verification back' }).click();
    await address.getByRole('button', { name: 'Verify My address' }).waitFor();
    assert.equal(await address.getByText(/^verified/).count(), 0);

    const card = page.getByRole('article', { name: 'My passport' });
    const verify = card.getByRole('button', { name: 'Verify My passport' });
    await verify.click();
    await card.getByText('keeps nothing of it').waitFor();
    await checkPage(page);
    await picture(page, 'verification');
    const send = card.getByRole('button', { name: 'Have My passport verified' });
    await send.click();
    await card.getByText('It is being checked').waitFor();
    await checkPage(page);
    const answer = async (claims: object) => {
      const { check } = provider.received.at(-1) ?? assert.fail('The provider got nothing.');
      const { check_id: sub, callback_url: aud } = check;
      const result = await provider.result({ sub, aud, ...claims }, { now: Date.now });
      await world().platform.must('POST', '/api/verification/results', { body: { result } });
    };
    assert.ok(!provider.received.at(-1)?.text.includes(email));
    await answer({ outcome: 'rejected', reason: 'unreadable' });
    await page.reload();
    await verify.click();
    await card.getByText('Take a sharper photo').waitFor();
    await checkPage(page);
    await send.click();
    await card.getByText('It is being checked').waitFor();
    await answer({
      outcome: 'approved',
      jti: 'case-7',
      first_name: 'Anna',
      last_name: 'Berg',
      document_expires: '2099-01-01',
    });
    await page.reload();
    await card.getByText(/^verified/).waitFor();
  });

  test('a file of 14 MiB is sealed and opened beside the page, which stays usable', async (visit, t) => {
    const page = await visit();
    // What the thread of the page itself reads and makes: a file is megabytes of JSON in base64.
    await page.addInitScript(() => {
      const seen = { longest: 0, tasks: [] as number[], progress: [] as (string | null)[] };
      Object.assign(globalThis, { seen });
      const { parse, stringify } = JSON;
      JSON.parse = (text, ...more) => {
        seen.longest = Math.max(seen.longest, text.length);
        return parse(text, ...more);
      };
      JSON.stringify = ((...given: Parameters<typeof stringify>) => {
        const text = stringify(...given);
        seen.longest = Math.max(seen.longest, text?.length ?? 0);
        return text;
      }) as typeof JSON.stringify;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.tasks.push(Math.round(duration));
      }).observe({ type: 'longtask', buffered: true });
      new MutationObserver(() => {
        const shown = document.querySelectorAll('[role=progressbar]');
        seen.progress.push(...[...shown].map((bar) => bar.getAttribute('aria-label')));
      }).observe(document, { childList: true, subtree: true });
    });
    // It may be gone again by the time that somebody looks.
    const hasShown = (progress: string) =>
      page.waitForFunction(
        (name) => (globalThis as unknown as { seen: { progress: string[] } }).seen.progress.includes(name),
        progress,
      );
    await personAt(world(), page, '/me/fields', 'large@example.org');
    await page.getByText('You keep nothing yet').waitFor();
    await page.getByRole('combobox', { name: 'What is it?' }).click();
    await page.getByRole('option', { name: 'PDF document', exact: true }).click();
    const bytes = Buffer.alloc(14 * 2 ** 20, 'a page of a scan ');
    bytes.write('%PDF-1.7');
    // A path, because the driver unpacks bytes on the page's own thread.
    const { path: folder } = temporaryFolder(t);
    await writeFile(join(folder, 'scan.pdf'), bytes);
    await page.locator('input[type=file]').last().setInputFiles(join(folder, 'scan.pdf'));
    await page.getByText('scan.pdf').waitFor();
    const card = page.getByRole('article', { name: 'PDF document' });
    // The language is changed while the file is on its way.
    await page.getByRole('button', { name: 'Keep it' }).click();
    await hasShown('Sealing and sending');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('heading', { name: 'Meine Daten' }).waitFor();
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
    await card.getByRole('button', { name: 'Show PDF document' }).click();
    await hasShown('Fetching and opening');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('heading', { name: 'Meine Daten' }).waitFor();
    const download = page.waitForEvent('download');
    await card.getByRole('button', { name: 'scan.pdf herunterladen' }).click();
    const own = await bytesOf(await download);
    assert.ok(own.equals(bytes), 'the same bytes come back');
    const { longest, tasks } = await page.evaluate(
      () => (globalThis as unknown as { seen: { longest: number; tasks: number[] } }).seen,
    );
    t.diagnostic(`longest task of the page: ${Math.max(0, ...tasks)} ms, of ${tasks.length} above 50 ms`);
    assert.ok(longest < 2 ** 20, `the page itself handled a text of ${longest} characters`);
  });
});
