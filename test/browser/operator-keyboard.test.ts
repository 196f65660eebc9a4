import { describe } from 'node:test';
import { registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import { Keyboard } from '@symbolon/testkit/browser/keyboard';
import { operatorAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { OPERATOR } from '@symbolon/testkit/platform/places';
import type { Page } from 'playwright-core';

describe("the operator's console by the keyboard alone", { skip }, () => {
  const { world, test } = browserTests();
  const button = (at: Pick<Page, 'getByRole'>, name: string | RegExp) =>
    at.getByRole('button', { name, exact: typeof name === 'string' });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test('an operator signs in after a mistake, finds a company, sets its level and suspends its messages', async (visit) => {
    await registerCompany(world().platform, 'Zebra Keys');
    const page = await visit();
    const keyboard = new Keyboard(page);
    await page.goto('/operator/companies');
    const token = page.getByLabel('Operator token', { exact: true });
    await token.waitFor();
    await keyboard.type(token, `${OPERATOR}x`);
    await keyboard.keys('Enter');
    await page.getByText('This is not the operator token of this platform.').waitFor();
    await keyboard.type(token, OPERATOR);
    await keyboard.keys('Enter');
    await heading(page, 'Companies').waitFor();
    await keyboard.type(page.getByLabel('Search by name, address or code'), 'zebra k');
    await page.waitForURL(/q=zebra/);
    await keyboard.press(page.getByRole('link', { name: 'Zebra Keys' }));
    await heading(page, 'Zebra Keys').waitFor();
    const sheet = page.getByRole('dialog');
    const change = button(page, 'Change');
    await keyboard.open(change, sheet);
    await keyboard.to(sheet.getByLabel('Level'));
    await page.keyboard.type('basic');
    await keyboard.press(button(sheet, 'Set the level'));
    await keyboard.isBackAt(change);
    await keyboard.open(button(page, 'Suspend: Broadcasts'), sheet);
    await keyboard.press(button(sheet, 'Suspend'));
    await keyboard.isBackAt(button(page, 'Allow again: Broadcasts'));
  });

  test('an operator gives a person a code and takes it back', async (visit) => {
    await registerPerson(world().platform, 'Quentin Keys');
    const page = await visit();
    const keyboard = new Keyboard(page);
    await operatorAt(page, '/operator/people?q=quentin');
    const sheet = page.getByRole('dialog');
    const give = button(page, 'Give: Quentin Keys');
    await keyboard.open(give, sheet);
    await keyboard.type(sheet.getByLabel('Share code'), 'quentink');
    await keyboard.press(button(sheet, 'Give the code'));
    await keyboard.isBackAt(give);
    await keyboard.open(button(page, 'Take back QUENTINK'), sheet);
    await keyboard.press(button(sheet, 'Take it back'));
    await button(page, 'Take back QUENTINK').waitFor({ state: 'detached' });
    await sheet.waitFor({ state: 'detached' });
    await keyboard.isIn(page.getByRole('main'));
  });

  test('an operator pauses saving and resumes it, and sends a test mail', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    await operatorAt(page, '/operator/maintenance');
    const sheet = page.getByRole('dialog');
    await keyboard.open(button(page, 'Pause saving'), sheet);
    await keyboard.type(sheet.getByLabel('Why'), 'upgrade');
    await keyboard.press(button(sheet, 'Pause saving'));
    await page.getByText('Saving is paused').waitFor();
    const resume = button(page, 'Resume saving');
    await keyboard.isBackAt(resume);
    await keyboard.open(resume, sheet);
    await keyboard.press(button(sheet, 'Resume saving'));
    await keyboard.isBackAt(button(page, 'Pause saving'));
    await page.goto('/operator/mail');
    await heading(page, 'Mail').waitFor();
    await keyboard.type(page.getByLabel('To', { exact: true }), 'ops@example.com');
    await keyboard.press(button(page, 'Send a test mail'));
    await page.getByText('No mail server is configured').waitFor();
    await keyboard.isIn(page.getByRole('main'));
  });
});
