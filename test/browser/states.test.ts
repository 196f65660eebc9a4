import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { personAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';

describe('pages that say why they show nothing else', { skip }, () => {
  const { world, test } = browserTests();

  for (const [name, look] of [
    ['phone', { phone: true }],
    ['dark', { colorScheme: 'dark' }],
  ] as const)
    test(`signed out, ended, away, unknown and broken are told apart, each with a way on (${name})`, async (visit) => {
      const page = await visit(look);
      const home = page.getByRole('heading', { level: 1, name: /^Good .*, Anna$/ });
      await personAt(world(), page, '/me/nothing/at/all', `states-${name}@example.org`);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
      await checkPage(page);
      await page.getByRole('link', { name: 'Continue' }).click();
      await home.waitFor();

      const answer = (error_key: string) => ({
        status: error_key === 'internal' ? 500 : 503,
        contentType: 'application/json',
        body: JSON.stringify({ error: 'away', error_key }),
      });
      for (const [errorKey, heading] of [
        ['region.unavailable', 'The region of your account does not answer'],
        ['internal', 'Symbolon cannot be reached'],
      ] as const) {
        await page.route('**/api/person/session', (route) => route.fulfill(answer(errorKey)));
        await page.reload();
        await page.getByRole('heading', { name: heading }).waitFor();
        await checkPage(page);
        await picture(page, `person-away-${errorKey === 'internal' ? 'all' : 'region'}-${name}`);
        await page.unroute('**/api/person/session');
        await page.getByRole('button', { name: 'Try again' }).click();
        await home.waitFor();
      }

      await page.route('**/assets/activity-page-*', (route) => route.abort());
      await page.goto('/me/activity');
      await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
      await checkPage(page);
      await page.unroute('**/assets/activity-page-*');
      await page.getByRole('button', { name: 'Load again' }).click();
      await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();

      await page.context().clearCookies();
      await page.reload();
      await page.getByText('Your session has ended. Sign in again to go on where you were.').waitFor();
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      await checkPage(page);
      await picture(page, `person-ended-${name}`);
      // Who was never here is asked to sign in, and nothing else.
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      const problems = world().problems();
      assert.deepEqual(
        problems.filter((problem) => !/activity-page|net::ERR_FAILED/.test(problem)),
        [],
      );
    });
});
