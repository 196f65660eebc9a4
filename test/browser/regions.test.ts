import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { to } from '@symbolon/testkit/actors/flow-runs';
import { startRegions, type TestRegions } from '@symbolon/testkit/platform/regions';
import { buildWeb } from '../../scripts/build-web.ts';
import { BrowserWorld, checkPage, launched, PresentClock, skip } from './support/browser.ts';
import { isDrawn } from './support/documents.ts';
import { proveByMail } from './support/people.ts';
import { RentalShop, rental } from './support/rental.ts';

/** Pages are opened at localhost, and devices of the test call it there too. */
const AT_LOCALHOST = { SYMBOLON_HOST: '127.0.0.1' };

describe('pages of a person whose companies are at home in another region', { skip }, () => {
  let regions: TestRegions;
  let world: BrowserWorld;
  const stops: (() => Promise<unknown>)[] = [];
  before(async () => {
    if (skip) return;
    await buildWeb();
    regions = await startRegions('sqlite', ['eu', 'us'], AT_LOCALHOST, new PresentClock());
    stops.push(() => regions.stop());
    const browser = await launched();
    stops.unshift(() => browser.close());
    world = new BrowserWorld(regions.region('us'), browser, regions.url);
  });
  after(async () => {
    for (const stop of stops) await stop();
  });

  test('a flow is answered, its contract made, signed and sealed, and the connection is shown', async () => {
    const shop = await RentalShop.open(world.platform, world.url, regions.settle);
    const flowId = await shop.publish(rental);
    const visitor = await world.visitor();
    const page = await visitor.newPage();
    const begun = await shop.begin(page, 'far@example.org', flowId);
    await shop.answer(begun, { rent: '90' }, to('rider', 'rider'));
    await page.getByRole('link', { name: /^Rent a bicycle/ }).click();
    const step = page.getByRole('region', { name: 'About you' });
    await step.getByText('Acme Bikes asks 90 a month.').waitFor();
    await step.getByLabel('Full name', { exact: true }).fill('Anna Berg');
    await step.getByRole('button', { name: 'Send 1 answer' }).click();
    await page.getByRole('link', { name: 'Read and sign Rental contract' }).click();
    await isDrawn(page, 'Page 1 of 1');
    await page.getByText('All answers that it should show stand in the document').waitFor();
    const act = page.getByRole('region', { name: 'Sign Rental contract' });
    await act.getByRole('button', { name: 'Go on to signing' }).click();
    await proveByMail(regions.region('eu'), act, 'far@example.org');
    await act.getByRole('button', { name: 'Sign Rental contract' }).click();
    await page.getByText('Signed by Anna Berg').first().waitFor();
    await shop.sign(flowId, begun);
    const seal = page.getByRole('region', { name: 'The seal of this file' });
    await seal.getByText('Sealed, and unchanged since').waitFor();
    await checkPage(page);

    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByRole('link', { name: /^Acme Bikes/ }).click();
    await page.getByRole('heading', { name: 'Acme Bikes' }).waitFor();
    await checkPage(page);
    assert.deepEqual(world.problems(), []);
    await visitor.close();
  });
});
