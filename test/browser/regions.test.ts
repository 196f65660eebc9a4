import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { PASSWORD, passwordLogin, registerCompany } from '@symbolon/testkit/actors/actors';
import { to } from '@symbolon/testkit/actors/flow-runs';
import { RentalShop, rental } from '@symbolon/testkit/actors/rental';
import { checkPage, isDrawn } from '@symbolon/testkit/browser/looks';
import { personAt, portalAt, proveByMail, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { PresentClock } from '@symbolon/testkit/platform/platform';
import { startRegions, type TestRegions } from '@symbolon/testkit/platform/regions';

/** Pages are opened at localhost, and devices of the test call it there too. */
const AT_LOCALHOST = { SYMBOLON_HOST: '127.0.0.1' };

describe('pages of a person whose companies are at home in another region', { skip }, () => {
  let regions: TestRegions;
  const { world, test } = browserTests(async () => {
    regions = await startRegions('sqlite', ['eu', 'us'], AT_LOCALHOST, new PresentClock());
    return { platform: regions.region('us'), url: regions.url, stop: regions.stop };
  });

  test('a flow is answered, its contract made, signed and sealed, and the connection is shown', async (visit) => {
    const home = regions.region('eu');
    const shop = await RentalShop.open(world().platform, world().url, regions.settle);
    const flowId = await shop.publish(rental);
    const page = await visit();
    const far = await personAt({ platform: home }, page, '/me/flows', 'far@example.org');
    const begun = await shop.begin(far, flowId, home);
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
    await proveByMail(home, act, 'far@example.org');
    await act.getByRole('button', { name: 'Sign Rental contract' }).click();
    await page.getByText('Signed by Anna Berg').first().waitFor();
    await shop.sign(flowId, begun);
    const seal = page.getByRole('region', { name: 'The seal of this file' });
    await seal.getByText('Sealed, and unchanged since').waitFor();
    await checkPage(page);

    await page.getByRole('link', { name: 'Companies' }).click();
    await page.getByRole('link', { name: /^Acme Bikes/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Acme Bikes' }).waitFor();
    await checkPage(page);
  });

  test('an owner moves the company to the other region, by its name and a proof', async (visit) => {
    const { credentials } = await passwordLogin();
    const company = await registerCompany(world().platform, 'Acme Moves', undefined, credentials);
    const page = await visit();
    await portalAt(page, '/portal/security', company);
    await page.getByRole('button', { name: /^Move to another region/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Move to another region' });
    await sheet.getByLabel('Move to', { exact: true }).selectOption('eu');
    await checkPage(page);
    await sheet.getByLabel('Type the name of the company: Acme Moves').fill('Acme Moves');
    await sheet.getByLabel('Your password, to confirm that it is you').fill(PASSWORD);
    await sheet.getByRole('button', { name: 'Move to another region' }).click();
    await page.getByText(/^(On its way|Moved) from us to eu/).waitFor();
    await checkPage(page);
  });

  test('the sign-in of the portal tells a region that is away from a wrong password', async (visit) => {
    const home = regions.region('eu');
    const company = await registerCompany(home, 'Acme Far');
    const page = await visit({ phone: true });
    await portalAt(page, '/portal', company);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await home.stop();
    await page.goto('/portal');
    await page.getByRole('heading', { name: 'The region of your account does not answer' }).waitFor();
    await page.goto('/portal/sign-in');
    const notice = page.getByRole('alert').filter({ hasText: 'You are not signed out' });
    await notice.getByRole('button', { name: 'Try again' }).waitFor();
    await checkPage(page);
    await typeSignIn(page, company.email);
    await page.getByText('Your password was not checked').waitFor();

    // A company of another region signs in as ever.
    const { credentials } = await passwordLogin();
    const other = await registerCompany(regions.region('us'), 'Acme Near', 'near@example.com', credentials);
    const visitor = await visit();
    await visitor.goto('/portal/sign-in');
    await visitor.getByRole('heading', { name: 'Sign in to the portal' }).waitFor();
    assert.equal(await visitor.getByRole('alert').count(), 0);
    await typeSignIn(visitor, other.email);
    await visitor.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
