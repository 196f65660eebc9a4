import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { PersonClient } from '@symbolon/sdk/person';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { personAt, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';

describe('what a person has typed', { skip }, () => {
  const { world, test } = browserTests();

  test('in a change of a field survives Back, a reload and a session that ends while it is saved', async (visit) => {
    const page = await visit({ phone: true });
    const email = 'kept-change@example.org';
    await personAt(world(), page, '/icon.svg', email);
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    await device.createField({ type: 'text', label: 'Motto', slug: 'motto', value: 'old' });
    await page.goto('/me/fields');
    await page.getByRole('button', { name: /Motto/ }).click();
    await page.getByRole('button', { name: 'Change Motto' }).click();
    const input = page.getByRole('textbox', { name: 'Motto' });
    const stands = async () => {
      await input.waitFor();
      await page.waitForFunction(() =>
        [...document.querySelectorAll('input')].some(({ value }) => value === 'half made'),
      );
    };
    await input.fill('half made');
    await page.goBack();
    await input.waitFor({ state: 'detached' });
    await page.goForward();
    await stands();
    await page.reload();
    await stands();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await typeSignIn(page, email);
    await stands();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await input.waitFor({ state: 'detached' });
    await page.getByRole('dialog', { name: 'Motto' }).getByText('half made').waitFor();
    // What is saved is no draft any more.
    await page.getByRole('button', { name: 'Change Motto' }).click();
    await input.fill('given up');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Change Motto' }).click();
    assert.equal(await input.inputValue(), 'half made');
  });

  test('in a new field is there when the page is loaded again, with its name', async (visit) => {
    const page = await visit();
    await personAt(world(), page, '/me/fields?add=text', 'kept-new@example.org');
    await page.getByLabel('What do you call it?').fill('Motto');
    await page.getByRole('textbox', { name: 'Motto: your answer' }).fill('half made');
    await page.reload();
    await page.waitForFunction(() => {
      const values = [...document.querySelectorAll('input')].map(({ value }) => value);
      return values.includes('half made') && values.includes('Motto');
    });
  });
});
