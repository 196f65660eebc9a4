import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import type { Locator, Page } from 'playwright-core';

export const PASSWORD = 'lantern river copper 27';

/** Makes an account at the pages, where the platform takes both steps in one, and leaves the page where it leads. */
export async function registerAt(
  page: Page,
  address: string,
  email: string,
  name = 'Anna Berg',
): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Email address').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'I have kept the recovery code' }).click();
  // The browser keeps the key first: a test that leaves the page before that leaves without it.
  await page.waitForURL(({ pathname }) => pathname !== '/register');
}

/** Who is signed in at a page. */
export async function signedIn(page: Page): Promise<{ id: string; shareCode: string }> {
  const { person } = await (await page.request.get('/api/person/session')).json();
  return { id: person.person_user_id, shareCode: person.share_code };
}

/** Has a code mailed for a proof, and fills it in beside the password. */
export async function proveByMail(platform: TestPlatform, form: Locator, email: string): Promise<void> {
  await form.getByLabel('Your password').fill(PASSWORD);
  await form.getByRole('button', { name: 'Send a code by mail' }).click();
  await form.getByRole('button', { name: 'The code is on its way' }).waitFor();
  await form.getByLabel('Code from the mail').fill(await mailedCode(platform, email));
}

/** Signs in to the portal on the way to a page of it. */
export async function signInToPortal(page: Page, address: string, email: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Email address').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
