import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { createApp, parametersFor } from '@symbolon/testkit/actors/consent';
import { checkPage } from '@symbolon/testkit/browser/looks';
import { newPerson, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

const NEEDS = 'This browser keeps no cookies and no data of this site.';

/** As a browser that is told to keep nothing of any site: each of its stores throws or refuses. */
async function refusingSiteData(page: Page): Promise<Page> {
  await page.addInitScript(() => {
    const refused = () => new DOMException('Access is denied for this document.', 'SecurityError');
    const throwing = {
      configurable: true,
      get() {
        throw refused();
      },
    };
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, throwing);
    Object.defineProperty(navigator, 'serviceWorker', throwing);
    Object.defineProperty(navigator, 'cookieEnabled', { value: false });
    Object.defineProperty(IDBFactory.prototype, 'open', {
      value() {
        throw refused();
      },
    });
    Object.defineProperty(LockManager.prototype, 'request', { value: () => Promise.reject(refused()) });
    Object.defineProperty(window, 'BroadcastChannel', {
      value: class {
        constructor() {
          throw refused();
        }
      },
    });
  });
  return page;
}

describe('a browser that keeps no data of sites', { skip }, () => {
  const { world, test } = browserTests();

  test('every public page opens, and those that need a session say what they need', async (visit) => {
    const company = await registerCompany(world().platform, 'Bike Club Berlin');
    const app = await createApp(world().platform, company, {
      name: 'Bike Club',
      redirect_uris: ['https://bikes.example/cb'],
    });
    const consent = `/auth?${parametersFor(app, { mode: 'signin', state: 'state-of-the-site' })}`;
    const page = await refusingSiteData(await visit());
    for (const [path, heading, needs] of [
      ['/', 'What you share, and with whom', false],
      ['/sign-in', 'Sign in', true],
      ['/register', 'Create an account', true],
      ['/recover', /./, true],
      ['/verify', /./, false],
      [consent, 'Sign in to continue to Bike Club', true],
      ['/me/fields', 'Sign in', true],
      ['/connect/bikes/rental', 'Sign in', true],
      ['/portal', /./, true],
      ['/portal/register', /./, true],
      ['/operator', /./, false],
      ['/nothing', /./, false],
    ] as const) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      const form = page.locator('form button[type=submit]');
      if (needs) await form.waitFor();
      assert.equal(await page.getByText(NEEDS).count(), needs ? 1 : 0, path);
      await checkPage(page);
    }
  });

  test('the documentation is read, and calls are tried as long as the page is open', async (visit) => {
    const page = await refusingSiteData(await visit());
    await page.goto('/docs/reference/index.html');
    const dark = page.locator('button.theme');
    const before = await dark.getAttribute('aria-pressed');
    await dark.click();
    assert.notEqual(await dark.getAttribute('aria-pressed'), before);
    await page.getByText('Sign in to call it').click();
    await page.getByLabel('or an access token').fill('token-of-a-client');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Signed in for as long as this page is open.').waitFor();
    await checkPage(page);
  });

  test('a sign-in there says why it cannot be kept, in German too', async (visit) => {
    await newPerson(world().platform, 'nothing-kept@example.org');
    const page = await refusingSiteData(await visit());
    await page.goto('/sign-in');
    await typeSignIn(page, 'nothing-kept@example.org');
    await page.getByRole('alert').getByText('it cannot keep your key').waitFor();
    const german = await refusingSiteData(await visit({ locale: 'de-DE', phone: true }));
    await german.goto('/sign-in');
    await german.getByText('Dieser Browser speichert keine Cookies').waitFor();
    await checkPage(german);
  });
});
