import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { PersonClient } from '@symbolon/sdk/person';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { createApp, signIn } from '@symbolon/testkit/actors/consent';
import { fileOf, leasePdf } from '@symbolon/testkit/actors/files';
import { enrol } from '@symbolon/testkit/actors/second-factor';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { personAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';

describe('the places of the app in the browser', { skip }, () => {
  const { world, test } = browserTests();
  let shop: TalkingService;
  const rows = [
    { slug: 'phone', label: 'Your telephone', type: 'phone', mandatory_connected: true },
    { slug: 'size', label: 'Size of your bike', type: 'text' },
  ];
  before(async () => {
    if (skip) return;
    shop = await talkingService(world().platform, { name: 'Bike Club', service: 'Repairs', rows });
  });
  after(() => shop?.client.close());

  for (const [device, look] of [
    ['phone', { phone: true }],
    ['desk', {}],
    ['dark', { phone: true, colorScheme: 'dark' }],
  ] as const)
    test(`a person keeps data, connects by a code and finds everything of the company in one place (${device})`, async (visit) => {
      const email = `places-${device}@example.org`;
      const page = await visit(look);
      const person = await personAt(world(), page, '/me', email);
      await page.getByRole('heading', { level: 1, name: /^Good .*, Anna$/ }).waitFor();
      await page.getByText('Nothing waits for you').waitFor();
      const first = page.getByRole('region', { name: 'First steps' });
      await first.getByRole('link', { name: /^Add your first details/ }).waitFor();
      await first.getByRole('link', { name: /^Scan or type a code/ }).waitFor();
      await checkPage(page);
      const places = page.getByRole('navigation', { name: 'Your pages' });

      await places.getByRole('link', { name: 'My data' }).click();
      await page.getByText('You keep nothing yet').waitFor();
      await page.getByRole('button', { name: 'Add to your data' }).click();
      await page.getByRole('dialog', { name: 'Add to your data' }).waitFor();
      const sheet = page.getByRole('dialog');
      await checkPage(page);
      await picture(page, `person-add-${device}`);
      await sheet.getByRole('button', { name: /^Phone number/ }).click();
      await sheet.getByLabel('What do you call it?').fill('Mobile');
      await sheet.getByLabel('Mobile: your answer').fill('+49 30 901820');
      await sheet.getByRole('button', { name: 'Keep it' }).click();
      await sheet.waitFor({ state: 'detached' });
      const reach = page.getByRole('region', { name: 'Reach me' });
      await reach.getByRole('button', { name: /Mobile · not shared/ }).waitFor();

      await places.getByRole('link', { name: 'Connect' }).click();
      // In the hand the camera comes first, and the browser is not asked for it before a press.
      if (device !== 'desk') {
        await page.getByRole('button', { name: 'Open the camera' }).waitFor();
        assert.equal(await page.locator('video').count(), 0);
        await checkPage(page);
        await page.getByText('Type a code', { exact: true }).click();
      }
      await page.getByLabel('Code of the company and its service').fill('nothing');
      await page.getByRole('button', { name: 'Look up' }).click();
      await page.getByText('These are not two codes.').waitFor();
      await checkPage(page);
      await picture(page, `person-connect-${device}`);
      await page
        .getByLabel('Code of the company and its service')
        .fill(`${shop.company.code.toLowerCase()} ${shop.code.toLowerCase()}`);
      await page.getByRole('button', { name: 'Look up' }).click();
      await page.getByRole('heading', { name: 'Bike Club' }).waitFor();
      await page.getByRole('radio', { name: /901820/ }).click();
      await checkPage(page);
      await picture(page, `person-connecting-${device}`);
      await page.getByRole('button', { name: 'Share 1 answer and connect with Bike Club' }).click();
      await page.getByRole('link', { name: 'Open Bike Club' }).click();

      const yours = page.getByRole('region', { name: 'What you share with Bike Club' });
      await yours.getByRole('button', { name: /901820 Your telephone/ }).waitFor();
      await checkPage(page);
      await picture(page, `person-company-${device}`);
      const people = [];
      for await (const { values } of shop.client.connections()) people.push(values.phone?.value);
      assert.equal(people.at(-1), '+4930901820');

      const other = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
      const [connection] = await other.connections();
      assert.ok(connection);
      await enrol(world().platform, person, shop);
      await signIn(world().platform, await createApp(world().platform, shop.company), person);
      await shop.client.messages.send(connection.connection_id, 'Your bike is ready.');
      await shop.client.documents.create({
        name: 'Lease of a bicycle',
        kind: 'agreement',
        to: { connectionId: connection.connection_id },
        requiresSignature: true,
        content: fileOf('lease.pdf', 'application/pdf', leasePdf()),
        metadata: { can_be_cancelled_in_app: true },
      });
      await page.reload();
      await page
        .getByRole('region', { name: 'Bike Club may ask you to approve sign-ins' })
        .getByText('Repairs')
        .waitFor();
      await page.getByRole('link', { name: 'Messages', exact: true }).click();
      await page.getByText('Your bike is ready.').waitFor();
      await checkPage(page);
      await page.getByRole('link', { name: 'Documents', exact: true }).click();
      await page.getByRole('link', { name: /Lease of a bicycle/ }).click();
      await page.getByRole('heading', { level: 1, name: 'Lease of a bicycle' }).waitFor();
      // Back to the company that it was opened from, where it was opened.
      await page.getByRole('main').getByRole('link', { name: 'Bike Club', exact: true }).click();
      await page.getByRole('link', { name: /Lease of a bicycle/ }).waitFor();
      await checkPage(page);
      await page.getByRole('link', { name: 'Activity', exact: true }).click();
      const activity = page.getByRole('list', { name: 'Activity' });
      await activity.getByText('You connected').waitFor();
      await activity.getByText('You answered Web shop').waitFor();
      await checkPage(page);
      await picture(page, `person-activity-${device}`);

      await places.getByRole('link', { name: /^Home/ }).click();
      const waits = page.getByRole('region', { name: 'Waiting for you' });
      await waits.getByRole('link', { name: 'Bike Club asks you to sign Lease of a bicycle' }).waitFor();
      assert.equal(await first.count(), 0);
      await page.getByRole('region', { name: 'Lately' }).getByText('Bike Club sent a document').waitFor();
      await checkPage(page);
      await picture(page, `person-home-${device}`);
      await places.getByRole('link', { name: 'Companies' }).click();
      await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor();
      await page.getByRole('link', { name: 'Bike Club Repairs · 1 answer' }).waitFor();
      await checkPage(page);
      await picture(page, `person-companies-${device}`);
      await places.getByRole('link', { name: 'My data' }).click();
      await page.getByRole('button', { name: /Mobile · shared with 1/ }).click();
      await page
        .getByRole('dialog')
        .getByRole('link', { name: /Bike Club/ })
        .waitFor();
      await checkPage(page);
      await picture(page, `person-field-${device}`);
      await page.keyboard.press('Escape');
      await picture(page, `person-data-${device}`);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await places.getByRole('link', { name: 'Me', exact: true }).click();
      await page.getByRole('link', { name: /^Passkeys/ }).waitFor();
      await checkPage(page);
      await picture(page, `person-me-${device}`);
    });
});
