import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { fingerprint, fingerprintWords } from '@symbolon/crypto';
import { PersonClient } from '@symbolon/sdk/person';
import { createService, PASSWORD, publish } from '@symbolon/testkit/actors/actors';
import { fileOf, leasePdf } from '@symbolon/testkit/actors/files';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { checkPage, drawnPhoto } from '@symbolon/testkit/browser/looks';
import { personAt, proveByMail } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { eventually } from '@symbolon/testkit/platform/eventually';
import type { Locator } from 'playwright-core';

describe('the overview and connections in the browser', { skip }, () => {
  const { world, test } = browserTests();
  let shop: TalkingService;
  const rows = [
    { slug: 'phone', label: 'Your telephone', type: 'phone', mandatory_connected: true },
    { slug: 'size', label: 'Size of your bike', type: 'text' },
    { slug: 'country', label: 'Where you live', type: 'country' },
  ];
  before(async () => {
    if (skip) return;
    shop = await talkingService(world().platform, { name: 'Bike Club', service: 'Repairs', rows });
  });
  after(() => shop?.client.close());

  test('what waits stands on the overview; a person sees, changes and ends what is shared', async (visit) => {
    const email = 'sharing@example.org';
    const page = await visit({ phone: true });
    await personAt(world(), page, '/me', email);
    await page.getByText('Nothing waits for you').waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'Companies' }).click();
    await page.getByText('You are not connected to a service yet').waitFor();
    await checkPage(page);

    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    const old = await device.createField({ type: 'phone', label: 'Old', slug: 'old', value: '+4930901820' });
    await device.createField({ type: 'phone', label: 'New', slug: 'new', value: '+4930901821' });
    const country = await device.createField({ type: 'country', label: 'Home', slug: 'home', value: 'SE' });
    const { connection_id: connectionId } = await device.connect(shop.company.code, shop.code, {
      phone: { field: old.id },
      size: { value: 'L' },
      country: { field: country.id },
    });
    const given = async () => {
      for await (const { values } of shop.client.connections())
        return [values.phone?.value, values.size?.value];
      return undefined;
    };
    await page.reload();
    await page.getByRole('link', { name: /^Bike Club/ }).click();
    const phone = page.getByRole('button', { name: /Your telephone/ });
    await phone.getByText('+49 30 901820').waitFor();
    await phone.getByText('live', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /Where you live/ })
      .getByText('Sweden')
      .waitFor();
    const size = page.getByRole('button', { name: /Size of your bike/ });
    await size.getByText('once', { exact: true }).waitFor();
    await checkPage(page);

    // What the service needs as long as they are connected is changed, not taken away.
    await phone.click();
    const sheet = page.getByRole('dialog');
    const change = sheet.getByRole('button', { name: 'Change Your telephone' });
    await change.waitFor();
    assert.equal(await sheet.getByRole('button', { name: 'Stop sharing' }).count(), 0);
    await change.click();
    await sheet.getByRole('radio', { name: /\+49 30 901821/ }).click();
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Share 1 answer with Bike Club' }).click();
    await sheet.waitFor({ state: 'detached' });
    await phone.getByText('+49 30 901821').waitFor();
    await size.click();
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Stop sharing Size of your bike' }).click();
    await size.getByText('not shared').waitFor();
    assert.deepEqual(await given(), ['+4930901821', null]);

    // What this device has is shared again as it was; what was typed is gone.
    const done = page.getByRole('region', { name: 'What was just done' });
    const undo = done.getByRole('button', { name: 'Undo' });
    assert.equal(await undo.count(), 0);
    const home = page.getByRole('button', { name: /Where you live/ });
    await home.click();
    await sheet.getByRole('button', { name: 'Stop sharing Where you live' }).click();
    await home.getByText('not shared').waitFor();
    await done.getByText('Where you live is no longer shared').waitFor();
    await checkPage(page);
    await undo.click();
    await home.getByText('Sweden').waitFor();
    await home.getByText('live', { exact: true }).waitFor();
    const again = await device.connections();
    assert.ok(again[0]?.mappings.some(({ slug, kind }) => slug === 'country' && kind === 'live'));

    // The service asks for more; the overview says so.
    const more = [...rows, { slug: 'city', label: 'Your city', type: 'text' }];
    await publish(world().platform, shop.company, shop.id, more);
    await page.goto('/me');
    const waits = page.getByRole('region', { name: 'Waiting for you' });
    await waits.getByRole('link', { name: 'Bike Club asks for more of your data' }).waitFor();
    await shop.client.messages.send(connectionId, 'Your bike is ready.');
    await waits.getByRole('link', { name: '1 unread message from Bike Club' }).waitFor();
    await checkPage(page);
    await waits.getByRole('link', { name: 'asks for more' }).click();
    await page.getByRole('button', { name: /^Bike Club asks for more/ }).click();
    const asks = page.getByRole('dialog', { name: 'Bike Club asks for more' });
    const city = asks.getByRole('group', { name: 'Your city' });
    await city.getByRole('button', { name: 'Add another answer' }).click();
    await city.getByRole('textbox').fill('Berlin');
    await city.getByRole('button', { name: 'Keep this answer' }).click();
    await checkPage(page);
    await asks.getByRole('button', { name: 'Share 1 answer with Bike Club' }).click();
    await page
      .getByRole('button', { name: /Your city/ })
      .getByText('Berlin')
      .waitFor();
    await asks.waitFor({ state: 'detached' });

    // A contract in force keeps the connection, in words.
    const { id } = await shop.client.documents.create({
      name: 'Lease',
      kind: 'agreement',
      to: { connectionId },
      requiresSignature: true,
      content: fileOf('lease.pdf', 'application/pdf', leasePdf()),
      metadata: { can_be_cancelled_in_app: true },
    });
    await page.goto(`/me/documents/${id}`);
    const act = page.getByRole('region', { name: 'Sign Lease' });
    await act.getByRole('button', { name: 'Go on to signing' }).click();
    await proveByMail(world().platform, act, email);
    await act.getByRole('button', { name: 'Sign Lease' }).click();
    await page.getByText('Signed by Anna Berg').first().waitFor();
    await page.goto(`/me/connections/${connectionId}`);
    const ending = page.getByRole('dialog', { name: 'End this connection' });
    await page.getByRole('button', { name: 'End the connection with Bike Club' }).click();
    const end = ending.getByRole('button', { name: 'End the connection with Bike Club' });
    await ending.getByText('All messages between Bike Club and you are deleted').waitFor();
    // As narrow as phones are: the button that names the company has room all the same.
    const wide = page.viewportSize();
    await page.setViewportSize({ width: 320, height: 640 });
    await checkPage(page);
    if (wide) await page.setViewportSize(wide);
    await end.click();
    await ending.getByRole('alert').getByText('Cancel the contract under Documents first').waitFor();
    await checkPage(page);
    await device.documents.cancel(id);
    await shop.client.changes();
    await page.goto(`/me/connections/${connectionId}?tab=activity`);
    const activity = page.getByRole('list', { name: 'Activity' });
    const happenings = [
      'A document has ended',
      'You signed',
      'Sent you a document',
      'You sent the latest Your telephone',
      // It was taken away meanwhile, and shared again.
      'You sent the latest Where you live',
    ];
    for (const happening of happenings) await activity.getByText(happening, { exact: true }).waitFor();
    await checkPage(page);
    await page.goto('/me/activity');
    for (const happening of ['You signed a document of Bike Club', 'You sent the latest Your telephone'])
      await activity.getByText(happening, { exact: true }).waitFor();
    await checkPage(page);
    await page.goto(`/me/connections/${connectionId}`);
    await page.getByRole('button', { name: 'End the connection with Bike Club' }).click();
    await end.click();
    await page.getByRole('heading', { name: 'You are no longer connected with Bike Club' }).waitFor();
    await checkPage(page);
    assert.equal(await given(), undefined);
    assert.deepEqual(
      (await shop.client.changes()).map(({ event }) => event),
      ['connection_deleted'],
    );
  });

  test('a company with two services stands in one row with its picture, and leads to each of them', async (visit) => {
    const { platform, url } = world();
    const email = 'two-services@example.org';
    const page = await visit();
    await personAt(world(), page, '/me/connections', email);
    const rental = await createService(platform, shop.company, [], 'Rental');
    const { token } = shop.company;
    const file = (await drawnPhoto(page)).toString('base64');
    const photo = await platform.must('POST', '/api/photos', { token, body: { file } });
    await platform.must('PUT', '/api/photos/profile', { token, body: { photo_id: photo.id } });
    const device = await PersonClient.login({ baseUrl: url, email, password: PASSWORD });
    const phone = await device.createField({ type: 'phone', label: 'P', slug: 'p', value: '+4930901820' });
    const drawnIn = (place: Locator) =>
      eventually('the picture of the company is drawn', async () => {
        const image = place.locator('img').first();
        return (await image.evaluate((drawn) => (drawn as HTMLImageElement).naturalWidth)) > 0 || undefined;
      });

    // Who it is stands there before anything is given: the picture, and the words that the company can read out.
    await page.goto(`/me/connect?code=${shop.company.code}/${rental.code}`);
    const words = await fingerprintWords(await fingerprint(rental.publicKey));
    await page.getByText(words).waitFor();
    await drawnIn(page.getByRole('main'));
    await checkPage(page);
    await device.connect(shop.company.code, shop.code, { phone: { field: phone.id } });
    const { connection_id: rents } = await device.connect(shop.company.code, rental.code, {});

    await page.goto('/me/connections');
    const rows = page.getByRole('list', { name: 'Companies' }).getByRole('link');
    await rows.getByText('Repairs, Rental').waitFor();
    assert.equal(await rows.count(), 1);
    await drawnIn(rows);
    await checkPage(page);
    await rows.click();
    const services = page.getByRole('navigation', { name: 'Services of Bike Club' });
    await services.getByRole('link', { name: 'Rental' }).click();
    await page.waitForURL(`**/me/connections/${rents}`);
    await services.getByRole('link', { name: 'Rental' }).and(page.locator('[aria-current=page]')).waitFor();
    await page.getByText(words).waitFor();
    await checkPage(page);
  });
});
