import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import { readWarnings } from '@symbolon/pdf/contents';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { issueContract } from '@symbolon/testkit/actors/contracts';
import { leasePdf, longPdf } from '@symbolon/testkit/actors/files';
import { checkPage, isDrawn } from '@symbolon/testkit/browser/looks';
import { personAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { DRAWN_APART } from '@symbolon/testkit/pdf/drawn-apart';
import { HOSTILE } from '@symbolon/testkit/pdf/hostile';
import type { Page, Response } from 'playwright-core';

/** Pages of which the last one is beyond what is compared. */
const TOO_MANY_PAGES = 101;
const DRAWINGS = /^\/assets\/drawings\.worker-[\w-]+\.js$/;
const PDFIUM = /\/assets\/pdfium-[\w-]+\.wasm$/;
const hostile = (name: string) => (HOSTILE[name] ?? DRAWN_APART[name])?.() ?? assert.fail('no such file');
/** The readers at hand draw each alike. */
const BUILT_APART = [
  'a stream of objects whose index disagrees',
  'a hybrid file whose stream has another root of pages',
  'a linearisation of other pages',
];
const OF_DRAWING = /\/assets\/(?:drawings\.worker|pdfium)-/;

describe('a contract is drawn by two programs before it is signed', { skip }, () => {
  const { world, test } = browserTests();
  let service: TestService;
  let token: string;

  before(async () => {
    if (skip) return;
    const { platform } = world();
    service = await createService(platform, await registerCompany(platform, 'Acme Bikes'), []);
    token = await dataToken(platform, service);
  });

  /** Sends a contract by calls of the company's own, past the check of the SDK, and opens it. */
  async function open(page: Page, email: string, pdf: Uint8Array, more: object = {}): Promise<void> {
    const { platform } = world();
    const person = await personAt(world(), page, '/me/documents', email);
    const target = { connection_id: await connect(platform, person, service) };
    const { id } = await issueContract(platform, { token, target, pdf, more });
    await page.goto(`/me/documents/${id}`);
  }
  const next = (page: Page) => page.getByRole('button', { name: 'Go on to signing' });

  test('what another program shows in another way cannot be signed, and the page says why', async (visit) => {
    const pdf = hostile('an entry that leads to another object');
    assert.deepEqual(await readWarnings(pdf), [], 'its letter tells nothing');
    const page = await visit();
    await open(page, 'deceived@example.org', pdf);
    await page.getByText('Other programs would show this file in another way').waitFor();
    await page.getByText('This file cannot be shown to everybody alike').waitFor();
    await checkPage(page);
    assert.equal(await next(page).count(), 0);
    await page.evaluate(() => localStorage.setItem('symbolon.language', 'de'));
    await page.reload();
    await page.getByText('Andere Programme würden diese Datei anders zeigen').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Weiter zum Unterschreiben' }).count(), 0);
  });

  test('it cannot be accepted either', async (visit) => {
    const pdf = hostile('an entry that leads to another object');
    const page = await visit();
    await open(page, 'accepting@example.org', pdf, { requires_signature: false, requires_acceptance: true });
    await page.getByText('Other programs would show this file in another way').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Accept Lease' }).count(), 0);
  });

  for (const [index, name] of BUILT_APART.entries())
    test(`${name}: it is read, and cannot be signed, and the page says why`, async (visit) => {
      const page = await visit();
      await open(page, `built${index}@example.org`, hostile(name));
      await isDrawn(page, 'Page 1 of 1');
      await page.getByText('built so that other programs may find other pages in it').waitFor();
      await page.getByText('This file cannot be shown to everybody alike').waitFor();
      await checkPage(page);
      assert.equal(await next(page).count(), 0);
      assert.equal(await page.getByText('in another way than it is shown here').count(), 0);
      await page.evaluate(() => localStorage.setItem('symbolon.language', 'de'));
      await page.reload();
      await page.getByText('dass andere Programme in ihr andere Seiten finden können').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Weiter zum Unterschreiben' }).count(), 0);
    });

  test('objects in streams, a hybrid file and one that must be repaired are signed as others are', async (visit) => {
    const honest = [
      'objects in streams, not hostile',
      'a hybrid file as writers make it, not hostile',
      'a file that is repaired, not hostile',
    ];
    for (const [index, name] of honest.entries()) {
      const page = await visit();
      await open(page, `honest${index}@example.org`, hostile(name));
      await next(page).click();
      await page.getByLabel('Your password').waitFor();
    }
  });

  test('signing waits for the drawings while the contract is read, and what was not loaded is tried again', async (visit) => {
    const page = await visit({ phone: true });
    const held = Promise.withResolvers<void>();
    let asked = 0;
    await page.route(PDFIUM, async (route) => {
      if (++asked === 1) return route.abort();
      await held.promise;
      await route.continue();
    });
    await open(page, 'patient@example.org', leasePdf());
    await isDrawn(page, 'Page 1 of 1');
    await page.getByText('This browser could not check').waitFor();
    assert.ok(await next(page).isDisabled());
    await checkPage(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Your browser checks whether another program shows the same pages').waitFor();
    assert.ok(await next(page).isDisabled());
    await checkPage(page);
    held.resolve();
    await next(page).click();
    await page.getByLabel('Your password').waitFor();
    assert.equal(await page.getByText('Your browser checks').count(), 0);
  });

  test('pages beyond the first hundred are named, and WebAssembly runs in that worker alone', async (visit, t) => {
    const page = await visit();
    const answers: Response[] = [];
    page.on('response', (response) => answers.push(response));
    await open(page, 'thorough@example.org', longPdf(TOO_MANY_PAGES, []));
    await page.getByText(/^\d+ of 101 pages are checked\.$/).waitFor();
    const began = performance.now();
    await page.getByText('on the first 100 of 101 pages').waitFor({ timeout: 60_000 });
    t.diagnostic(`100 pages in about ${Math.round(performance.now() - began)} ms`);
    assert.ok(await next(page).isEnabled());
    await checkPage(page);
    const workers = answers.filter((answer) => /\bworker\b.*\.js$/.test(new URL(answer.url()).pathname));
    const policies = workers.map((answer) => answer.headers()['content-security-policy'] ?? '');
    assert.ok(policies.length >= 3, 'the drawings, pdf.js and the device each have one');
    for (const policy of policies)
      assert.equal(
        policy.replace(" 'wasm-unsafe-eval'", ''),
        "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'",
      );
    const withWasm = answers.filter((answer) =>
      (answer.headers()['content-security-policy'] ?? '').includes('wasm'),
    );
    assert.deepEqual(
      withWasm.map((answer) => DRAWINGS.test(new URL(answer.url()).pathname)),
      [true],
    );
    for (const answer of answers.filter((each) => OF_DRAWING.test(each.url()))) {
      const { responseBodySize } = await answer.request().sizes();
      t.diagnostic(`${new URL(answer.url()).pathname}: ${responseBodySize} bytes`);
      assert.ok(['br', 'gzip'].includes(answer.headers()['content-encoding'] ?? ''));
      assert.equal(answer.headers()['cache-control'], 'public, max-age=31536000, immutable');
    }
  });

  test('nothing of it is loaded for what is not decided on', async (visit) => {
    const page = await visit();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await open(page, 'reader@example.org', leasePdf(), { kind: 'document', requires_signature: false });
    await isDrawn(page, 'Page 1 of 1');
    await page.waitForLoadState('networkidle');
    assert.deepEqual(
      loaded.filter((url) => OF_DRAWING.test(url)),
      [],
    );
  });
});
