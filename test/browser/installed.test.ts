import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { buildFileEnvelope } from '@symbolon/crypto';
import { PersonClient } from '@symbolon/sdk/person';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { fileOf, leasePdf } from '@symbolon/testkit/actors/files';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { checkPage, isDrawn, picture } from '@symbolon/testkit/browser/looks';
import { newPerson, personAt, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { eventually } from '@symbolon/testkit/platform/eventually';
import type { Page } from 'playwright-core';

/** As the installed app does at its first start: from now on its pages open without a network. */
async function install(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js');
  });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** How many answers this browser keeps, of some address or at all; each under the digest of whose it is and where it comes from. */
const kept = (page: Page, names: readonly string[] = []) =>
  page.evaluate(async (wanted) => {
    const keysOf = async (database: string, store: string) => {
      const opening = indexedDB.open(database, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(store).createIndex('at', 'at');
      await new Promise((resolve) => opening.addEventListener('success', resolve));
      const keys = opening.result.transaction(store).objectStore(store).getAllKeys();
      await new Promise((resolve) => keys.addEventListener('success', resolve));
      opening.result.close();
      return keys.result;
    };
    const all = [
      ...(await keysOf('symbolon-answers', 'answers')),
      ...(await keysOf('symbolon-files', 'files')),
    ];
    const digests = await Promise.all(
      wanted.map(async (name) => {
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name));
        return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      }),
    );
    return wanted.length === 0 ? all.length : digests.filter((digest) => all.includes(digest)).length;
  }, names);

/** Between two looks at what the browser keeps. */
const LOOKS_MS = 50;

const isKept = (page: Page, names: readonly string[]) =>
  eventually(
    'the answers are kept',
    async () => (await kept(page, names)) === names.length || undefined,
    LOOKS_MS,
  );

const offlineStrip = (page: Page) =>
  page.getByRole('region', { name: 'Notices' }).getByText(/^You are offline. You see what was here at /);

describe('the installed app in the browser', { skip }, () => {
  const { world, test } = browserTests();
  let shop: TalkingService;
  const rows = [{ slug: 'phone', label: 'Your telephone', type: 'phone' }];
  before(async () => {
    if (skip) return;
    shop = await talkingService(world().platform, { name: 'Bike Club', service: 'Repairs', rows });
  });
  after(() => shop?.client.close());

  /** The browser says that it has no network; that is no problem of the pages. */
  const onlyWithoutNetwork = () =>
    assert.deepEqual(
      world()
        .problems()
        .filter((problem) => !problem.includes('net::ERR_INTERNET_DISCONNECTED')),
      [],
    );

  /** Shows the file of a field, on the page of all fields. */
  const openLicence = async (page: Page) => {
    await page.getByRole('button', { name: /^My licence/ }).click();
    await page.getByRole('button', { name: 'Show My licence' }).click();
    await page.getByRole('button', { name: 'Download licence.pdf' }).waitFor();
  };

  /** A person with something of each kind, whose browser has shown all of it. */
  const readerAt = async (page: Page, email: string) => {
    const person = await personAt(world(), page, '/icon.svg', email);
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    const field = await device.createField({
      type: 'phone',
      label: 'Mobile',
      slug: 'mobile',
      value: '+4930901820',
    });
    const licence = await device.createField({ type: 'document', label: 'My licence', slug: 'licence' });
    const file = { bytes: leasePdf(), mimeType: 'application/pdf', originalName: 'licence.pdf' };
    await device.files.save(licence.id, buildFileEnvelope({ file }));
    const answers = { phone: { field: field.id } };
    const { connection_id: connectionId } = await device.connect(shop.company.code, shop.code, answers);
    await shop.client.messages.send(connectionId, 'Your bike is ready.');
    const { id: documentId } = await shop.client.documents.create({
      name: 'Lease of a bicycle',
      to: { connectionId },
      content: fileOf('lease.pdf', 'application/pdf', leasePdf()),
    });
    await page.goto('/me');
    await page.getByRole('region', { name: 'Lately' }).waitFor();
    await install(page);
    await page.goto(`/me/messages/${connectionId}`);
    await page.getByText('Your bike is ready.').waitFor();
    // A page that is left at once keeps nothing more.
    await isKept(page, [`${person.id} /api/person/connections/${connectionId}/messages?limit=50`]);
    await page.goto(`/me/documents/${documentId}`);
    await isDrawn(page, 'Page 1 of 1');
    await isKept(page, [`${person.id} /api/person/documents/${documentId}/file`]);
    await page.goto('/me/fields');
    await openLicence(page);
    await isKept(page, [`${person.id} /api/person/fields/${licence.id}/file`]);
    await page.goto('/me');
    await page.getByRole('region', { name: 'Lately' }).getByText('Bike Club sent a document').waitFor();
    const addresses = [
      '/api/person/session',
      '/api/contact-field-types',
      '/api/person/fields?limit=500&after=',
      '/api/person/connections',
      '/api/person/messages',
      `/api/person/connections/${connectionId}/messages?limit=50`,
      '/api/person/documents',
    ];
    const names = addresses.map((address) => `${person.id} ${address}`);
    await isKept(page, names);
    return { person, connectionId, documentId };
  };

  for (const [device, look] of [
    ['phone', { phone: true }],
    ['desk', { colorScheme: 'dark' }],
  ] as const)
    test(`without a network a person reads what was there, and what is done waits for the network (${device})`, async (visit) => {
      const page = await visit(look);
      const { connectionId, documentId } = await readerAt(page, `offline-${device}@example.org`);
      await page.context().setOffline(true);
      await page.goto('/me');
      await page.getByRole('heading', { level: 1, name: /^Good .*, Anna$/ }).waitFor();
      await offlineStrip(page).waitFor();
      await page.getByRole('region', { name: 'Lately' }).getByText('Bike Club sent a document').waitFor();
      await checkPage(page);
      await picture(page, `person-offline-${device}`);
      const places = page.getByRole('navigation', { name: 'Your pages' });
      await places.getByRole('link', { name: 'My data' }).click();
      await page.getByRole('button', { name: /30 901820 Mobile/ }).waitFor();
      await openLicence(page);
      await page.keyboard.press('Escape');
      await places.getByRole('link', { name: 'Companies' }).click();
      await page.getByRole('link', { name: /^Bike Club/ }).click();
      await page
        .getByRole('button', { name: /Your telephone/ })
        .getByText('+49 30 901820')
        .waitFor();
      await page.getByRole('link', { name: 'Messages', exact: true }).click();
      await page.getByText('Your bike is ready.').waitFor();
      // The address itself, too: the page comes from the service worker.
      await page.goto('/me/documents');
      await page.getByRole('link', { name: /Lease of a bicycle/ }).click();
      await isDrawn(page, 'Page 1 of 1');
      await checkPage(page);
      await page.goto(`/me/documents/${documentId}`);
      await isDrawn(page, 'Page 1 of 1');

      await page.goto(`/me/messages/${connectionId}`);
      const writing = page.getByRole('textbox', { name: 'Your message to Bike Club' });
      await writing.fill('I come at five.');
      await page.getByRole('button', { name: 'Send to Bike Club' }).click();
      await page.getByRole('alert').getByText('Symbolon cannot be reached').waitFor();
      assert.equal(await writing.inputValue(), 'I come at five.');
      await checkPage(page);
      await picture(page, `person-offline-message-${device}`);
      await page.context().setOffline(false);
      await offlineStrip(page).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Send to Bike Club' }).click();
      await page.getByRole('log').getByText('I come at five.').waitFor();
      onlyWithoutNetwork();
    });

  test('nothing stays in the browser of a person who signs out, and the next one sees nothing of it', async (visit) => {
    const page = await visit({ phone: true });
    await readerAt(page, 'leaves@example.org');
    const readable = await page.evaluate(async () => {
      const textsOf = async (database: string, store: string) => {
        const opening = indexedDB.open(database, 1);
        await new Promise((resolve) => opening.addEventListener('success', resolve));
        const all = opening.result.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => all.addEventListener('success', resolve));
        opening.result.close();
        return (all.result as { sealed: ArrayBuffer }[]).map(({ sealed }) =>
          new TextDecoder('latin1').decode(sealed),
        );
      };
      const answers = await textsOf('symbolon-answers', 'answers');
      const opened = await textsOf('symbolon-files', 'files');
      const urls = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname);
      return {
        opened: opened.length,
        answers: [...answers, ...opened].filter((text) => /Bike Club|display_name|"[a-z_]+":|%PDF/.test(text))
          .length,
        calls: urls.filter((path) => path !== '/me' && !path.startsWith('/assets/')),
        files: urls.length,
      };
    });
    assert.deepEqual([readable.answers, readable.opened, readable.calls], [0, 2, []]);
    assert.ok(readable.files > 50);
    await page.goto('/me/account');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out. This browser keeps nothing of you.').waitFor();
    await checkPage(page);
    assert.equal(await kept(page), 0);
    await page.context().setOffline(true);
    await page.goto('/me');
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    await checkPage(page);
    await picture(page, 'person-no-network');
    await page.context().setOffline(false);
    // It goes on by itself.
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();

    const email = 'comes@example.org';
    await newPerson(world().platform, email, 'Jonas Weil');
    await typeSignIn(page, email);
    await page.getByRole('heading', { level: 1, name: /^Good .*, Jonas$/ }).waitFor();
    await page.context().setOffline(true);
    await page.goto('/me');
    await page.getByRole('heading', { level: 1, name: /^Good .*, Jonas$/ }).waitFor();
    assert.equal(await page.getByText('Bike Club').count(), 0);
    await page.getByRole('link', { name: 'My data' }).click();
    await page.getByRole('heading', { level: 1, name: 'My data' }).waitFor();
    assert.equal(await page.getByText('901820').count(), 0);
    onlyWithoutNetwork();
  });

  test('a sign-out without a network forgets everything here, and ends the session when the platform answers', async (visit) => {
    const page = await visit({ phone: true });
    await readerAt(page, 'unheard@example.org');
    await page.context().setOffline(true);
    await page.goto('/me/account');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText(/your session ends when this browser reaches it again/).waitFor();
    await checkPage(page);
    assert.equal(await kept(page), 0);
    await page.context().setOffline(false);
    await page.goto('/me');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal((await page.request.get('/api/person/session')).status(), 401);
    onlyWithoutNetwork();
  });

  test('what is kept goes with the key that is not used for twelve hours, and with a session that has ended', async (visit) => {
    const page = await visit();
    const { person } = await readerAt(page, 'idle@example.org');
    await page.evaluate(async (id) => {
      const opening = indexedDB.open('symbolon', 1);
      await new Promise((resolve) => opening.addEventListener('success', resolve));
      const store = opening.result.transaction('keys', 'readwrite').objectStore('keys');
      const reading = store.get(id);
      await new Promise((resolve) => reading.addEventListener('success', resolve));
      const usedAt = Date.now() - 13 * 60 * 60 * 1000;
      const writing = store.put({ ...reading.result, usedAt }, id);
      await new Promise((resolve) => writing.addEventListener('success', resolve));
      opening.result.close();
    }, person.id);
    await page.context().setOffline(true);
    await page.goto('/me');
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    assert.equal(await kept(page), 0);
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: /^Good .*, Anna$/ }).waitFor();

    const other = await visit();
    await readerAt(other, 'ended@example.org');
    await other.context().clearCookies();
    const ended = other.getByText('Your session has ended. Sign in again to go on where you were.');
    // A call that was under way may tell it before there is a click.
    await other.getByRole('link', { name: 'My data' }).or(ended).first().click();
    await ended.waitFor();
    await eventually('they go', async () => (await kept(other)) === 0 || undefined, LOOKS_MS);
    onlyWithoutNetwork();
  });

  test('a new version is offered in every tab, not while something is typed, and no tab reloads by itself', async (visit) => {
    const page = await visit({ phone: true });
    await page.clock.install();
    await personAt(world(), page, '/me/connect', 'version@example.org');
    const code = page.getByLabel('Code of the company and its service');
    const typing = page.getByText('Type a code', { exact: true });
    await typing.click();
    await code.waitFor();
    const other = await page.context().newPage();
    await other.goto('/me');
    await other.getByText('Nothing waits for you').waitFor();
    await page
      .context()
      .route('**/me', (route) =>
        route.request().method() === 'HEAD'
          ? route.fulfill({ status: 200, headers: { etag: 'W/"of-another-build"' } })
          : route.continue(),
      );
    const offered = (at: Page) =>
      at.getByRole('region', { name: 'Notices' }).getByText('A new version is ready.');
    /** What a reload takes away. */
    const mark = (at: Page) => at.evaluate(() => Reflect.set(globalThis, 'isMarked', true));
    const isMarked = (at: Page) => at.evaluate(() => Reflect.get(globalThis, 'isMarked') === true);
    await mark(page);
    await mark(other);
    await page.clock.fastForward(31 * 60_000);
    await offered(page).waitFor();
    await offered(other).waitFor();
    await checkPage(page);
    await picture(page, 'person-new-version');
    await code.fill('K7M4');
    await offered(page).waitFor({ state: 'detached' });
    await code.fill('');
    await offered(page).waitFor();
    // Nothing of it was done without the person.
    assert.deepEqual([await isMarked(page), await isMarked(other)], [true, true]);
    await page.context().unroute('**/me');
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.waitForFunction(() => Reflect.get(globalThis, 'isMarked') === undefined);
    await typing.click();
    await code.waitFor();
    assert.equal(await offered(page).count(), 0);
    assert.equal(await isMarked(other), true);
    assert.ok(await offered(other).isVisible());
  });
});
