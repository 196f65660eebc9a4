import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { createApp, parametersFor } from '@symbolon/testkit/actors/consent';
import { browserWorld, skip } from './support/browser.ts';
import { registerAt } from './support/people.ts';

const SCRIPT_BYTES_MOST = 200 * 1024;
/** The bar is a second on a quiet machine; tests share theirs. The time itself is printed. */
const INTERACTIVE_MOST_MS = 3_000;

describe('the consent page is quick', { skip }, () => {
  const world = browserWorld();

  test('all its scripts have less than 200 KB compressed, and it can be used within a second', async (t) => {
    const { platform } = world();
    const app = await createApp(platform, await registerCompany(platform), { name: 'Bike Club' });
    const visitor = await world().visitor();
    const first = await visitor.newPage();
    await registerAt(first, '/register?next=%2Fme%2Fsecurity', 'speed@example.org');
    await first.getByRole('heading', { name: 'Security' }).waitFor();
    const state = await visitor.storageState({ indexedDB: false });

    // Another browser of the same session, so that nothing is kept from the pages before.
    const fresh = await world().visitor({ storageState: state });
    const page = await fresh.newPage();
    const sizes = new Map<string, number>();
    page.on('response', async (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith('.js')) sizes.set(pathname, (await response.request().sizes()).responseBodySize);
    });
    await page.goto(`/auth?${parametersFor(app, { state: 'x' })}`);
    const share = page.getByRole('button', { name: 'Sign in to Bike Club' });
    await share.waitFor();
    const ms = await page.evaluate(() => performance.now());
    await page.waitForLoadState('networkidle');
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    t.diagnostic(
      `${bytes} bytes of script in ${sizes.size} files; the button was there after ${Math.round(ms)} ms`,
    );
    assert.ok(sizes.size >= 3);
    assert.ok(bytes < SCRIPT_BYTES_MOST, `${bytes} bytes: ${JSON.stringify([...sizes])}`);
    assert.ok(ms < INTERACTIVE_MOST_MS, `${ms} ms`);
    await fresh.close();
    await visitor.close();
  });

  test('while its scripts are loaded it asks for all that it needs, once', async () => {
    const { platform } = world();
    const app = await createApp(platform, await registerCompany(platform), { name: 'Bike Club' });
    const visitor = await world().visitor({ locale: 'de-DE' });
    const page = await visitor.newPage();
    const first = [
      /\/api\/person\/session$/,
      /\/api\/consent\/requests$/,
      /\/assets\/consent-page-.*\.js$/,
      /\/assets\/de-.*\.js$/,
    ];
    const asked = first.map((pattern) => page.waitForRequest(pattern));
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    // The script that imports the page's own and shows it does not come before those calls were sent.
    await page.route(/\/assets\/app-.*\.js$/, async (route) => {
      await Promise.all(asked);
      await route.continue();
    });
    await page.goto(`/auth?${parametersFor(app, { state: 'x' })}`);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
    assert.ok(sent.some((url) => /\/assets\/app-.*\.js$/.test(url)));
    for (const pattern of first)
      assert.equal(sent.filter((url) => pattern.test(url)).length, 1, `${pattern}`);
    await visitor.close();
  });
});
