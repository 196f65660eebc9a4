import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe } from 'node:test';
import { PersonClient } from '@symbolon/sdk/person';
import { PASSWORD, publish, registerCompany } from '@symbolon/testkit/actors/actors';
import { createApp, parametersFor, type TestApp } from '@symbolon/testkit/actors/consent';
import { fileOf, leasePdf } from '@symbolon/testkit/actors/files';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import {
  asked,
  createAskingService,
  enrol,
  poll,
  setNumberMatching,
} from '@symbolon/testkit/actors/second-factor';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { Keyboard } from '@symbolon/testkit/browser/keyboard';
import { isDrawn } from '@symbolon/testkit/browser/looks';
import { newPerson, personAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { listening } from '@symbolon/testkit/servers/listening';
import type { Page } from 'playwright-core';

describe('by the keyboard alone', { skip }, () => {
  const { world, test } = browserTests();
  let shop: TalkingService;
  const rows = [
    { slug: 'phone', label: 'Your telephone', type: 'phone' },
    { slug: 'size', label: 'Size of your bike', type: 'text' },
  ];
  before(async () => {
    if (skip) return;
    shop = await talkingService(world().platform, { name: 'Bike Club', service: 'Repairs', rows });
  });
  after(() => shop?.client.close());

  const button = (at: Pick<Page, 'getByRole'>, name: string | RegExp) =>
    at.getByRole('button', { name, exact: typeof name === 'string' });
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const placesOf = (page: Page) => page.getByRole('navigation', { name: 'Your pages' });

  /** A person who is connected, beside the page. */
  const connectedAt = async (page: Page, email: string) => {
    const person = await personAt(world(), page, '/icon.svg', email);
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    const create = (slug: string, label: string, value: string) =>
      device.createField({ type: 'phone', label, slug, value });
    const [old] = await Promise.all([
      create('old', 'Old', '+4930901820'),
      create('new', 'New', '+4930901821'),
    ]);
    const { connection_id: connectionId } = await device.connect(shop.company.code, shop.code, {
      phone: { field: old.id },
      size: { value: 'L' },
    });
    return { person, device, connectionId };
  };

  test('a person makes an account, types the recovery code back, and signs out', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    await page.goto('/register');
    await heading(page, 'Create an account').waitFor();
    await keyboard.type(page.getByLabel('Your name'), 'Anna Berg');
    await keyboard.type(page.getByLabel('Email address'), 'keys-new@example.org');
    await keyboard.type(page.locator('input[name=password]'), PASSWORD);
    await keyboard.press(button(page, 'Create account'));
    await heading(page, 'Your recovery code').waitFor();
    const code = (await page.getByTestId('secret').innerText()).trim();
    await keyboard.press(button(page, 'I have kept the recovery code'));
    await keyboard.type(page.getByLabel('Your recovery code'), code.toLowerCase());
    await keyboard.press(button(page, 'Check it and go on'));
    await heading(page, /^Good .*, Anna$/).waitFor();
    await keyboard.press(placesOf(page).getByRole('link', { name: 'Me', exact: true }));
    await heading(page, 'Me').waitFor();
    await keyboard.press(button(page, 'Sign out'));
    await page.getByText('You are signed out').waitFor();
  });

  test('a person signs in after a mistake, and comes from place to place', async (visit) => {
    const page = await visit({ phone: true });
    const keyboard = new Keyboard(page);
    await newPerson(world().platform, 'keys-in@example.org');
    await page.goto('/sign-in');
    await heading(page, 'Sign in').waitFor();
    await keyboard.type(page.getByLabel('Email address'), 'keys-in@example.org');
    await keyboard.type(page.locator('input[name=password]'), 'not the password 5');
    await keyboard.keys('Enter');
    await page.getByRole('alert').waitFor();
    await keyboard.type(page.locator('input[name=password]'), PASSWORD);
    await keyboard.keys('Enter');
    await heading(page, /^Good .*, Anna$/).waitFor();
    for (const [name, title] of [
      ['Companies', 'Companies'],
      ['Connect', 'Connect'],
      ['My data', 'My data'],
      ['Me', 'Me'],
      ['Home', /^Good /],
    ] as const) {
      await keyboard.press(placesOf(page).getByRole('link', { name, exact: true }));
      await heading(page, title).waitFor();
    }
    await keyboard.press(page.getByRole('link', { name: 'Skip to the content' }));
    await keyboard.isIn(page.getByRole('main'));
  });

  test('a person adds a value, changes it, deletes it, and takes that back', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    await personAt(world(), page, '/me/fields', 'keys-fields@example.org');
    const add = button(page, 'Add to your data');
    const sheet = page.getByRole('dialog');
    await keyboard.open(add, sheet);
    await keyboard.keys('Escape');
    await keyboard.isBackAt(add);
    await keyboard.open(add, sheet);
    await keyboard.press(button(sheet, /^Phone number/));
    await keyboard.type(sheet.getByLabel('What do you call it?'), 'Mobile');
    await keyboard.type(sheet.getByLabel('Mobile: your answer'), '+49 30 901820');
    await keyboard.press(button(sheet, 'Keep it'));
    await keyboard.isBackAt(add);

    const row = button(page, /901820 Mobile/);
    await keyboard.open(row, sheet);
    await keyboard.press(button(sheet, 'Change Mobile'));
    await keyboard.isIn(sheet);
    await keyboard.type(sheet.getByRole('textbox', { name: 'Mobile' }), '+49 30 901821');
    await keyboard.press(button(sheet, 'Keep it'));
    await button(page, /901821 Mobile/).waitFor();
    await keyboard.isIn(page.locator('body'));
    if (await sheet.isVisible()) await keyboard.keys('Escape');
    await keyboard.isBackAt(button(page, /901821 Mobile/));

    await keyboard.open(button(page, /901821 Mobile/), sheet);
    await keyboard.press(button(sheet, 'Delete Mobile'));
    await sheet.waitFor({ state: 'detached' });
    await keyboard.press(button(page, 'Undo'));
    await button(page, /901821 Mobile/).waitFor();
  });

  test('what has the focus stays in sight when something above it grows', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    await personAt(world(), page, '/me/fields', 'keys-grows@example.org');
    await keyboard.to(button(page, 'Add to your data'));
    await page.evaluate(() => {
      const drawn = document.createElement('div');
      drawn.style.height = '200vh';
      document.querySelector('main')?.prepend(drawn);
    });
    assert.equal(await keyboard.standing(), 'seen');
  });

  test('a person connects by a code', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    const email = 'keys-connect@example.org';
    await personAt(world(), page, '/icon.svg', email);
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    await device.createField({ type: 'phone', label: 'Mobile', slug: 'mobile', value: '+4930901820' });
    await page.goto('/me/connect');
    const code = page.getByLabel('Code of the company and its service');
    await code.waitFor();
    await keyboard.type(code, `${shop.company.code} ${shop.code}`);
    await keyboard.keys('Enter');
    await page.getByRole('heading', { name: 'Bike Club' }).waitFor();
    await keyboard.press(page.getByRole('radio', { name: /901820/ }), 'Space');
    await page.getByRole('radio', { name: /901820/, checked: true }).waitFor();
    await keyboard.press(button(page, 'Share 1 answer and connect with Bike Club'));
    await keyboard.press(page.getByRole('link', { name: 'Open Bike Club' }));
    await heading(page, 'Bike Club').waitFor();
  });

  test('a person looks through a company, changes and stops an answer, and ends the connection', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    const { connectionId } = await connectedAt(page, 'keys-share@example.org');
    await page.goto(`/me/connections/${connectionId}`);
    const phone = button(page, /Your telephone/);
    const sheet = page.getByRole('dialog');
    await keyboard.open(phone, sheet);
    await keyboard.press(button(sheet, 'Change Your telephone'));
    await keyboard.isIn(sheet);
    await keyboard.press(sheet.getByRole('radio', { name: /821/ }), 'Space');
    await keyboard.press(button(sheet, 'Share 1 answer with Bike Club'));
    await phone.getByText('+49 30 901821').waitFor();
    await keyboard.isBackAt(phone);
    const size = button(page, /Size of your bike/);
    await keyboard.open(size, sheet);
    await keyboard.press(button(sheet, 'Stop sharing Size of your bike'));
    await size.getByText('not shared').waitFor();
    // Its row has gone elsewhere.
    await keyboard.isIn(page.getByRole('main'));
    await keyboard.to(size);
    for (const name of ['Messages', 'Documents', 'Activity', 'Shared'])
      await keyboard.press(page.getByRole('link', { name, exact: true }));
    const end = button(page, 'End the connection with Bike Club');
    await keyboard.open(end, sheet);
    await keyboard.press(button(sheet, 'End the connection with Bike Club'));
    await page.getByRole('heading', { name: 'You are no longer connected with Bike Club' }).waitFor();
    await keyboard.isIn(page.getByRole('main'));
  });

  test('a person answers what a company asks for besides', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    const name = 'Boat Club';
    const boats = await talkingService(world().platform, { name, service: 'Boats', rows });
    const email = 'keys-more@example.org';
    await personAt(world(), page, '/icon.svg', email);
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    await device.connect(boats.company.code, boats.code);
    await publish(world().platform, boats.company, boats.id, [
      ...rows,
      { slug: 'city', label: 'Your city', type: 'text' },
    ]);
    await page.goto('/me');
    await keyboard.press(page.getByRole('link', { name: 'Boat Club asks for more of your data' }));
    const asks = page.getByRole('dialog', { name: 'Boat Club asks for more' });
    await keyboard.open(button(page, /^Boat Club asks for more/), asks);
    const city = asks.getByRole('group', { name: 'Your city' });
    await keyboard.press(button(city, 'Add another answer'));
    await keyboard.type(city.getByRole('textbox'), 'Berlin');
    await keyboard.press(button(city, 'Keep this answer'));
    await keyboard.press(button(asks, 'Share 1 answer with Boat Club'));
    await button(page, /Your city/)
      .getByText('Berlin')
      .waitFor();
    await asks.waitFor({ state: 'detached' });
    await keyboard.to(button(page, /Your city/));
    await boats.client.close();
  });

  test('a person answers a site at the consent page', async (visit) => {
    const site = createServer((_request, response) => response.end('<h1>Welcome back</h1>'));
    const { port } = await listening(site);
    const redirectUri = `http://localhost:${port}/cb`;
    world().allow(new URL(redirectUri).origin);
    const company = await registerCompany(world().platform, 'Bike Club Berlin');
    const settings = { name: 'Bike Club', redirect_uris: [redirectUri] };
    const app: TestApp = await createApp(world().platform, company, settings);
    const claims = JSON.stringify([{ name: 'mail', type: 'email', label: 'Email address', required: true }]);
    const page = await visit({ phone: true });
    const keyboard = new Keyboard(page);
    const address = `/auth?${parametersFor(app, { state: 's', mode: 'one_time', claims })}`;
    await personAt(world(), page, address, 'keys-consent@example.org');
    await page.getByRole('heading', { name: 'Bike Club asks for your data' }).waitFor();
    await keyboard.type(page.getByLabel('Email address: your answer'), 'anna@home.example');
    await keyboard.press(button(page, 'Keep this answer'));
    await page.getByRole('radio', { name: /anna@home.example/ }).waitFor();
    await keyboard.press(button(page, 'Share 1 answer with Bike Club'));
    await page.waitForURL((url) => url.origin === new URL(redirectUri).origin);
    site.close();
  });

  test('a person approves a sign-in that comes over an open page', async (visit) => {
    const { platform } = world();
    const service = await createAskingService(platform);
    await setNumberMatching(platform, service, true);
    const page = await visit();
    const keyboard = new Keyboard(page);
    const person = await personAt(world(), page, '/me/connections', 'keys-approve@example.org');
    await heading(page, 'Companies').waitFor();
    await enrol(platform, person, service);
    const { challenge_id: id, matching_digits = '' } = await asked(platform, service, person);
    const card = page.getByRole('dialog', { name: 'Acme asks: is this you?' });
    await card.waitFor();
    await keyboard.isIn(card);
    await keyboard.to(card.getByLabel('Digit 1'));
    await page.keyboard.type(matching_digits);
    await keyboard.press(button(card, 'Approve'));
    await card.getByLabel('Your password').waitFor();
    await keyboard.type(card.getByLabel('Your password'), PASSWORD);
    await keyboard.keys('Enter');
    await card.getByText('Approved').waitFor();
    assert.equal((await poll(platform, service, id)).body.status, 'approved');
    await keyboard.press(button(card, 'Close').last());
    await card.waitFor({ state: 'detached' });
    await keyboard.to(placesOf(page).getByRole('link', { name: 'Connect' }));
  });

  test('a person reads a message, answers it, and signs a contract', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    const email = 'keys-sign@example.org';
    const { connectionId } = await connectedAt(page, email);
    await shop.client.messages.send(connectionId, 'Your bike is ready.');
    await shop.client.documents.create({
      name: 'Lease',
      kind: 'agreement',
      to: { connectionId },
      requiresSignature: true,
      content: fileOf('lease.pdf', 'application/pdf', leasePdf()),
      metadata: { can_be_cancelled_in_app: true },
    });
    await page.goto('/me');
    const waits = page.getByRole('region', { name: 'Waiting for you' });
    await keyboard.press(waits.getByRole('link', { name: '1 unread message from Bike Club' }));
    await page.getByText('Your bike is ready.').waitFor();
    await keyboard.type(page.getByRole('textbox', { name: 'Your message to Bike Club' }), 'I come at five.');
    await keyboard.press(button(page, 'Send to Bike Club'));
    await page.getByRole('log').getByText('I come at five.').waitFor();
    await keyboard.isIn(page.getByRole('main'));

    await keyboard.press(placesOf(page).getByRole('link', { name: /^Home/ }));
    await keyboard.press(waits.getByRole('link', { name: 'Bike Club asks you to sign Lease' }));
    await heading(page, 'Lease').waitFor();
    const act = page.getByRole('region', { name: 'Sign Lease' });
    await keyboard.press(button(act, 'Go on to signing'));
    await keyboard.type(act.getByLabel('Your password'), PASSWORD);
    await keyboard.press(button(act, 'Send a code by mail'));
    await button(act, 'The code is on its way').waitFor();
    await keyboard.type(act.getByLabel('Code from the mail'), await mailedCode(world().platform, email));
    await keyboard.press(button(act, 'Sign Lease'));
    await page.getByText('Signed by Anna Berg').first().waitFor();
    await isDrawn(page, 'Page 2 of 2'); // Until then what stands below the pages moves on.
    await keyboard.to(placesOf(page).getByRole('link', { name: /^Home/ }));
  });

  test('a person looks at who asks to connect, answers, and is connected', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    const email = 'keys-request@example.org';
    const { shareCode } = await personAt(world(), page, '/icon.svg', email);
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    await device.createField({ type: 'phone', label: 'Mobile', slug: 'mobile', value: '+4930901820' });
    await shop.client.connectRequests.send(shareCode);
    await page.goto('/me');
    await keyboard.press(page.getByRole('link', { name: /^Bike Club asks to connect/ }));
    const sheet = page.getByRole('dialog', { name: 'Bike Club asks to connect with you' });
    await sheet.waitFor();
    await keyboard.isIn(sheet);
    await keyboard.press(sheet.getByRole('radio', { name: /901820/ }), 'Space');
    await keyboard.press(button(sheet, 'Share 1 answer and connect with Bike Club'));
    await page.getByRole('heading', { name: 'You are connected with Bike Club' }).waitFor();
    await keyboard.press(page.getByRole('link', { name: 'Write to Bike Club' }));
    await keyboard.to(page.getByRole('textbox', { name: 'Your message to Bike Club' }));
  });

  test('a person changes name, language and appearance', async (visit) => {
    const page = await visit();
    const keyboard = new Keyboard(page);
    await personAt(world(), page, '/me/account', 'keys-me@example.org');
    await heading(page, 'Me').waitFor();
    const language = page.getByRole('combobox', { name: 'Language' });
    await keyboard.to(language);
    await page.keyboard.press('ArrowDown');
    await heading(page, 'Ich').waitFor();
    await keyboard.isIn(page.locator('body'));
    await keyboard.to(page.getByRole('combobox', { name: 'Sprache' }));
    await page.keyboard.press('ArrowUp');
    await heading(page, 'Me').waitFor();
  });
});
