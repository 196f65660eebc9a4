import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { checkPage, drawnPhoto, picture } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';

describe('the profile of a company in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());

  test('its language, and whether it is light or dark, are chosen beside it and kept', async (visit) => {
    const company = await registerCompany(world().platform);
    const page = await visit();
    await portalAt(page, '/portal/profile', company);
    await page.getByLabel('Language').selectOption('Deutsch');
    const title = page.getByRole('heading', { name: 'Profil', exact: true });
    await title.waitFor();
    await page.getByLabel('Darstellung').selectOption('Dunkel');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await checkPage(page);
    await picture(page, 'portal-dark');
    await page.reload();
    await title.waitFor();
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  });

  test('shows how people see it, and its name, photos and card are changed', async (visit) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Harbour Bikes');
    const { token } = company;
    const page = await visit();
    await portalAt(page, '/portal/profile', company);
    await page.getByText(`Code ${company.code}`).waitFor();
    await page.getByText('No photos yet').waitFor();
    await page.getByText('Nothing on it yet').waitFor();
    await checkPage(page);

    await page.getByRole('textbox', { name: 'Name of the company' }).fill('Harbour Bikes and Boats');
    await page.getByText('Everybody who is connected sees the new name at once.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const seen = page.getByRole('list', { name: 'As they see it' });
    await seen.getByText('Harbour Bikes and Boats').waitFor();

    const photo = { name: 'shop.png', mimeType: 'image/png', buffer: await drawnPhoto(page) };
    await page.locator('input[type=file]').setInputFiles(photo);
    // The first one is shown beside the name.
    await page.getByText('Beside your name', { exact: true }).waitFor();
    await seen.locator('img').waitFor();
    const shown = await seen
      .locator('img')
      .evaluate((image: HTMLImageElement) => image.decode().then(() => true));
    assert.equal(shown, true);

    await page.getByRole('button', { name: 'Add to the card' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Email/ })
      .click();
    await checkPage(page);
    await page.getByRole('dialog').getByRole('textbox').fill('no address');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    // The browser says what is wrong with it.
    assert.equal((await page.getByRole('dialog').locator(':invalid').count()) > 0, true);
    await page.getByRole('dialog').getByRole('textbox').fill('hello@harbour.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const card = page.getByRole('list', { name: 'Business card' });
    await card.getByText('hello@harbour.example').waitFor();
    await checkPage(page);
    await picture(page, 'portal-profile');

    await card.getByRole('button').click();
    await page.getByRole('dialog').getByRole('textbox').fill('ahoy@harbour.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await card.getByText('ahoy@harbour.example').waitFor();
    const { contact_data: values } = await platform.must('GET', '/api/contact-data', { token });
    assert.deepEqual(
      values.map(({ value }: { value: string }) => value),
      ['ahoy@harbour.example'],
    );
    await card.getByRole('button').click();
    await page.getByRole('button', { name: 'Take off the card' }).click();
    await page.getByText('Nothing on it yet').waitFor();

    await page.getByRole('button', { name: /^Take off: Photo 1/ }).click();
    await page.getByRole('button', { name: /^Show beside the name/ }).waitFor();
    await page.getByRole('button', { name: /^Delete: Photo 1/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No photos yet').waitFor();
    const { display_name: name, photo: left } = await platform.must('GET', '/api/profile', { token });
    assert.deepEqual([name, left], ['Harbour Bikes and Boats', null]);
  });

  test('on a phone in German, in the dark', async (visit) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Hafenräder');
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, '/portal/profile', company);
    await page.getByText('Noch keine Fotos').waitFor();
    await page.getByRole('button', { name: 'Zur Karte hinzufügen' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Anschrift|^Adresse/ })
      .first()
      .click();
    await checkPage(page);
  });
});
