import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { publishFlow } from '@symbolon/testkit/actors/flow-runs';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { personAt, portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

/** More stops than any of these pages has: a page that catches the focus fails. */
const STOPS_MOST = 80;

/** What the keyboard reaches on a page, and whether it is seen that it is there. */
async function stopsOf(page: Page): Promise<{ name: string; isSeen: boolean; hasAutocomplete: boolean }[]> {
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('* { transition: none !important }');
    document.adoptedStyleSheets.push(still);
    // The heading has the focus: the walk begins before it.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  const stops = [];
  for (let index = 0; index < STOPS_MOST; index++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const control = document.activeElement;
      if (!(control instanceof HTMLElement) || control === document.body) return undefined;
      if (control.hasAttribute('data-was-here')) return undefined;
      control.setAttribute('data-was-here', '');
      // A box to tick is drawn by what stands beside it, a password by what is around it.
      const { parentElement: around } = control;
      const drawn = [control, ...(around ? [around, ...around.children] : [])];
      const look = () =>
        drawn
          .map((each) => getComputedStyle(each))
          .map((style) =>
            [
              style.outlineStyle,
              style.outlineWidth,
              style.boxShadow,
              style.borderColor,
              style.opacity,
            ].join(),
          )
          .join('; ');
      const focused = look();
      control.blur();
      const isSeen = look() !== focused;
      control.focus();
      const isTyped = control.matches(
        'select, textarea, input:not([type=checkbox], [type=radio], [type=file])',
      );
      return {
        name: `${control.tagName} ${control.ariaLabel ?? control.textContent?.slice(0, 40) ?? ''} ${control.className}`,
        isSeen,
        hasAutocomplete: !isTyped || Boolean(control.getAttribute('autocomplete')),
      };
    });
    if (stop === undefined) return stops;
    stops.push(stop);
  }
  assert.fail(`${page.url()} has no end`);
}

async function checkStops(page: Page, address: string, heading: string | RegExp): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  // A heading that takes the focus does so together with naming the page: afterwards it would break into the walk.
  await page.waitForFunction(() => {
    const title = document.querySelector('h1[tabindex]');
    return title === null || document.title.startsWith(title.textContent);
  });
  const stops = await stopsOf(page);
  assert.ok(stops.length > 3, `${address} has ${stops.length} stops`);
  const unseen = stops.filter(({ isSeen }) => !isSeen).map(({ name }) => name);
  assert.deepEqual(unseen, [], `${address}: the focus is not seen`);
  const unnamed = stops.filter(({ hasAutocomplete }) => !hasAutocomplete).map(({ name }) => name);
  assert.deepEqual(unnamed, [], `${address}: browsers do not know what belongs there`);
}

describe('the focus of the keyboard', { skip }, () => {
  const { world, test } = browserTests();

  for (const colorScheme of ['light', 'dark'] as const)
    test(`is seen on every control of the pages, ${colorScheme}`, async (visit) => {
      const visitor = await visit({ colorScheme });
      await checkStops(visitor, '/register', 'Create an account');
      await checkStops(visitor, '/sign-in', 'Sign in');
      await checkStops(visitor, '/recover', /./);
      await checkStops(visitor, '/portal/sign-in', 'Sign in to the portal');
      const page = await visit({ colorScheme });
      await personAt(world(), page, '/me', `focus-${colorScheme}@example.org`);
      await checkStops(page, '/me', /./);
      await checkStops(page, '/me/fields', 'My data');
      await checkStops(page, '/me/security', 'Security');
      const login = await visit({ colorScheme });
      const { company, service } = await openShop(world().platform);
      const flowId = await publishFlow(world().platform, service);
      await portalAt(login, '/portal', company);
      await checkStops(login, '/portal/plugins', 'Plugins');
      await checkStops(login, `/portal/services/${service.id}`, 'Shop');
      await checkStops(login, `/portal/services/${service.id}/flows/${flowId}/runs`, 'Runs');
    });
});
