import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { after, before, describe } from 'node:test';
import { createServiceKey, fingerprint, fingerprintWords } from '@symbolon/crypto';
import { PersonClient } from '@symbolon/sdk/person';
import { PASSWORD, registerCompany } from '@symbolon/testkit/actors/actors';
import { createApp, parametersFor, type TestApp } from '@symbolon/testkit/actors/consent';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { newPerson, personAt, registerAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { listening } from '@symbolon/testkit/servers/listening';

describe('the consent page', { skip }, () => {
  const { world, test } = browserTests();
  const calls: IncomingMessage[] = [];
  const site = createServer((request, response) => {
    calls.push(request);
    response.setHeader('content-type', 'text/html').end('<h1>Welcome back to the bike club</h1>');
  });
  let app: TestApp;
  let redirectUri: string;
  const address = (parameters: Readonly<Record<string, string>>) =>
    `/auth?${parametersFor(app, { state: 'state-of-the-site', ...parameters })}`;

  before(async () => {
    if (skip) return;
    const { port } = await listening(site);
    redirectUri = `http://localhost:${port}/cb`;
    world().allow(new URL(redirectUri).origin);
    const company = await registerCompany(world().platform, 'Bike Club Berlin');
    app = await createApp(world().platform, company, { name: 'Bike Club', redirect_uris: [redirectUri] });
  });
  after(() => site.close());

  test('a new person shares answers: registers on the way, adds a field, and goes back with a code', async (visit) => {
    const claims = [
      { name: 'mail', type: 'email', label: 'Email address', required: true },
      { name: 'phone', type: 'phone', label: 'Phone number' },
    ];
    const page = await visit();
    await page.goto(address({ mode: 'one_time', claims: JSON.stringify(claims) }));
    await page.getByRole('heading', { name: 'Sign in to continue to Bike Club' }).waitFor();
    assert.equal(await page.getByTestId('origin').innerText(), new URL(redirectUri).origin);
    await checkPage(page);
    const register = await page.getByRole('link', { name: 'Create an account' }).getAttribute('href');
    await registerAt(page, register ?? '', 'consent@example.org');
    await page.getByRole('heading', { name: 'Bike Club asks for your data' }).waitFor();
    const share = page.getByRole('button', { name: /^(Share|Continue)/ });
    assert.ok(await share.isDisabled());
    await page.getByLabel('Email address: your answer').fill('anna@home.example');
    await checkPage(page);
    await page.getByRole('button', { name: 'Keep this answer' }).first().click();
    await page.getByRole('radio', { name: /anna@home.example/ }).waitFor();
    await page.getByRole('button', { name: 'Share 1 answer with Bike Club' }).waitFor();
    await checkPage(page);
    await picture(page, 'consent');
    await page.getByRole('button', { name: 'Share 1 answer with Bike Club' }).click();
    await page.waitForURL((url) => url.origin === new URL(redirectUri).origin);
    const back = new URL(page.url());
    assert.equal(back.searchParams.get('state'), 'state-of-the-site');
    assert.ok(back.searchParams.get('code'));
    assert.equal(back.searchParams.get('iss'), world().url);
    const call = calls.findLast(({ url }) => url?.startsWith('/cb'));
    assert.ok(
      call !== undefined && call.headers.referer === undefined,
      'the site does not learn where the person was',
    );

    // What the site reads is ended in the record of what happened.
    await page.goto('/me/activity');
    const activity = page.getByRole('list', { name: 'Activity' });
    await activity.getByText('You answered Bike Club').waitFor();
    await activity.getByRole('button', { name: 'End what Bike Club reads' }).click();
    await page.getByRole('dialog').getByText('stop working at once').waitFor();
    await checkPage(page);
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await activity.getByText('You answered Bike Club, and have ended what it reads').waitFor();
    assert.equal(await activity.getByRole('button').count(), 0);
    await checkPage(page);

    // The next time the answer is chosen already, and declining goes back too.
    await page.goto(address({ mode: 'one_time', claims: JSON.stringify(claims) }));
    const chosen = page.getByRole('group', { name: 'Email address' });
    await chosen.getByText('anna@home.example').waitFor();
    await checkPage(page);
    await chosen.getByRole('button', { name: 'Change Email address' }).click();
    await chosen.getByRole('radio', { name: /anna@home.example/, checked: true }).waitFor();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.waitForURL((url) => url.searchParams.get('error') === 'access_denied');
    assert.equal(new URL(page.url()).searchParams.get('iss'), world().url);
  });

  test('a link with an address that is not of the site leads nowhere', async (visit) => {
    const page = await visit();
    await page.goto(address({ redirect_uri: 'https://evil.example/cb' }));
    await page.getByRole('heading', { name: 'This request cannot go on' }).waitFor();
    await page.getByText('an address to come back to that is not its own').waitFor();
    await checkPage(page);
    await page.getByLabel('Language').focus();
    await page.keyboard.press('Tab');
    const focused = await page.getByLabel('Appearance').evaluate((select) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(select);
      return [select === document.activeElement, outlineStyle, outlineWidth];
    });
    assert.deepEqual(focused, [true, 'solid', '2px'], 'the focus is seen');
    assert.equal(new URL(page.url()).origin, world().url);
  });

  test('a standard sign-in asks for a name by its name, and offers no telephone for it', async (visit) => {
    const page = await visit({ phone: true });
    const path = address({
      mode: '',
      response_mode: '',
      response_type: 'code',
      scope: 'openid profile email',
    });
    await personAt(world(), page, '/me', 'standard@example.org');
    const device = await PersonClient.login({
      baseUrl: world().url,
      email: 'standard@example.org',
      password: PASSWORD,
    });
    await device.createField({ type: 'phone', label: 'Mobile', slug: 'mobile', value: '+4930901820' });
    await device.createField({ type: 'text', label: 'Name', slug: 'name', value: 'Anna Berg' });
    await page.goto(path);
    const name = page.getByRole('group', { name: 'Name' });
    await name.getByRole('radio', { name: /Anna Berg/ }).waitFor();
    assert.equal(await name.getByRole('radio').count(), 1);
    await name.getByRole('button', { name: 'Use something else' }).click();
    await name.getByRole('radio', { name: /49\s30\s901820/ }).waitFor();
    await page.getByRole('group', { name: 'Email address' }).waitFor();
    await checkPage(page);

    // What is needed is filled in by the best guess, to be sent once; what may be left out waits for the person.
    const claims = [
      { name: 'full_name', type: 'text', label: 'Your name', required: true },
      { name: 'mobile', type: 'phone', label: 'Your phone' },
    ];
    await page.goto(address({ mode: 'one_time', claims: JSON.stringify(claims) }));
    await page.getByRole('group', { name: 'Your name' }).getByText('Anna Berg').waitFor();
    await picture(page, 'consent-guess');
    await page.getByText('Chosen as the likely answer').waitFor();
    await page.getByRole('button', { name: 'Share 1 answer with Bike Club' }).waitFor();
    await page.getByRole('button', { name: 'Add more' }).click();
    await page.getByRole('radio', { name: /49\s30\s901820/, checked: false }).waitFor();
    await checkPage(page);
  });

  test('a platform that does not answer ends no session: the page says so, and tries again', async (visit) => {
    const page = await visit({ phone: true });
    await personAt(world(), page, '/me', 'away@example.org');
    await page.getByText('Nothing waits for you').waitFor();
    const body = JSON.stringify({ error: 'region.unavailable', message: 'away' });
    await page.route('**/api/person/session', (route) =>
      route.fulfill({ status: 503, contentType: 'application/json', body }),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Symbolon cannot be reached' }).waitFor();
    await checkPage(page);
    await page.unroute('**/api/person/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing waits for you').waitFor();
    await page.goto('/me/account');
    const signOut = await page.getByRole('button', { name: 'Sign out' }).evaluate((button) => {
      const label = button.querySelector('.mantine-Button-label');
      return label !== null && label.scrollHeight <= label.clientHeight;
    });
    assert.ok(signOut, 'the label of a button is not cut');
    await page.context().clearCookies();
    await page.goto('/');
    const link = page.getByRole('link', { name: 'Sign in', exact: true });
    const [outer, inner] = [
      await link.boundingBox(),
      await link.locator('.mantine-Button-label').boundingBox(),
    ];
    assert.ok(outer && inner);
    const off = inner.y + inner.height / 2 - (outer.y + outer.height / 2);
    assert.ok(Math.abs(off) < 2, `the label stands ${off} pixels off the middle of the button`);
  });

  test('a changed key of the site gets nothing before its words are typed', async (visit) => {
    const { platform } = world();
    const owner = await registerCompany(platform, 'Key Club');
    const settings = { name: 'Key Club', redirect_uris: [redirectUri] };
    const keyed = await createApp(platform, owner, settings);
    const claims = JSON.stringify([{ name: 'mail', type: 'email', label: 'Email address', required: true }]);
    const path = `/auth?${parametersFor(keyed, { state: 's', mode: 'one_time', claims })}`;
    const page = await visit({ phone: true });
    await personAt(world(), page, path, 'changed-key@example.org');
    await page.getByLabel('Email address: your answer').fill('anna@home.example');
    await page.getByRole('button', { name: 'Keep this answer' }).first().click();
    await page.getByRole('button', { name: 'Share 1 answer with Key Club' }).click();
    await page.waitForURL((url) => url.searchParams.has('code'));

    const { publicKey: public_key, encryptedPrivateKey } = await createServiceKey();
    await platform.must('PUT', `/api/account/oauth-apps/${keyed.id}/key`, {
      token: owner.token,
      body: { public_key, encrypted_private_key: encryptedPrivateKey },
    });
    await page.goto(path);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/approve')) sent.push(request.url());
    });
    await page.getByRole('button', { name: 'Share 1 answer with Key Club' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Key Club has another key than before' });
    await alert.waitFor();
    const sha256 = await fingerprint(public_key);
    const words = await fingerprintWords(sha256);
    assert.equal((await alert.locator('code, pre').first().innerText()).replace(/\s/g, ''), sha256);
    // Whoever reads them off this page has compared nothing.
    assert.ok(!(await page.locator('body').innerText()).includes(words));
    await checkPage(page);
    await picture(page, 'changed-key');
    const confirm = page.getByRole('button', { name: 'The words are right: share with this key' });
    const [notice, inside] = [await alert.boundingBox(), await confirm.boundingBox()];
    assert.ok(
      notice && inside && inside.x + inside.width <= notice.x + notice.width,
      'the notice cuts nothing off',
    );
    await page.getByLabel('The four words').fill('one two three four');
    await confirm.click();
    await alert.getByRole('alert').waitFor();
    assert.deepEqual(sent, []);
    await page.getByLabel('The four words').fill(words);
    await confirm.click();
    await page.waitForURL((url) => url.searchParams.has('code'));
    assert.equal(sent.length, 1);
  });

  test('another screen: the page asks first who started it', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark' });
    const detached = { response_mode: 'detached', redirect_uri: '', state: 'a-state-of-another-screen' };
    await personAt(world(), page, address(detached), 'phone@example.org');
    await page
      .getByRole('heading', { name: /^Bike Club Berlin \(.+\) asks to sign you in on another screen$/ })
      .waitFor();
    await page.getByText(`at ${new URL(redirectUri).host}, as Bike Club Berlin says`).waitFor();
    await page.getByRole('button', { name: 'Not you?' }).waitFor();
    await checkPage(page);
    await picture(page, 'consent-other-screen');
    await page.getByRole('button', { name: 'Yes, I did' }).click();
    await page.getByRole('button', { name: 'Sign in to Bike Club' }).click();
    await page.getByRole('heading', { name: 'Go back to the other screen' }).waitFor();
    await checkPage(page);
  });

  test('the page says who is signed in, and another person answers the same request', async (visit) => {
    const page = await visit();
    const { shareCode } = await personAt(world(), page, '/me/account', 'second@example.org', 'Ben Tal');
    const copy = page.getByRole('button', { name: 'Copy the share code' });
    await copy.waitFor();
    await page.getByText(new RegExp(`Share code: ${shareCode}`)).waitFor();
    await copy.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shareCode);
    const path = address({ mode: 'signin', state: 'one-request' });
    const storageState = await page.context().storageState();
    const inGerman = await visit({ locale: 'de-DE', phone: true, storageState });
    await inGerman.goto(path);
    await inGerman.getByText(`Angemeldet als Ben Tal · ${shareCode}`).waitFor();
    await inGerman.getByRole('button', { name: 'Nicht Sie?' }).waitFor();
    await checkPage(inGerman);

    await page.goto(path);
    await page.getByText(`Signed in as Ben Tal · ${shareCode}`).waitFor();
    await page.getByRole('button', { name: 'Not you?' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    assert.equal((await page.request.get('/api/person/session')).status(), 401);
    const register = await page.getByRole('link', { name: 'Create an account' }).getAttribute('href');
    await registerAt(page, register ?? '', 'third@example.org', 'Cleo Roth');
    await page.getByText('Signed in as Cleo Roth').waitFor();
    await page.getByRole('button', { name: 'Sign in to Bike Club' }).click();
    await page.waitForURL((url) => url.searchParams.has('code'));
    assert.equal(new URL(page.url()).searchParams.get('state'), 'one-request');
  });

  test('by the keyboard alone', async (visit) => {
    const page = await visit();
    await newPerson(world().platform, 'keys@example.org');
    await page.goto(address({ mode: 'signin' }));
    await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.textContent || document.activeElement?.getAttribute('name'),
      );
    await press('Tab');
    assert.equal(await focused(), 'email');
    await page.keyboard.type('keys@example.org');
    await press('Tab');
    await page.keyboard.type(PASSWORD);
    await press('Enter');
    await page.getByRole('heading', { name: 'Sign in to Bike Club' }).waitFor();
    await press('Tab');
    assert.equal(await focused(), 'Sign in to Bike Club');
    const outline = await page.evaluate(
      () => getComputedStyle(document.activeElement as Element).outlineStyle,
    );
    assert.notEqual(outline, 'none', 'the focus is seen');
    await press('Enter');
    await page.waitForURL((url) => url.searchParams.has('code'));
  });
});
