import { describe } from 'node:test';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { Keyboard } from '@symbolon/testkit/browser/keyboard';
import { personAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import type { Locator, Page } from 'playwright-core';

const NEXT_PASSWORD = 'harbour violet engine 81';

describe('security by the keyboard alone', { skip }, () => {
  const { world, test } = browserTests();
  const button = (at: Pick<Page, 'getByRole'>, name: string | RegExp) =>
    at.getByRole('button', { name, exact: typeof name === 'string' });
  const sheetOf = (page: Page, name: string) => page.getByRole('dialog', { name });
  const proveByMail = async (keyboard: Keyboard, sheet: Locator, email: string) => {
    await keyboard.type(sheet.getByLabel('Your password'), PASSWORD);
    await keyboard.press(button(sheet, 'Send a code by mail'));
    await button(sheet, 'The code is on its way').waitFor();
    await keyboard.type(sheet.getByLabel('Code from the mail'), await mailedCode(world().platform, email));
  };

  test('a person switches an authenticator app on, and off again', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    const email = 'keys-totp@example.org';
    await personAt(world(), page, '/me/security', email);
    const rows = page.getByRole('region', { name: 'Authenticator app' });
    const sheet = sheetOf(page, 'Authenticator app');
    await keyboard.open(button(rows, 'Switch on'), sheet);
    await proveByMail(keyboard, sheet, email);
    await keyboard.press(button(sheet, 'Continue'));
    await sheet.getByRole('img', { name: 'QR code' }).waitFor();
    await keyboard.isIn(sheet);
    const secret = fromBase32((await sheet.locator('code').innerText()).replace(/\s/g, ''));
    await keyboard.type(sheet.getByLabel('The code that the app shows'), totpCode(secret, Date.now()));
    await keyboard.press(button(sheet, 'Switch on'));
    await sheet.getByRole('group', { name: 'Recovery codes' }).waitFor();
    await keyboard.isIn(sheet);
    const [recovery = ''] = (await sheet.getByTestId('secret').innerText()).trim().split(/\s+/);
    await keyboard.keys('Escape');
    const codes = button(rows, /^Codes and switching off/);
    await keyboard.isBackAt(codes);
    await keyboard.open(codes, sheet);
    await keyboard.press(button(sheet, 'Switch off'));
    await keyboard.isIn(sheet);
    await keyboard.type(sheet.getByLabel('Your password'), PASSWORD);
    await keyboard.type(sheet.getByLabel('Code of your authenticator app'), recovery);
    await keyboard.press(button(sheet, 'Switch off'));
    await keyboard.isBackAt(button(rows, 'Switch on'));
  });

  test('a person changes the password, makes a recovery code and tries it', async (visit) => {
    const page = await visit({ phone: true });
    const keyboard = new Keyboard(page);
    await personAt(world(), page, '/me/security', 'keys-password@example.org');
    const change = button(page, 'Change the password');
    const password = sheetOf(page, 'Change the password');
    await keyboard.open(change, password);
    await keyboard.type(password.getByLabel('Present password'), PASSWORD);
    await keyboard.type(password.getByLabel('New password'), NEXT_PASSWORD);
    await keyboard.press(button(password, 'Change the password'));
    await page.getByText('The password is changed').waitFor();
    await keyboard.isBackAt(change);

    const make = button(page, /^Make a new recovery code/);
    const making = sheetOf(page, 'Make a new recovery code');
    await keyboard.open(make, making);
    await keyboard.type(making.getByLabel('Your password'), NEXT_PASSWORD);
    await keyboard.press(button(making, 'Make a new recovery code'));
    const code = (await making.getByTestId('secret').innerText()).trim();
    await keyboard.isIn(making);
    await keyboard.keys('Escape');
    await keyboard.isBackAt(make);

    const tryIt = button(page, /^Try the recovery code/);
    const trying = sheetOf(page, 'Try the recovery code');
    await keyboard.open(tryIt, trying);
    await keyboard.type(trying.getByLabel('Your recovery code'), code.slice(0, -1));
    await keyboard.press(button(trying, 'Check the code'));
    await trying.getByText('The recovery code is mistyped').waitFor();
    await keyboard.type(trying.getByLabel('Your recovery code'), code);
    await keyboard.press(button(trying, 'Check the code'));
    await trying.getByText('with this code your values open').waitFor();
    await keyboard.isIn(trying);
    await keyboard.keys('Escape');
    await keyboard.isBackAt(tryIt);
  });

  test('a person changes the address, and deletes the account', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    const email = 'keys-leaving@example.org';
    await personAt(world(), page, '/me/account', email);
    const address = button(page, /^E-mail address/);
    const sheet = sheetOf(page, 'E-mail address');
    await keyboard.open(address, sheet);
    await keyboard.type(sheet.getByLabel('New address'), 'keys-left@example.org');
    await keyboard.press(button(sheet, 'Continue'));
    await proveByMail(keyboard, sheet, email);
    await keyboard.press(button(sheet, 'Mail the code'));
    await sheet.getByText('on its way to keys-left@example.org').waitFor();
    await keyboard.isIn(sheet);
    const code = await mailedCode(world().platform, 'keys-left@example.org');
    await keyboard.type(sheet.getByLabel('Code from the mail'), code);
    await keyboard.press(button(sheet, 'Confirm the address'));
    await sheet.getByText('From now on you sign in with keys-left@example.org').waitFor();
    await keyboard.isIn(sheet);
    await keyboard.keys('Escape');
    await keyboard.isBackAt(address);

    const leave = button(page, /^Delete the account/);
    const leaving = sheetOf(page, 'Delete the account');
    await keyboard.open(leave, leaving);
    await keyboard.type(leaving.getByLabel('Type keys-left@example.org to go on'), 'keys-left@example.org');
    await keyboard.type(leaving.getByLabel('Your password'), PASSWORD);
    await keyboard.press(button(leaving, 'Delete for good'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await keyboard.to(page.getByLabel('Email address'));
  });
});
