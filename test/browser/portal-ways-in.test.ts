import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { invitationToken } from '@symbolon/testkit/actors/portal-logins';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { keepRecoveryCode, portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';

const PASSWORD = 'three kind harbour seals';
const OTHER = 'seven quiet river stones';

describe('ways into the portal', { skip }, () => {
  const { world, test } = browserTests();

  /** A company that has invited somebody. @returns where the mailed link leads */
  const invited = async (email: string) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Harbour Bikes');
    const body = { email, role: 'support' };
    await platform.must('POST', '/api/delegates', { token: company.token, body });
    return { company, link: `/portal/invitation#${await invitationToken(platform, email)}` };
  };

  test('a colleague joins by the mailed link, loses the password, and comes back by the recovery code', async (visit) => {
    const email = 'lea@harbour.example';
    const { link } = await invited(email);
    const page = await visit();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Join Harbour Bikes' }).waitFor();
    await page.getByText('Support: Customers, messages, reminders, steps of flows').waitFor();
    await checkPage(page);
    await picture(page, 'portal-invitation');
    await page.getByLabel('Your name').fill('Lea Hafen');
    await page.locator('input[name=password]').fill('lea');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('alert').waitFor();
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    const first = await keepRecoveryCode(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('Lea Hafen').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();

    await page.getByRole('link', { name: 'Lost your password?' }).click();
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
    await checkPage(page);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Recovery code').fill('0000-1111');
    await page.locator('input[name=new-password]').fill(OTHER);
    await page.getByRole('button', { name: 'Set the new password' }).click();
    await page
      .getByText(/recovery code/i)
      .nth(1)
      .waitFor();
    await page.getByLabel('Recovery code').fill(first.toLowerCase().replaceAll('-', ' '));
    await page.getByRole('button', { name: 'Set the new password' }).click();
    const second = await keepRecoveryCode(page);
    assert.notEqual(second, first);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    // The one before is void, as is the password before.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.locator('input[name=password]').fill(OTHER);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('a browser in which another login is signed in signs it out first; an invitation is good once', async (visit) => {
    const { company, link } = await invited('tom@harbour.example');
    const page = await visit();
    await portalAt(page, link, company);
    await page.getByRole('heading', { name: 'Another login is signed in here' }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Sign out and go on' }).click();
    await page.getByLabel('Your name').fill('Tom Hafen');
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await keepRecoveryCode(page);
    await page.getByText('Tom Hafen').waitFor();
    const later = await visit();
    await later.goto(link);
    await later.getByText('This invitation is not good any more').waitFor();
    await checkPage(later);
    await later.goto('/portal/invitation');
    await later.getByText('This invitation is not good any more').waitFor();
  });

  test('on a phone in German, in the dark', async (visit) => {
    const { link } = await invited('eva@harbour.example');
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await page.goto(link);
    await page.getByRole('heading', { name: 'Harbour Bikes beitreten' }).waitFor();
    await checkPage(page);
    await page.goto('/portal/recover');
    await page.getByLabel('Wiederherstellungscode').waitFor();
    await checkPage(page);
  });
});
