import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import {
  type AskingService,
  asked,
  createAskingService,
  enrol,
  poll,
  setNumberMatching,
} from '@symbolon/testkit/actors/second-factor';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { personAt, signedIn } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import type { Locator, Page } from 'playwright-core';

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'Acme asks: is this you?' });

describe('approvals in the browser', { skip }, () => {
  const { world, test } = browserTests();
  let service: AskingService;

  before(async () => {
    if (!skip) service = await createAskingService(world().platform);
  });

  test('a card arrives by itself, and is approved by the digits and the password', async (visit) => {
    const { platform } = world();
    await setNumberMatching(platform, service, true);
    const page = await visit({ phone: true });
    const person = await personAt(world(), page, '/me/approvals', 'approvals@example.org');
    await page.getByText('Nobody asks you now').waitFor();
    await checkPage(page);
    await enrol(platform, person, service);
    const context = 'Sign-in from Berlin, Firefox on Linux';
    const { challenge_id: id, matching_digits = '' } = await asked(platform, service, person, { context });
    const card = sheetOf(page);
    await card.getByText(context).waitFor();
    await checkPage(page);
    assert.ok(await card.getByRole('button', { name: 'Approve' }).isDisabled(), 'not without the digits');
    await card.getByLabel('Digit 1').pressSequentially(matching_digits);
    await picture(page, 'approval');
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByLabel('Your password').fill('not the password 5');
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByText('is wrong').waitFor();
    assert.equal(await card.getByLabel('Your password').inputValue(), 'not the password 5');
    await card.getByLabel('Your password').fill(PASSWORD);
    await checkPage(page);
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByText('Approved').waitFor();
    await checkPage(page);
    assert.equal((await poll(platform, service, id)).body.status, 'approved');
  });

  test('a card comes over whatever is open, is put off, comes back when the app is looked at again, and is disowned in one act', async (visit) => {
    const { platform } = world();
    const another = await createAskingService(platform);
    const page = await visit({ phone: true, colorScheme: 'dark' });
    const person = await personAt(world(), page, '/me/fields', 'over@example.org');
    await page.getByRole('button', { name: 'Add to your data' }).click();
    const adding = page.getByRole('dialog', { name: 'Add to your data' });
    await adding.waitFor();
    await enrol(platform, person, another);
    const { challenge_id: id } = await asked(platform, another, person);
    const card = sheetOf(page);
    await card.waitFor();
    // No key that a person is typing answers it.
    await page.keyboard.press('Enter');
    await card.getByRole('button', { name: 'Approve' }).waitFor();
    await checkPage(page);
    await picture(page, 'approval-dark');
    // Escape closes the upper sheet alone.
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    assert.ok(await adding.isVisible());
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await card.waitFor();
    await card.getByRole('button', { name: 'Not now' }).click();
    await card.waitFor({ state: 'detached' });
    // However the app is opened, it comes first.
    await page.goto('/me/security');
    await card.waitFor();
    await card.getByRole('button', { name: 'Not now' }).click();
    await page.goto('/me');
    await card.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('link', { name: /asks whether a login is yours/ }).click();
    await card.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('button', { name: /Acme asks: is this you\?/ }).click();
    await card.getByRole('button', { name: 'No, this wasn’t me' }).click();
    await card.getByText('Denied', { exact: true }).waitFor();
    await card.getByText('Acme was told.').waitFor();
    await checkPage(page);
    assert.equal((await poll(platform, another, id)).body.status, 'denied');
    await card.getByRole('link', { name: 'Let it ask no more' }).click();
    await page.getByRole('button', { name: /^Shop/ }).click();
    await page.getByRole('dialog', { name: 'Shop' }).getByRole('switch').check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Shop.*muted/ }).waitFor();
    assert.equal(await card.count(), 0);
  });

  test('a card is approved with its digits by the keyboard alone, and the focus is never lost', async (visit) => {
    const { platform } = world();
    await setNumberMatching(platform, service, true);
    const page = await visit();
    const person = await personAt(world(), page, '/me/approvals', 'keyboard@example.org');
    await page.getByText('Nobody asks you now').waitFor();
    await enrol(platform, person, service);
    const { challenge_id: id, matching_digits = '' } = await asked(platform, service, person);
    const card = sheetOf(page);
    await card.waitFor();
    const focused = () => page.locator(':focus');
    const hasFocus = (element: Locator) => element.evaluate((node) => node === document.activeElement);
    /** Goes on with the key until something has the focus; each stop on the way is one that can be seen. */
    const tabTo = async (target: Locator) => {
      for (let stops = 0; stops < 20; stops++) {
        await page.keyboard.press('Tab');
        const box = await focused().boundingBox();
        assert.ok(box !== null && box.width > 0, 'the focus is on nothing');
        if (await hasFocus(target)) return;
      }
      assert.fail('the focus does not get there');
    };
    await tabTo(card.getByLabel('Digit 1'));
    // A wrong digit is taken back by the keyboard too.
    const [first = '', second = ''] = matching_digits;
    await page.keyboard.type(first === '9' ? '8' : '9');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.type(first + second);
    assert.deepEqual(
      await Promise.all([1, 2].map((digit) => card.getByLabel(`Digit ${digit}`).inputValue())),
      [first, second],
    );
    await tabTo(card.getByRole('button', { name: 'Approve' }));
    // What takes the place of a button that was pressed has the focus.
    const password = card.getByLabel('Your password');
    await page.keyboard.press('Enter');
    await password.waitFor();
    assert.ok(await hasFocus(password));
    await tabTo(card.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Enter');
    const approve = card.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    assert.ok(await hasFocus(approve));
    await page.keyboard.press('Enter');
    await password.waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await card.getByText('Approved').waitFor();
    assert.equal((await poll(platform, service, id)).body.status, 'approved');
    await tabTo(card.getByRole('button', { name: 'Close' }).last());
    await page.keyboard.press('Enter');
    await page.getByText('Nobody asks you now').waitFor();
  });

  test('a card is denied as not mine, and goes on the other device; wrong digits deny at the third try', async (visit) => {
    const { platform } = world();
    await setNumberMatching(platform, service, true);
    const page = await visit({ colorScheme: 'dark' });
    const person = await personAt(world(), page, '/me/approvals', 'denials@example.org');
    await page.getByText('Nobody asks you now').waitFor();
    await enrol(platform, person, service);
    const other = await page.context().newPage();
    await other.goto('/me/approvals');
    await other.getByText('Nobody asks you now').waitFor();
    const first = await asked(platform, service, person);
    await sheetOf(other).waitFor();
    const card = sheetOf(page);
    await card.getByRole('button', { name: 'No, this wasn’t me' }).click();
    await card.getByText('Denied', { exact: true }).waitFor();
    await other.getByText('Answered elsewhere').waitFor();
    assert.equal((await poll(platform, service, first.challenge_id)).body.status, 'denied');
    await card.getByRole('button', { name: 'Close' }).last().click();

    // A disowned service hears nothing for a while: another one asks.
    const another = await createAskingService(platform);
    await setNumberMatching(platform, another, true);
    await enrol(platform, person, another);
    const second = await asked(platform, another, person);
    const wrong = second.matching_digits === '11' ? '12' : '11';
    for (const left of [2, 1, 0]) {
      await page.getByLabel('Digit 1').fill('');
      await page.getByLabel('Digit 1').pressSequentially(wrong);
      await card.getByRole('button', { name: 'Approve' }).click();
      await card.getByLabel('Your password').fill(PASSWORD);
      await card.getByRole('button', { name: 'Approve' }).click();
      if (left > 0) await page.getByText('These are not the digits').waitFor();
    }
    await page.getByText('Denied', { exact: true }).waitFor();
    assert.equal((await poll(platform, another, second.challenge_id)).body.status, 'denied');
  });

  test('a service is muted, heard again, and its enrolment ended with a proof', async (visit) => {
    const { platform } = world();
    const page = await visit({ locale: 'de-DE' });
    await page.goto('/register?next=%2Fme%2Fapprovals');
    await page.getByLabel('Ihr Name').fill('Ada');
    await page.getByLabel('E-Mail-Adresse').fill('services@example.org');
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Konto anlegen' }).click();
    const code = await page.getByTestId('secret').innerText();
    await page.getByRole('button', { name: 'Ich habe den Code aufbewahrt' }).click();
    await page.getByLabel('Ihr Wiederherstellungscode').fill(code);
    await page.getByRole('button', { name: 'Prüfen und weiter' }).click();
    await page.getByText('Gerade fragt Sie niemand').waitFor();
    const person = await signedIn(page);
    await enrol(platform, person, service);
    await page.getByRole('link', { name: 'Firmen' }).click();
    await page.getByRole('region', { name: 'Darf nach Anmeldungen fragen' }).getByRole('link').click();
    const opened = () => page.getByRole('button', { name: /^Shop/ }).click();
    const row = page.getByRole('dialog', { name: 'Shop' });
    await opened();
    await row.waitFor();
    await checkPage(page);
    const muted = row.getByRole('switch');
    // The switch moves before the platform has answered.
    const stored = page.waitForResponse((answer) => answer.request().method() !== 'GET');
    await muted.check();
    assert.ok((await stored).ok());
    await page.reload();
    await opened();
    await row.getByRole('switch', { checked: true }).waitFor();
    const done = page.getByRole('region', { name: 'Was eben geschah' });
    await muted.uncheck();
    await done.getByText('Shop darf wieder fragen').waitFor();
    await done.getByRole('button', { name: 'Rückgängig' }).click();
    await row.getByRole('switch', { checked: true }).waitFor();
    await muted.uncheck();
    await row.getByRole('button', { name: 'Einschreibung bei Shop beenden' }).click();
    await row.getByLabel('Ihr Passwort').fill(PASSWORD);
    await checkPage(page);
    await row.getByRole('button', { name: 'Einschreibung bei Shop beenden' }).click();
    await page.getByText('Noch darf Sie kein Dienst fragen').waitFor();
  });
});
