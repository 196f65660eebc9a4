import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { PersonClient } from '@symbolon/sdk/person';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { personAt, proveByMail, registerAt, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';

const NEXT_PASSWORD = 'harbour violet engine 81';

describe('the security page', { skip }, () => {
  const { world, test } = browserTests();

  test('an authenticator app is switched on by its QR code and asked for at the next sign-in', async (visit) => {
    const page = await visit();
    await personAt(world(), page, '/me/security', 'totp@example.org');
    const rows = page.getByRole('region', { name: 'Authenticator app' });
    const section = page.getByRole('dialog', { name: 'Authenticator app' });
    await rows.getByRole('button', { name: 'Switch on' }).click();
    // The password alone adds no factor.
    await proveByMail(world().platform, section, 'totp@example.org');
    await section.getByRole('button', { name: 'Continue' }).click();
    await section.getByRole('img', { name: 'QR code' }).waitFor();
    await checkPage(page);
    const secret = fromBase32((await section.locator('code').innerText()).replace(/\s/g, ''));
    let at = Date.now();
    await section.getByLabel('The code that the app shows').fill(totpCode(secret, at));
    await section.getByRole('button', { name: 'Switch on' }).click();
    await section.getByRole('group', { name: 'Recovery codes' }).waitFor();
    const [recovery = ''] = (await section.getByTestId('secret').innerText()).trim().split(/\s+/);
    await checkPage(page);
    await page.keyboard.press('Escape');
    await section.waitFor({ state: 'detached' });
    await rows.getByText('10 recovery codes left').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await typeSignIn(page, 'totp@example.org');
    await page.getByLabel('Code of your authenticator app').fill('000000');
    await checkPage(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The code is wrong').waitFor();
    // A step of time is good once: the next one is of half a minute later.
    at += 30_000;
    await page.getByLabel('Code of your authenticator app').fill(totpCode(secret, at));
    await page.getByRole('button', { name: 'Continue' }).click();
    await rows.getByRole('button', { name: /^Codes and switching off/ }).click();
    await section.getByRole('button', { name: 'Switch off' }).click();
    await section.getByLabel('Your password').fill(PASSWORD);
    await section.getByLabel('Code of your authenticator app').fill(recovery);
    await section.getByRole('button', { name: 'Switch off' }).click();
    await rows.getByRole('button', { name: 'Switch on' }).waitFor();
  });

  test('a new password ends other sessions and opens the same key; a new recovery code replaces the old one', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark' });
    await personAt(world(), page, '/me/security', 'password@example.org');
    const other = await visit();
    await other.goto('/sign-in?next=%2Fme%2Fsecurity');
    await typeSignIn(other, 'password@example.org');
    await other.getByRole('heading', { name: 'Where you are signed in' }).waitFor();

    const password = page.getByRole('dialog', { name: 'Change the password' });
    await page.getByRole('button', { name: 'Change the password' }).click();
    await password.getByLabel('Present password').fill(PASSWORD);
    await password.getByLabel('New password').fill(NEXT_PASSWORD);
    await checkPage(page);
    await password.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password is changed').waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();

    const recovery = page.getByRole('dialog', { name: 'Make a new recovery code' });
    await page.getByRole('button', { name: /^Make a new recovery code/ }).click();
    await recovery.getByLabel('Your password').fill(NEXT_PASSWORD);
    await recovery.getByRole('button', { name: 'Make a new recovery code' }).click();
    const code = (await recovery.getByTestId('secret').innerText()).trim();
    assert.match(code, /^(\w{4}\s+){12}\w{4}$/);
    await checkPage(page);
    await page.keyboard.press('Escape');
    await recovery.waitFor({ state: 'detached' });

    // Typed from paper: without spaces, in small letters, O for 0.
    await page.getByRole('button', { name: /^Try the recovery code You have not tried it yet/ }).click();
    const trying = page.getByRole('dialog', { name: 'Try the recovery code' });
    await trying.getByLabel('Your recovery code').fill(code.slice(0, -1));
    await trying.getByRole('button', { name: 'Check the code' }).click();
    await trying.getByText('The recovery code is mistyped').waitFor();
    await checkPage(page);
    const written = code.replace(/\s/g, '').toLowerCase().replaceAll('0', 'o');
    await trying.getByLabel('Your recovery code').fill(written);
    await trying.getByRole('button', { name: 'Check the code' }).click();
    await trying.getByText('with this code your values open').waitFor();
    await checkPage(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Try the recovery code Last found/ }).waitFor();
    await picture(page, 'security-dark');

    await page.goto('/me/activity');
    const activity = page.getByRole('list', { name: 'Activity' });
    for (const text of ['Recovery code found and tried', 'New recovery code made', 'Password changed'])
      await activity.getByText(text).waitFor();
    await activity.getByText('You made this account').waitFor();
    await checkPage(page);
    await picture(page, 'activity-dark');
  });

  test('another name is kept, and companies see it the next time', async (visit) => {
    const page = await visit({ phone: true });
    await personAt(world(), page, '/me/account', 'named@example.org');
    await page.getByRole('button', { name: 'Name Anna Berg' }).click();
    const sheet = page.getByRole('dialog', { name: 'Name' });
    await sheet.getByLabel('Your name').fill('a\u202eb');
    await sheet.getByRole('button', { name: 'Keep this name' }).click();
    await sheet.getByText('This name cannot be used').waitFor();
    await checkPage(page);
    await sheet.getByLabel('Your name').fill('Anna Lindqvist');
    await sheet.getByRole('button', { name: 'Keep this name' }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Name Anna Lindqvist' }).waitFor();
    await picture(page, 'me-light');
    await page.reload();
    await page.getByRole('button', { name: 'Name Anna Lindqvist' }).waitFor();
  });

  test('another address is kept after codes that are mailed to both, and signs in from then on', async (visit) => {
    const page = await visit({ phone: true });
    await personAt(world(), page, '/me/account', 'before@example.org');
    await page.getByRole('button', { name: 'E-mail address before@example.org' }).click();
    const sheet = page.getByRole('dialog', { name: 'E-mail address' });
    await sheet.getByLabel('New address').fill('after@example.org');
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Continue' }).click();
    await proveByMail(world().platform, sheet, 'before@example.org');
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Mail the code' }).click();
    await sheet.getByText('on its way to after@example.org').waitFor();
    await sheet.getByLabel('Code from the mail').fill('000000');
    await sheet.getByRole('button', { name: 'Confirm the address' }).click();
    await sheet.getByText('The code is wrong').waitFor();
    await checkPage(page);
    const code = await mailedCode(world().platform, 'after@example.org');
    await sheet.getByLabel('Code from the mail').fill(code);
    await sheet.getByRole('button', { name: 'Confirm the address' }).click();
    await sheet.getByText('From now on you sign in with after@example.org').waitFor();
    await checkPage(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'E-mail address after@example.org' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await typeSignIn(page, 'after@example.org');
    await page.getByRole('heading', { name: 'Me', exact: true }).waitFor();
  });

  test('the account is deleted after the address was typed and the password given, and signing in to it fails', async (visit) => {
    const page = await visit({ phone: true });
    await personAt(world(), page, '/me/account', 'leaving@xn--bcher-kva.example');
    const section = page.getByRole('dialog', { name: 'Delete the account' });
    await page.getByRole('button', { name: /^Delete the account/ }).click();
    const typed = section.getByLabel('Type leaving@xn--bcher-kva.example to go on');
    await typed.fill('other@example.org');
    assert.equal(await section.getByLabel('Your password').count(), 0);
    await typed.fill('Leaving@Bücher.example');
    await section.getByLabel('Your password').fill('not the password');
    await checkPage(page);
    await section.getByRole('button', { name: 'Delete for good' }).click();
    await section.getByRole('alert').waitFor();
    await section.getByLabel('Your password').fill(PASSWORD);
    await section.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await typeSignIn(page, 'leaving@xn--bcher-kva.example');
    await page.getByRole('alert').waitFor();
  });

  test('a call that another site makes with the cookie of the session is refused', async (visit) => {
    const page = await visit();
    await registerAt(page, '/register?next=%2Fme%2Fsecurity', 'forged@example.org');
    await page.getByRole('heading', { name: 'Security' }).waitFor();
    // The browser sends the cookie along within a site; what is missing is the token that only the page has.
    const forged = await page.evaluate(async () => {
      const answer = await fetch('/api/person/sessions', { method: 'DELETE' });
      return { status: answer.status, key: (await answer.json()).error_key };
    });
    assert.deepEqual(forged, { status: 403, key: 'auth.anti_forgery' });
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name.includes('person'));
    assert.ok(cookie?.httpOnly && cookie.sameSite === 'Lax');
    const kept = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }));
    assert.doesNotMatch(JSON.stringify(kept), /spp_|secret|key/i);
    world().problems();
  });

  test('what the browser keeps of the key cannot be read', async (visit) => {
    const page = await visit();
    await registerAt(page, '/register?next=%2Fme%2Fsecurity', 'kept@example.org');
    await page.getByRole('heading', { name: 'Security' }).waitFor();
    const read = () =>
      page.evaluate(async () => {
        const opened = indexedDB.open('symbolon');
        const database = await new Promise<IDBDatabase>((resolve) => {
          opened.onsuccess = () => resolve(opened.result);
        });
        const all = database.transaction('keys').objectStore('keys').getAll();
        await new Promise((resolve) => {
          all.onsuccess = resolve;
        });
        database.close();
        return Promise.all(
          all.result.map(async (kept) =>
            crypto.subtle.exportKey('pkcs8', kept.key).then(
              () => 'read',
              (error: Error) => error.name,
            ),
          ),
        );
      });
    assert.deepEqual(await read(), ['InvalidAccessError']);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.deepEqual(await read(), []);
  });

  test('right to left, nothing falls out of the page', async (visit) => {
    const page = await visit({ phone: true });
    await page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () =>
        document.documentElement.setAttribute('dir', 'rtl'),
      );
    });
    await personAt(world(), page, '/me/security', 'rtl@example.org');
    for (const path of ['/me/security', '/me/approvals', '/me/enrolments']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).direction), 'rtl');
      await checkPage(page);
    }
    const device = await PersonClient.login({
      baseUrl: world().url,
      email: 'rtl@example.org',
      password: PASSWORD,
    });
    await device.createField({ type: 'phone', label: 'Mobile', slug: 'mobile', value: '+46855501734' });
    await page.goto('/me/fields');
    const number = page.getByText('+46 8 555 017 34');
    await number.waitFor();
    const [plus, last] = await number.evaluate(({ firstChild }) => {
      const left = (at: number) => {
        const range = document.createRange();
        range.setStart(firstChild as Text, at);
        range.setEnd(firstChild as Text, at + 1);
        return range.getBoundingClientRect().left;
      };
      return [left(0), left(15)];
    });
    assert.ok((plus ?? 0) < (last ?? 0), 'a number is read from its plus on');
  });
});
