import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { keepRecoveryCode, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

describe('accounts in the browser', { skip }, () => {
  const { world, test } = browserTests(() =>
    servePages({ SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'false' }),
  );

  /** Fills in the page to register, and the mailed code. */
  const register = async (page: Page, name: string, email: string) => {
    await page.getByLabel('Your name').fill(name);
    await page.getByLabel('Email address').fill(email);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Code from the mail').waitFor();
    await page.getByLabel('Code from the mail').fill(await mailedCode(world().platform, email));
    await page.getByRole('button', { name: 'Confirm the address' }).click();
  };

  test('a person registers with the mailed code, signs out, signs in, and recovers', async (visit) => {
    const page = await visit();
    await page.goto('/register');
    await page.getByRole('heading', { name: 'Create an account' }).waitFor();
    await checkPage(page);
    await page.getByLabel('Your name').fill('Anna Berg');
    await page.getByLabel('Email address').fill('anna@example.org');
    await page.locator('input[name=password]').fill('password12');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('easy to guess').waitFor();
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Anna Berg');
    await checkPage(page);
    await page.locator('input[name=password]').fill(PASSWORD);
    await picture(page, 'register');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Code from the mail').waitFor();
    await checkPage(page);
    const mailed = await mailedCode(world().platform, 'anna@example.org');
    await page.getByLabel('Code from the mail').fill(mailed);
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByRole('heading', { name: 'Your recovery code' }).waitFor();
    await checkPage(page);
    await picture(page, 'recovery-code');
    await page.getByText('To come back you will need').waitFor();
    const code = (await page.getByTestId('secret').innerText()).trim();
    await page.getByRole('button', { name: 'I have kept the recovery code' }).click();
    await checkPage(page);
    await page
      .getByLabel('Your recovery code')
      .fill(code.replace(/\S$/, (last) => (last === '0' ? '8' : '0')));
    await page.getByRole('button', { name: 'Check it and go on' }).click();
    await page.getByText('Look at group 13 of four again').waitFor();
    await page.getByRole('button', { name: 'Show the code again' }).click();
    assert.equal((await page.getByTestId('secret').innerText()).trim(), code);
    await keepRecoveryCode(page);
    await page.getByRole('heading', { name: /^Good / }).waitFor();

    await page.goto('/me/account');
    await page.getByRole('link', { name: /^Recovery code Last found/ }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await checkPage(page);
    await typeSignIn(page, 'anna@example.org', 'wrong password 99');
    await page.getByRole('alert').waitFor();
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Me', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Lost your password?' }).click();
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
    await checkPage(page);
    await page.getByLabel('Email address').fill('anna@example.org');
    await page.getByLabel('Recovery code').fill(code);
    await page.getByLabel('New password').fill('another river copper 28');
    await page.getByRole('button', { name: 'Set the new password' }).click();
    await page.getByRole('heading', { name: 'Your recovery code' }).waitFor();
    assert.notEqual((await page.getByTestId('secret').innerText()).trim(), code);
  });

  test('a browser that cannot keep the key says so, and the person goes on once it can', async (visit) => {
    const page = await visit();
    await page.goto('/register');
    await register(page, 'Jonas Weil', 'jonas@example.org');
    const code = await page.getByTestId('secret').innerText();
    await page.getByRole('button', { name: 'I have kept the recovery code' }).click();
    await page.getByLabel('Your recovery code').fill(code);
    const goOn = page.getByRole('button', { name: 'Check it and go on' });
    await page.evaluate(() => {
      Object.defineProperty(indexedDB, 'open', {
        configurable: true,
        value: () => {
          throw new DOMException('full', 'QuotaExceededError');
        },
      });
    });
    await goOn.click();
    await page.getByRole('alert').filter({ hasText: 'cannot keep your key' }).waitFor();
    await page.evaluate(() => Reflect.deleteProperty(indexedDB, 'open'));
    await goOn.click();
    await page.getByRole('heading', { name: /^Good / }).waitFor();
  });

  test('the address itself leads those who are not signed in to a way in, and the others to their pages', async (visit) => {
    const page = await visit();
    await page.goto('/');
    await page.getByRole('heading', { name: 'What you share, and with whom' }).waitFor();
    await checkPage(page);
    for (const [link, heading] of [
      ['Sign in', 'Sign in'],
      ['Create an account', 'Create an account'],
    ] as const) {
      await page.goto('/');
      await page.getByRole('link', { name: link }).click();
      await page.getByRole('heading', { name: heading }).waitFor();
    }
    await register(page, 'Mara Holt', 'mara@example.org');
    await keepRecoveryCode(page);
    await page.getByRole('heading', { name: /^Good / }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: /^Good .*, Mara$/ }).waitFor();
    const places = page.getByRole('navigation', { name: 'Your pages' });
    for (const name of ['Companies', 'Connect', 'My data', 'Me']) {
      await places.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  for (const look of [
    { colorScheme: 'dark' },
    { phone: true },
    { phone: true, colorScheme: 'dark', locale: 'de-DE' },
  ] as const) {
    test(`the pages are accessible and fit: ${JSON.stringify(look)}`, async (visit) => {
      const page = await visit(look);
      for (const path of ['/', '/sign-in', '/register', '/recover', '/me/nothing']) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await checkPage(page);
      }
    });
  }
});
