import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { browserWorld, checkPage, skip } from './support/browser.ts';
import { type TalkingService, talkingService } from './support/companies.ts';
import { PASSWORD } from './support/people.ts';

describe('the portal in the browser', { skip }, () => {
  const world = browserWorld();
  let service: TalkingService;

  before(async () => {
    if (!skip) service = await talkingService(world(), { name: 'Acme Bikes', service: 'Bike Club' });
  });

  test('a login signs in, finds its services, and signs out', async () => {
    const visitor = await world().visitor();
    const page = await visitor.newPage();
    const address = `/portal/services/${service.serviceId}`;
    await page.goto(address);
    await page.getByRole('heading', { name: 'Sign in to the portal' }).waitFor();
    await checkPage(page);
    await page.getByLabel('Email address').fill('acme-bikes@example.com');
    await page.locator('input[name=password]').fill('not the password 27');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The email address or the password is wrong').waitFor();
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Bike Club' }).waitFor();
    await checkPage(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Services' }).click();
    await page.getByRole('row', { name: 'Bike Club' }).waitFor();
    await checkPage(page);
    await page.reload();
    await page.getByRole('link', { name: 'Bike Club' }).click();
    await page.getByRole('heading', { name: 'Bike Club' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the portal' }).waitFor();
    assert.equal((await page.request.get('/api/portal/session')).status(), 401);
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });

  test('a session that ended elsewhere leads to the sign-in, and a phone shows the same in the dark', async () => {
    const visitor = await world().visitor({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    const page = await visitor.newPage();
    await page.goto('/portal');
    await page.getByLabel('E-Mail-Adresse').fill('acme-bikes@example.com');
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByRole('heading', { name: 'Dienste' }).waitFor();
    await checkPage(page);
    await visitor.clearCookies();
    await page.getByRole('link', { name: 'Bike Club' }).click();
    await page.getByRole('heading', { name: 'Im Portal anmelden' }).waitFor();
    await checkPage(page);
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });
});
