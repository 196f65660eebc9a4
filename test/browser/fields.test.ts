import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { buildPagesEnvelope } from '@symbolon/crypto';
import { PersonClient } from '@symbolon/sdk/person';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { bytesOf, checkPage, drawnPhoto, picture, widthOf } from '@symbolon/testkit/browser/looks';
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
      await page.getByRole('button', { name: 'Add to your data' }).click();
      await page.getByRole('dialog').getByRole('button', { name: type, exact: true }).click();
      if (label) await page.getByLabel('What do you call it?').fill(label);
    };
    const keep = page.getByRole('button', { name: 'Keep it' });
    await add('Photo', 'My face');
    const photo = { name: 'me.png', mimeType: 'image/png', buffer: await drawnPhoto(page) };
    const adding = page.getByRole('dialog');
    await adding.locator('input[capture=environment]').setInputFiles(photo);
    await adding.getByRole('img', { name: 'Preview of My face' }).waitFor();
    await checkPage(page);
    const sealed = page.waitForRequest(
      (request) => request.method() === 'PUT' && request.url().endsWith('/file'),
    );
    await keep.click();
    assert.ok(!(await sealed).postData()?.includes('data:image'));
    await page.getByRole('button', { name: /^My face/ }).click();
    const card = page.getByRole('dialog', { name: 'My face' });
    await card.getByRole('button', { name: 'Show My face' }).click();
    const shown = card.getByRole('img', { name: 'Preview of My face' });
    await shown.waitFor();
    assert.equal(await widthOf(shown), 800);
    await checkPage(page);
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
    await card.getByRole('img', { name: 'Preview of My face' }).waitFor();
    await card.getByRole('button', { name: 'Keep it' }).click();
    await card.getByRole('button', { name: 'Replace the file of My face' }).waitFor();
    const events = await shop.client.changes();
    assert.deepEqual(
      events.map(({ event }) => event),
      ['connection_created', 'field_updated'],
    );
    assert.ok(await given());

    // It stands beside the person's name; from there one goes back to it.
    await page.goto('/me/account');
    const own = page.getByRole('main').locator('img[src^="data:image/jpeg"]');
    await own.waitFor();
    assert.ok((await widthOf(own)) < 800, 'the small one');
    await checkPage(page);
    await page.getByRole('link', { name: /^Photo Only you see it here/ }).click();

    await card.getByRole('button', { name: 'Delete My face' }).click();
    await card.getByText('gone for good').waitFor();
    await checkPage(page);
    await card.getByRole('button', { name: 'Delete My face' }).click();
    await page.getByText('You keep nothing yet').waitFor();
    assert.equal(await given(), null);
    await page.goto('/me/account');
    await page.getByRole('link', { name: /^Photo Add one/ }).click();
    await adding.locator('input[capture=environment]').waitFor({ state: 'attached' });
  });

  test('files that another app shares to the installed app are kept one after the other', async (visit) => {
    const page = await visit({ phone: true });
    await personAt(world(), page, '/me/fields', 'shared@example.org');
    await page.getByText('You keep nothing yet').waitFor();
    const photo = (await drawnPhoto(page)).toString('base64');
    // As the device does when a file is shared: a call that the service worker takes.
    const led = await page.evaluate(async (png) => {
      await navigator.serviceWorker.register('/service-worker.js');
      await navigator.serviceWorker.ready;
      if (navigator.serviceWorker.controller === null)
        await new Promise((resolve) => {
          navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
        });
      const bytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const form = new FormData();
      form.append('file', new File([bytes(png)], 'At the sea.png', { type: 'image/png' }));
      form.append('file', new File(['%PDF-1.7 a lease'], 'lease.pdf', { type: 'application/pdf' }));
      return (await fetch('/me/shared', { method: 'POST', body: form })).url;
    }, photo);
    assert.match(led, /\/me\/fields(#shared)?$/);
    await page.evaluate(() => {
      location.hash = 'shared';
    });
    await page.reload();
    const sheet = page.getByRole('dialog', { name: 'Photo' });
    await sheet.getByRole('img', { name: 'Preview of At the sea' }).waitFor();
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Keep it' }).click();
    const paper = page.getByRole('dialog', { name: 'PDF document' });
    await paper.getByText('lease.pdf').waitFor();
    await paper.getByRole('button', { name: 'Keep it' }).click();
    await paper.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^At the sea/ }).waitFor();
    await page.getByRole('button', { name: /^lease,/ }).waitFor();
    // They are given once.
    await page.reload();
    await page.getByText('Share it once more').waitFor();
    await checkPage(page);
  });

  test('a passport has pages and a number; mistakes are said before anything is sent', async (visit) => {
    const page = await visit({ colorScheme: 'dark' });
    await personAt(world(), page, '/me/fields', 'passport@example.org');
    const buffer = await drawnPhoto(page);
    await page.getByRole('button', { name: 'Add to your data' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Passport', exact: true }).click();
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
    await page.getByRole('button', { name: /^Passport,/ }).click();
    const card = page.getByRole('dialog', { name: 'Passport' });
    await card.getByRole('button', { name: 'Show Passport' }).click();
    await card.getByRole('img', { name: 'Preview of Front' }).waitFor();
    await card.getByText('Number of the document: C01X0006H').waitFor();
    await card.getByRole('button', { name: 'Download a.pdf' }).waitFor();
    await checkPage(page);
  });

  test('a value is added and changed by the keyboard alone, in German, and its subscribers are shown', async (visit) => {
    const page = await visit({ locale: 'de-DE' });
    await personAt(world(), page, '/me/fields', 'value@example.org');
    await page.getByText('Sie haben noch nichts hinterlegt').waitFor();
    await page.getByRole('button', { name: 'Zu Ihren Daten hinzufügen' }).focus();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Enter');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Telefonnummer/ })
      .focus();
    await press('Enter');
    await page.getByLabel('Wie nennen Sie es?').focus();
    await press('Tab');
    await page.keyboard.type('+49 30 901820');
    await press('Enter');
    const row = page.getByRole('button', { name: /Telefonnummer · / });
    await row.getByText('+49 30 901820').waitFor();
    const device = await PersonClient.login({
      baseUrl: world().url,
      email: 'value@example.org',
      password: PASSWORD,
    });
    const [field] = await device.fields();
    assert.ok(field);
    await device.connect(shop.company.code, shop.code, { phone: { field: field.id } });
    await shop.client.changes();
    await row.focus();
    await press('Enter');
    const card = page.getByRole('dialog', { name: 'Telefonnummer' });
    await card.getByRole('button', { name: 'Telefonnummer ändern' }).focus();
    await press('Enter');
    const input = card.getByRole('textbox');
    assert.equal(await input.inputValue(), '+4930901820');
    await input.fill('+49 30 901821');
    await checkPage(page);
    await press('Enter');
    await card.getByText('+49 30 901821').waitFor();
    const [event] = await shop.client.changes();
    assert.ok(event);
    const change = await shop.client.openChange(event);
    assert.deepEqual(
      [change.event, change.slug, change.value?.value],
      ['field_updated', 'phone', '+4930901821'],
    );
  });

  test('numbers, days and addresses are typed as at home, and what was changed or deleted comes back', async (visit) => {
    const page = await visit({ phone: true, locale: 'de-DE' });
    const email = 'at-home@example.org';
    await personAt(world(), page, '/me/fields', email);
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    const sheet = page.getByRole('dialog');
    const keep = sheet.getByRole('button', { name: 'Behalten' });
    const add = async (type: string) => {
      await page.getByRole('button', { name: 'Zu Ihren Daten hinzufügen' }).click();
      await sheet.getByRole('button', { name: new RegExp(`^${type}`) }).click();
    };
    await add('Telefonnummer');
    await sheet.getByRole('combobox', { name: 'Land der Nummer' }).waitFor();
    await sheet.getByLabel('Telefonnummer: Ihre Antwort').fill('030 / 90 18 20');
    await sheet.getByText('Wird als +49 30 901820 behalten').waitFor();
    await checkPage(page);
    await keep.click();
    const phone = page.getByRole('button', { name: /Telefonnummer · / });
    await phone.getByText('+49 30 901820').waitFor();

    await add('Adresse');
    const names = () => sheet.locator('fieldset label').allInnerTexts();
    const inGermany = await names();
    assert.deepEqual(
      inGermany.map((name) => name.replace(/[^A-Za-z]/g, '')),
      ['Land', 'Strae', 'Hausnummer', 'Zusatz', 'Postleitzahl', 'Ort'],
    );
    assert.equal(await sheet.getByLabel('Postleitzahl').getAttribute('inputmode'), 'numeric');
    await sheet.getByRole('combobox', { name: 'Land', exact: true }).click();
    await page.getByRole('option', { name: 'Vereinigte Staaten' }).click();
    await sheet.getByLabel('Bundesland').waitFor();
    await sheet.getByRole('combobox', { name: 'Land', exact: true }).click();
    await page.getByRole('option', { name: 'Deutschland' }).click();
    await sheet.getByLabel('Straße').fill('Unter den Linden');
    await sheet.getByLabel('Hausnummer').fill('6');
    await sheet.getByLabel('Postleitzahl').fill('10117');
    await sheet.getByLabel('Ort', { exact: true }).fill('Berlin');
    await checkPage(page);
    await keep.click();
    const address = page.getByRole('button', { name: /Adresse · / });
    await address.getByText('Unter den Linden 6, 10117 Berlin, Deutschland').waitFor();

    await add('Geburtsdatum');
    await sheet.getByLabel('Geburtsdatum: Ihre Antwort').fill('1990-05-07');
    await keep.click();
    await page
      .getByRole('button', { name: /Geburtsdatum · / })
      .getByText('7. Mai 1990')
      .waitFor();

    await phone.click();
    await sheet.getByRole('button', { name: 'Telefonnummer ändern' }).click();
    await sheet.getByRole('textbox').fill('030 901821');
    await sheet.getByRole('button', { name: 'Behalten' }).click();
    const done = page.getByRole('region', { name: 'Was eben geschah' });
    await done.getByText('Telefonnummer ist geändert').waitFor();
    await checkPage(page);
    await page.keyboard.press('Escape');
    await phone.getByText('+49 30 901821').waitFor();
    await done.getByRole('button', { name: 'Rückgängig' }).click();
    await phone.getByText('+49 30 901820').waitFor();
    await done.getByText('Telefonnummer ist geändert').waitFor({ state: 'detached' });

    await phone.click();
    await sheet.getByRole('switch', { name: 'Privat' }).check();
    await sheet.getByRole('button', { name: 'Telefonnummer löschen' }).click();
    await sheet.waitFor({ state: 'detached' });
    await phone.waitFor({ state: 'detached' });
    assert.equal((await device.fields()).length, 2);
    await done.getByRole('button', { name: 'Rückgängig' }).click();
    await phone.getByText('+49 30 901820').waitFor();
    const [again] = (await device.fields()).filter(({ type }) => type === 'phone');
    assert.deepEqual([again?.text, again?.private], ['+4930901820', true]);
    await checkPage(page);

    await add('Zahl');
    const number = sheet.getByLabel('Zahl: Ihre Antwort');
    await number.fill('zwölf');
    await keep.click();
    await sheet.getByRole('alert').getByText('zum Beispiel so: 12,5').waitFor();
    await checkPage(page);
    await number.fill('12,75');
    assert.equal(await number.inputValue(), '12,75');
    await keep.click();
    await page
      .getByRole('button', { name: /Zahl · / })
      .getByText('12,75')
      .waitFor();
    const [kept] = (await device.fields()).filter(({ type }) => type === 'number');
    assert.equal(kept?.text, '12.75');

    await add('Geschlecht');
    await sheet.getByRole('combobox').click();
    await page.getByRole('option', { name: 'Weiblich' }).click();
    await keep.click();
    await page
      .getByRole('button', { name: /Geschlecht · / })
      .getByText('Weiblich')
      .waitFor();

    await add('Bankkonto');
    const account = sheet.getByLabel('Kontonummer oder IBAN');
    await account.fill('IBAN MT84 MALT 0110 0001 2345 MTLC AST0 01S');
    assert.equal(await account.inputValue(), 'IBAN MT84 MALT 0110 0001 2345 MTLC AST0 01S');
    await keep.click();
    await sheet.waitFor({ state: 'detached' });
    const [bank] = (await device.fields()).filter(({ type }) => type === 'bank');
    assert.equal(JSON.parse(bank?.text ?? '').account_number, 'MT84MALT011000012345MTLCAST001S');

    // Who looks over the shoulder sees the end of an account alone, until it is asked for.
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: /Bankkonto · / }).click();
    await sheet.getByRole('definition').getByText('•••• 001S').waitFor();
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Bankkonto zeigen' }).click();
    await sheet.getByText('MT84MALT011000012345MTLCAST001S').waitFor();
    await sheet.getByRole('button', { name: 'Bankkonto verbergen' }).click();
    await sheet.getByRole('button', { name: 'Kopieren: Kontonummer oder IBAN' }).click();
    assert.equal(await copied(), 'MT84MALT011000012345MTLCAST001S');
    await sheet.getByRole('button', { name: 'Wert kopieren' }).click();
    assert.equal(await copied(), 'Kontonummer oder IBAN: MT84MALT011000012345MTLCAST001S');
    await page.keyboard.press('Escape');
    await address.click();
    await sheet.getByRole('button', { name: 'Wert kopieren' }).click();
    assert.equal(await copied(), 'Unter den Linden 6, 10117 Berlin, Deutschland');
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

    await page.getByRole('button', { name: /My address/ }).click();
    const address = page.getByRole('dialog', { name: 'My address' });
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

    await page.keyboard.press('Escape');
    await address.waitFor({ state: 'detached' });
    const row = page.getByRole('button', { name: /^My passport/ });
    const card = page.getByRole('dialog', { name: 'My passport' });
    const verify = card.getByRole('button', { name: 'Verify My passport' });
    await row.click();
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
    // What is open is in the address.
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
    await row.getByText('verified').waitFor();
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
    // It may be gone again by the time that it is looked for.
    const hasShown = (progress: string) =>
      page.waitForFunction(
        (name) => (globalThis as unknown as { seen: { progress: string[] } }).seen.progress.includes(name),
        progress,
      );
    await personAt(world(), page, '/me/fields', 'large@example.org');
    await page.getByText('You keep nothing yet').waitFor();
    await page.getByRole('button', { name: 'Add to your data' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'PDF document', exact: true }).click();
    const bytes = Buffer.alloc(14 * 2 ** 20, 'a page of a scan ');
    bytes.write('%PDF-1.7');
    // A path, because the driver unpacks bytes on the page's own thread.
    const { path: folder } = temporaryFolder(t);
    await writeFile(join(folder, 'scan.pdf'), bytes);
    await page.locator('input[type=file]').last().setInputFiles(join(folder, 'scan.pdf'));
    await page.getByText('scan.pdf').waitFor();
    const card = page.getByRole('dialog', { name: 'PDF document' });
    const isAnswering = () => page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    await page.getByRole('button', { name: 'Keep it' }).click();
    await hasShown('Sealing and sending');
    await isAnswering();
    await page.getByRole('button', { name: /^PDF document, / }).click();
    await card.getByRole('button', { name: 'Show PDF document' }).click();
    await hasShown('Fetching and opening');
    await isAnswering();
    const download = page.waitForEvent('download');
    await card.getByRole('button', { name: 'Download scan.pdf' }).click();
    const own = await bytesOf(await download);
    assert.ok(own.equals(bytes), 'the same bytes come back');
    const { longest, tasks } = await page.evaluate(
      () => (globalThis as unknown as { seen: { longest: number; tasks: number[] } }).seen,
    );
    t.diagnostic(`longest task of the page: ${Math.max(0, ...tasks)} ms, of ${tasks.length} above 50 ms`);
    assert.ok(longest < 2 ** 20, `the page itself handled a text of ${longest} characters`);
  });
});
