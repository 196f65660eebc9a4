import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { browserTests, skip } from '@symbolon/testkit/browser/world';

describe('what a form lacks', { skip }, () => {
  const { test } = browserTests();

  test('is said in the language of the page, and no longer once it is there', async (visit) => {
    const page = await visit({ locale: 'de-DE' });
    await page.goto('/register');
    const submit = page.getByRole('button', { name: 'Konto anlegen' });
    const said = () => page.evaluate(() => (document.activeElement as HTMLInputElement).validationMessage);
    await submit.click();
    assert.equal(await said(), 'Füllen Sie dieses Feld aus.');
    await page.locator('input[name=name]').fill('Lena');
    assert.equal(await said(), '');
    for (const address of ['lena', 'lena@post']) {
      await page.locator('input[name=email]').fill(address);
      await submit.click();
      assert.equal(await said(), 'Schreiben Sie eine Adresse wie name@example.org.');
    }
    await page.locator('input[name=email]').fill('lena@example.org');
    await submit.click();
    assert.equal(await said(), 'Füllen Sie dieses Feld aus.');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'password');
  });

  test('people who want no motion see none', async (visit) => {
    const page = await visit();
    for (const path of ['/', '/register', '/portal', '/operator']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .filter((element) =>
            getComputedStyle(element)
              .transitionDuration.split(', ')
              .some((time) => Number.parseFloat(time) > 0.01),
          )
          .map(({ outerHTML }) => outerHTML.slice(0, 200)),
      );
      assert.deepEqual(moving, [], path);
    }
  });
});
