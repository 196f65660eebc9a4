import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { sealValue, serializeWrapper } from '@symbolon/crypto';
import {
  connect,
  createService,
  PASSWORD,
  passwordLogin,
  registerCompany,
  registerPerson,
  sealed,
  serviceKeyFile,
} from '@symbolon/testkit/actors/actors';
import { leasePdf } from '@symbolon/testkit/actors/files';
import { publishFlow } from '@symbolon/testkit/actors/flow-runs';
import { addDelegate, signIn } from '@symbolon/testkit/actors/portal-logins';
import { Keyboard } from '@symbolon/testkit/browser/keyboard';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import { LOOPBACK_PLUGINS } from '@symbolon/testkit/servers/plugin-server';
import { startReceiver } from '@symbolon/testkit/servers/receiver';
import type { Locator, Page } from 'playwright-core';

describe('the portal by the keyboard alone', { skip }, () => {
  const { world, test } = browserTests(() => servePages(LOOPBACK_PLUGINS));

  const button = (at: Pick<Page, 'getByRole'>, name: string | RegExp) =>
    at.getByRole('button', { name, exact: typeof name === 'string' });
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const placesOf = (page: Page) => page.getByRole('navigation', { name: 'Pages of the portal' });
  const place = (page: Page, name: string) => placesOf(page).getByRole('link', { name, exact: true });

  /** A company with a service, to which one customer is connected who has written. */
  const stand = async () => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Bike Club');
    const rows = [{ slug: 'note', label: 'What should we know?', type: 'text', one_time: true }];
    const service = await createService(platform, company, rows);
    const ada = await registerPerson(platform, 'Ada Berg');
    const id = await connect(platform, ada, service, { note: { once: 'Ada is left-handed' } });
    const text = 'Is my bike ready?';
    const body = serializeWrapper(await sealValue(text, service.publicKey));
    await platform.must('POST', `/api/person/connections/${id}/messages`, {
      token: ada.token,
      body: { body, sender_body: await sealed(text) },
    });
    return { platform, company, service, ada };
  };

  const choose = async (
    { page, keyboard }: { page: Page; keyboard: Keyboard },
    opener: Locator,
    file: { name: string; mimeType: string; buffer: Buffer },
  ) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press(opener)]);
    await chooser.setFiles(file);
  };
  const openKey = async (page: Page, keyboard: Keyboard) => {
    const { pem, passphrase } = await serviceKeyFile();
    await choose({ page, keyboard }, button(page, 'Choose the key file'), {
      name: 'service.pem',
      mimeType: 'application/x-pem-file',
      buffer: Buffer.from(pem),
    });
    await keyboard.type(page.getByLabel('Passphrase of the key'), passphrase);
    await keyboard.keys('Enter');
  };

  test('a login signs in after a mistake, comes from place to place, and signs out', async (visit) => {
    const { platform } = world();
    const { credentials } = await passwordLogin();
    const company = await registerCompany(platform, 'Bike Club', undefined, credentials);
    await createService(platform, company);
    const page = await visit();
    const keyboard = new Keyboard(page);
    await page.goto('/portal/customers');
    await heading(page, 'Sign in to the portal').waitFor();
    await keyboard.type(page.getByLabel('Email address'), company.email);
    await keyboard.type(page.locator('input[name=password]'), 'not the password 5');
    await keyboard.keys('Enter');
    await page.getByRole('alert').waitFor();
    await keyboard.type(page.locator('input[name=password]'), PASSWORD);
    await keyboard.keys('Enter');
    await heading(page, 'Customers').waitFor();
    for (const [name, title] of [
      ['Overview', 'Overview'],
      ['Webhooks', 'Webhooks'],
      ['Team', 'Team'],
      ['Audit log', 'Audit log'],
      ['Messages', 'Messages'],
    ] as const) {
      await keyboard.press(place(page, name));
      await heading(page, title).waitFor();
    }
    await keyboard.press(page.getByRole('link', { name: 'Skip to the content' }));
    await keyboard.isIn(page.getByRole('main'));
    await keyboard.press(button(page, 'Sign out'));
    await heading(page, 'Sign in to the portal').waitFor();
    await keyboard.to(page.getByLabel('Email address'));
  });

  test('a developer adds a question, puts it first and publishes', async (visit) => {
    const { platform, company, service } = await stand();
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, `/portal/services/${service.id}`, company);
    await heading(page, 'Shop').waitFor();
    await keyboard.press(place(page, 'What it asks'));
    await heading(page, 'What Shop asks').waitFor();
    const sheet = page.getByRole('dialog');
    const add = button(page, 'Add a question');
    await keyboard.open(add, sheet);
    await keyboard.press(button(sheet, /^Number/));
    await keyboard.type(sheet.getByRole('textbox', { name: 'Question' }), 'Size of your bike');
    await keyboard.type(sheet.getByRole('textbox', { name: 'Name for your backend' }), 'bike_size');
    await keyboard.press(button(sheet, 'Done'));
    await keyboard.isBackAt(add);
    for (const way of ['up', 'down', 'up']) {
      const move = button(page, `Move Size of your bike ${way}`);
      await keyboard.press(move);
      await keyboard.isIn(move);
    }
    const publish = button(page, /^Publish version/);
    await keyboard.press(publish);
    await page.getByText(/^Version \d+ is published\.$/).waitFor();
    await keyboard.isIn(page.getByRole('main'));
    const { request_fields: asked } = await platform.must(
      'GET',
      `/api/services/${service.id}/request-fields`,
      { token: company.token },
    );
    assert.deepEqual(
      asked.map(({ slug }: { slug: string }) => slug),
      ['bike_size', 'note'],
    );
  });

  test('a developer makes a client and copies its secret, which is shown once', async (visit) => {
    const { company } = await stand();
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, '/portal/access', company);
    const sheet = page.getByRole('dialog');
    await keyboard.open(button(page, 'Make a client: Shop'), sheet);
    await keyboard.press(button(sheet, 'Copy'));
    await sheet.getByText('Copied').waitFor();
    const secret = (await sheet.getByTestId('secret').innerText()).trim();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
    await keyboard.press(button(sheet, 'I have saved it'));
    await keyboard.isBackAt(button(page, 'New secret: Shop'));
  });

  test('a developer makes a webhook, sends an example, and pauses it', async (visit, context) => {
    const { company } = await stand();
    const receiver = await startReceiver((_request, _body, response) => response.end());
    context.after(() => receiver.stop());
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, '/portal/webhooks', company);
    const sheet = page.getByRole('dialog');
    const make = button(page, 'New webhook');
    await keyboard.open(make, sheet);
    await keyboard.type(sheet.getByRole('textbox', { name: 'Address' }), receiver.url);
    await keyboard.keys('Enter');
    await keyboard.press(button(sheet, 'I have saved it'));
    await keyboard.isBackAt(make);
    await keyboard.press(button(page, `Send an example to ${receiver.url}`));
    await page.getByText('The example arrived').waitFor();
    await keyboard.press(button(page, /^Pause/));
    await button(page, /^Resume/).waitFor();
    await keyboard.isIn(page.getByRole('main'));
  });

  test('staff finds a customer and opens the answers', async (visit) => {
    const { company } = await stand();
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, '/portal/team', company);
    await page.getByText('login of the registration').waitFor();
    await keyboard.keys('Control+k');
    const sheet = page.getByRole('dialog', { name: 'Go to' });
    await sheet.waitFor();
    await keyboard.isIn(sheet);
    await keyboard.type(sheet.getByRole('searchbox'), 'ada b');
    await sheet.getByRole('link', { name: 'Ada Berg' }).waitFor();
    await keyboard.keys('ArrowDown', 'Enter');
    await heading(page, 'Ada Berg').waitFor();
    await sheet.waitFor({ state: 'detached' });
    await openKey(page, keyboard);
    await page.getByText('Ada is left-handed').waitFor();
    await keyboard.isIn(page.getByRole('main'));
    await keyboard.press(button(page, 'Lock again'));
    await page.getByText('Sealed', { exact: true }).waitFor();
    await keyboard.isIn(page.getByRole('main'));
  });

  test('a developer sends a contract to a customer', async (visit) => {
    const { platform, company, ada } = await stand();
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, '/portal/documents', company);
    await keyboard.press(page.getByRole('link', { name: 'Send a document' }));
    await choose({ page, keyboard }, button(page, 'Choose the PDF'), {
      name: 'Lease.pdf',
      mimeType: 'application/pdf',
      buffer: leasePdf(),
    });
    await keyboard.press(page.getByRole('checkbox', { name: 'Ada Berg' }), 'Space');
    await keyboard.press(button(page, 'Send (1)'));
    await page.getByText('1 of 1 copies sent').waitFor();
    await keyboard.press(page.getByRole('link', { name: 'All documents of your company' }));
    await page.getByRole('row', { name: /Ada Berg/ }).waitFor();
    const { documents } = await platform.must('GET', '/api/person/documents', { token: ada.token });
    assert.equal(documents.length, 1);
  });

  test('staff takes a thread, answers it, and says that it is done', async (visit) => {
    const { platform, company, ada } = await stand();
    await addDelegate(platform, company, 'support');
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, '/portal/messages', company);
    await keyboard.press(page.getByRole('link', { name: /Ada Berg/ }));
    await heading(page, 'Ada Berg').waitFor();
    const assignee = page.getByLabel('Looked after by');
    await keyboard.to(assignee);
    await page.keyboard.type('The support');
    await page.getByRole('list', { name: 'Inbox' }).getByText('The support').waitFor();
    await keyboard.isIn(assignee);
    await openKey(page, keyboard);
    await page.getByRole('log').getByText('Is my bike ready?').waitFor();
    const writing = page.getByRole('textbox', { name: 'Your message to Ada Berg' });
    await keyboard.type(writing, 'Yes, come at five.');
    await keyboard.press(button(page, 'Send to Ada Berg'));
    await page.getByRole('log').getByText('Yes, come at five.').waitFor();
    await keyboard.isIn(writing);
    await keyboard.press(button(page, 'Done'));
    await button(page, 'Open again').waitFor();
    await keyboard.isIn(page.getByRole('main'));
    const [connection] = (await platform.must('GET', '/api/person/connections', { token: ada.token }))
      .connections;
    const thread = `/api/person/connections/${connection.connection_id}/messages`;
    assert.equal((await platform.must('GET', thread, { token: ada.token })).items.length, 2);
  });

  test('an owner invites a colleague, and withdraws the invitation', async (visit) => {
    const { company } = await stand();
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, '/portal/team', company);
    const sheet = page.getByRole('dialog');
    const invite = button(page, 'Invite');
    await keyboard.open(invite, sheet);
    await keyboard.type(sheet.getByRole('textbox', { name: 'E-mail' }), 'lea@keys.example');
    await keyboard.to(sheet.getByRole('radio', { name: 'Developer' }));
    await keyboard.keys('ArrowDown');
    await keyboard.press(button(sheet, 'Send the invitation'));
    await page.getByText('invited', { exact: true }).waitFor();
    await keyboard.isBackAt(invite);
    const remove = button(page, /^Remove: lea@keys.example/);
    await keyboard.open(remove, sheet);
    await keyboard.keys('Escape');
    await keyboard.isBackAt(remove);
    await keyboard.open(remove, sheet);
    await keyboard.press(button(sheet, 'Remove'));
    await remove.waitFor({ state: 'detached' });
    await keyboard.isIn(page.getByRole('main'));
  });

  test('a developer moves a step in the list of a flow, and leads a step on', async (visit) => {
    const { company, service } = await stand();
    const flowId = await publishFlow(world().platform, service);
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, `/portal/services/${service.id}/flows/${flowId}?steps=list`, company);
    const steps = page.getByRole('region', { name: 'Steps and ways of the flow' });
    await button(steps, '2. More').waitFor();
    for (const [act, first] of [
      ['later', 'Look'],
      ['earlier', 'More'],
    ]) {
      const move = button(steps, `Try the way to More ${act}`);
      await keyboard.press(move);
      await steps
        .getByLabel(`Try the way to ${first} later`)
        .and(page.locator('[aria-disabled=false]'))
        .waitFor();
      await keyboard.isIn(move);
    }
    await keyboard.press(button(steps, '2. More'));
    await keyboard.keys('Delete');
    await button(steps, '2. Look').waitFor();
    await keyboard.isIn(steps);
    await keyboard.keys('Control+z');
    await button(steps, '2. More').waitFor();
    await keyboard.isIn(steps);
  });

  test('a login ends a session elsewhere', async (visit) => {
    const { platform, company } = await stand();
    const login = await addDelegate(platform, company, 'developer');
    await signIn(platform, login);
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, '/portal/security', login);
    const sessions = page.getByRole('region', { name: 'Where you are signed in' });
    const ends = button(sessions, /^End the session in/);
    await ends.nth(1).waitFor();
    assert.equal(await ends.count(), 2);
    await keyboard.press(ends.first());
    await ends.nth(1).waitFor({ state: 'detached' });
    await keyboard.isIn(sessions);
    await keyboard.press(ends.first());
    await ends.first().waitFor({ state: 'detached' });
    await keyboard.isIn(page.getByRole('main'));
    await keyboard.press(place(page, 'Overview'));
    await heading(page, 'Overview').waitFor();
  });
});
