import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { PersonClient } from '@symbolon/sdk/person';
import { createService, PASSWORD, passwordLogin, registerCompany } from '@symbolon/testkit/actors/actors';
import { createApp, parametersFor } from '@symbolon/testkit/actors/consent';
import { invitationToken, mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { talkingService } from '@symbolon/testkit/actors/talking-service';
import { checkPage } from '@symbolon/testkit/browser/looks';
import { keepRecoveryCode, personAt, portalAt, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

const holds = (page: Page, text: string) =>
  page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll('input, textarea')].some(
        (each) => 'value' in each && each.value === wanted,
      ),
    text,
  );
const kept = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));

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

  test('and picked on a consent page stays, also when the session ends, and is gone after signing out', async (visit) => {
    const { platform } = world();
    const app = await createApp(platform, await registerCompany(platform, 'Bike Club'), {
      name: 'Bike Club',
    });
    const claims = [
      { name: 'mail', type: 'email', label: 'Mail', required: true },
      { name: 'motto', type: 'text', label: 'Motto', required: true },
      { name: 'nick', type: 'text', label: 'Nickname' },
    ];
    const address = `/auth?${parametersFor(app, { mode: 'one_time', claims: JSON.stringify(claims) })}`;
    const email = 'kept-consent@example.org';
    const page = await visit();
    await personAt(world(), page, '/icon.svg', email);
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    for (const [slug, value] of [
      ['one', 'one@example.org'],
      ['two', 'two@example.org'],
    ] as const)
      await device.createField({ type: 'email', label: slug, slug, value });
    await page.goto(address);
    const two = page.getByRole('radio', { name: /two@example.org/ });
    await two.click();
    const motto = page.getByRole('textbox', { name: 'Motto: your answer' });
    await motto.fill('half made');
    await page.getByRole('button', { name: 'Add more' }).click();
    const nick = page.getByRole('group', { name: 'Nickname' });
    await nick.getByRole('button', { name: 'Add another answer' }).click();
    await nick.getByRole('textbox').fill('also begun');
    const stands = async () => {
      await page.getByRole('group', { name: 'Mail' }).getByText('two@example.org').waitFor();
      await page.getByText('one@example.org').waitFor({ state: 'detached' });
      await holds(page, 'half made');
      await holds(page, 'also begun');
    };
    await page.reload();
    await stands();
    const texts = await kept(page);
    for (const value of ['two@example', 'half made', 'also begun']) assert.ok(!texts.includes(value), value);
    await page.context().clearCookies();
    await page.reload();
    await typeSignIn(page, email);
    await stands();
    await page.getByRole('button', { name: 'Not you?' }).click();
    await page.getByText('This browser keeps nothing of you').waitFor();
    assert.doesNotMatch(await kept(page), /symbolon\.(draft|form)/);
  });

  test('and picked for a request and a connection is there when they are opened again', async (visit) => {
    const rows = [{ slug: 'motto', label: 'Motto', type: 'text', mandatory_provide: true }];
    const shop = await talkingService(world().platform, { name: 'Bike Club', service: 'Repairs', rows });
    try {
      const page = await visit();
      const email = 'kept-request@example.org';
      const { shareCode } = await personAt(world(), page, '/icon.svg', email);
      const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
      for (const value of ['one', 'two'])
        await device.createField({ type: 'text', label: value, slug: value, value });
      const { id } = await shop.client.connectRequests.send(shareCode);
      await page.goto(`/me/requests/${id}`);
      const two = page.getByRole('radio', { name: /^two/ });
      await two.click();
      await page.reload();
      await page.getByRole('group', { name: 'Motto' }).getByText('two').first().waitFor();
      await page.getByRole('button', { name: /connect with Bike Club$/i }).click();
      await page.getByRole('link', { name: 'Write to Bike Club' }).waitFor();
      assert.doesNotMatch(await kept(page), /symbolon\.form/);
      const change = async () => {
        await page.goto('/me/connections');
        await page.getByRole('link', { name: /^Bike Club/ }).click();
        await page.getByRole('button', { name: /Motto/ }).click();
        await page.getByRole('button', { name: 'Change Motto' }).click();
      };
      await change();
      await page.getByRole('radio', { name: /^one/ }).click();
      await change();
      await page.getByRole('radio', { name: /^one/, checked: true }).waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      assert.doesNotMatch(await kept(page), /symbolon\.form/);
    } finally {
      await shop.client.close();
    }
  });

  test('of the account stays until it is given up, and another person in the browser never sees it', async (visit) => {
    const page = await visit();
    await personAt(world(), page, '/me/account', 'kept-account@example.org', 'Ada Berg');
    const type = async (row: RegExp, label: string, text: string) => {
      await page.getByRole('button', { name: row }).click();
      await page.getByRole('dialog').getByLabel(label).fill(text);
      await page.reload();
      await page.getByRole('button', { name: row }).click();
      await holds(page, text);
      assert.ok(!(await kept(page)).includes(text), 'it is sealed');
      await page.reload();
    };
    await type(/^Name/, 'Your name', 'Ada Lovelace');
    await type(/^E-mail address/, 'New address', 'ada@new.example');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.doesNotMatch(await kept(page), /symbolon\.draft/);
    await personAt(world(), page, '/me/account', 'kept-other@example.org', 'Ben Berg');
    await page.getByRole('button', { name: /^Name/ }).click();
    await holds(page, 'Ben Berg');
  });

  test('into the small forms of the portal stays in its tab until the login signs out', async (visit) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Harbour Bikes');
    const service = await createService(platform, company);
    const page = await visit();
    await portalAt(page, '/portal', company);
    const forms: [address: string, open: string | undefined, label: string, text: string][] = [
      ['/portal/services/new', undefined, 'Name', 'Kept service'],
      [`/portal/services/${service.id}/settings`, undefined, 'Name', 'Kept name'],
      ['/portal/webhooks', 'New webhook', 'Address', 'https://kept.example/hook'],
      ['/portal/apps', 'New sign-in app', 'Name', 'Kept app'],
      ['/portal/clients', 'New account client', 'Name', 'Kept client'],
      ['/portal/team', 'Invite', 'E-mail', 'kept@example.org'],
      ['/portal/profile', undefined, 'Name of the company', 'Kept company'],
      ['/portal/plugins', undefined, 'Address', 'https://kept.example/plugin'],
    ];
    const each = async (does: (input: ReturnType<Page['getByLabel']>, text: string) => Promise<unknown>) => {
      for (const [address, open, label, text] of forms) {
        await page.goto(address);
        if (open !== undefined) await page.getByRole('button', { name: open }).click();
        await does(page.getByRole('textbox', { name: label }).first(), text);
      }
    };
    await each((input, text) => input.fill(text));
    await each(async (input, text) => assert.equal(await input.inputValue(), text));
    const other = await registerCompany(platform, 'Other Bikes');
    await portalAt(page, '/portal', other);
    await page.goto('/portal/services/new');
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).first().inputValue(), '');
    await portalAt(page, '/portal', company);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Email address' }).waitFor();
    assert.ok(!(await kept(page)).includes('Kept'));
  });

  test('as another name of the company is kept until it is saved or given up', async (visit) => {
    const page = await visit();
    await portalAt(page, '/portal/profile', await registerCompany(world().platform, 'Harbour Bikes'));
    const input = page.getByRole('textbox', { name: 'Name of the company' });
    const typed = async (text: string) => {
      await input.fill(text);
      await page.reload();
      await holds(page, text);
    };
    await typed('Given up');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.reload();
    await holds(page, 'Harbour Bikes');
    await typed('Harbour Cycles');
    await checkPage(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('list', { name: 'As they see it' }).getByText('Harbour Cycles').waitFor();
    await page.reload();
    await holds(page, 'Harbour Cycles');
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
  });

  test('into questions that are not published survives Back, a reload and a session that ends', async (visit) => {
    const { platform } = world();
    const { credentials } = await passwordLogin();
    const company = await registerCompany(platform, 'Harbour Bikes', undefined, credentials);
    const rows = [{ slug: 'size', label: 'Size', type: 'text' }];
    const { id } = await createService(platform, company, rows, 'Repairs');
    const address = `/portal/services/${id}/asks`;
    const page = await visit();
    await portalAt(page, address, company);
    const stands = async () => {
      await page.getByText('1 change is not published').waitFor();
      await page.getByRole('list', { name: 'What it asks' }).getByText('Your size').waitFor();
    };
    await page.getByRole('button', { name: 'Edit Size' }).click();
    await page.getByRole('textbox', { name: 'Question' }).fill('Your size');
    await page.getByRole('button', { name: 'Done' }).click();
    await stands();
    await page.goto('/portal/team');
    await page.getByRole('heading', { name: 'Team' }).waitFor();
    await page.goBack();
    await stands();
    await page.reload();
    await stands();
    await page.context().clearCookies();
    await page.getByRole('button', { name: /^Publish version/ }).click();
    await page.getByRole('heading', { name: 'Sign in to the portal' }).waitFor();
    await typeSignIn(page, company.email);
    await stands();
    await page.getByRole('button', { name: /^Publish version/ }).click();
    await page.getByText(/^Version \d+ is published\.$/).waitFor();
    assert.doesNotMatch(await kept(page), /Your size/);
    await page.getByRole('button', { name: 'Edit Your size' }).click();
    await page.getByRole('textbox', { name: 'Question' }).fill('Given up');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    await page.reload();
    await page.getByText(/ is live · no changes$/).waitFor();
  });

  test('by an invited colleague is there after a reload, but for the password', async (visit) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Harbour Bikes');
    const body = { email: 'lea@harbour.example', role: 'support' };
    await platform.must('POST', '/api/delegates', { token: company.token, body });
    const page = await visit();
    await page.goto(`/portal/invitation#${await invitationToken(platform, body.email)}`);
    await page.getByLabel('Your name').fill('Lea Hafen');
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.reload();
    await holds(page, 'Lea Hafen');
    assert.equal(await page.locator('input[name=password]').inputValue(), '');
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByTestId('secret').waitFor();
    assert.doesNotMatch(await kept(page), /Lea Hafen/);
  });
});

describe('what is typed by who registers', { skip }, () => {
  const { world, test } = browserTests(() =>
    servePages({ SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'false' }),
  );
  const password = (page: Page) => page.locator('input[name=password]');
  const code = (page: Page) => page.getByLabel('Code from the mail');
  const register = async (page: Page, label: string, name: string, email: string) => {
    await page.getByLabel(label).fill(name);
    await page.getByLabel('Email address').fill(email);
    await page.reload();
    await holds(page, name);
    await holds(page, email);
    await password(page).fill(PASSWORD);
    await page.getByRole('button', { name: /^(Create account|Register)$/ }).click();
    await code(page).waitFor();
    // The keys are here: the password is not asked for.
    assert.equal(await password(page).count(), 0);
    await page.reload();
    await page.getByText('passwords are never kept in the browser').waitFor();
    assert.ok(!(await kept(page)).includes(PASSWORD));
  };
  test('stays where an account is recovered, but for the code and the password', async (visit) => {
    const page = await visit();
    for (const address of ['/recover', '/portal/recover']) {
      await page.goto(address);
      await page.getByLabel('Email address').fill('kept@example.org');
      await page.locator('textarea[name=recovery-code]').fill('a secret code');
      await page.reload();
      await holds(page, 'kept@example.org');
      assert.equal(await page.locator('textarea[name=recovery-code]').inputValue(), '');
      assert.ok(!(await kept(page)).includes('a secret code'));
    }
  });

  const confirm = async (page: Page, email: string) => {
    await code(page).fill(await mailedCode(world().platform, email));
    await password(page).fill('password12');
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByText('easy to guess').waitFor();
    await password(page).fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await keepRecoveryCode(page);
  };

  test('outlives the way to the mail and back: the code counts, and the password is chosen once more', async (visit) => {
    const page = await visit({ phone: true });
    const email = 'kept-person@example.org';
    await page.goto('/register');
    await register(page, 'Your name', 'Ada Berg', email);
    await checkPage(page);
    await page.goto('/');
    await page.getByRole('heading', { name: 'What you share, and with whom' }).waitFor();
    await page.goBack();
    await code(page).waitFor();
    await confirm(page, email);
    await page.getByRole('heading', { name: /^Good .*, Ada$/ }).waitFor();
    assert.doesNotMatch(await kept(page), /registration/);
  });

  test('is there again for another address, and a company goes on the same way', async (visit) => {
    const page = await visit();
    await page.goto('/portal/register');
    await register(page, 'Name of the company', 'Harbour Bikes', 'wrong@harbour.example');
    await checkPage(page);
    await page.getByRole('button', { name: 'Another name or address' }).click();
    await holds(page, 'Harbour Bikes');
    await register(page, 'Name of the company', 'Harbour Cycles', 'right@harbour.example');
    await confirm(page, 'right@harbour.example');
    await page.getByText('Create your first service').waitFor();
    assert.doesNotMatch(await kept(page), /registration/);
  });
});
