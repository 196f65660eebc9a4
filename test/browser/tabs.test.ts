import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import {
  createField,
  createService,
  PASSWORD,
  registerCompany,
  registerPerson,
  type TestCompany,
} from '@symbolon/testkit/actors/actors';
import { createApp, parametersFor } from '@symbolon/testkit/actors/consent';
import {
  type AskingService,
  asked,
  createAskingService,
  enrol,
} from '@symbolon/testkit/actors/second-factor';
import { checkPage } from '@symbolon/testkit/browser/looks';
import { newPerson, personAt, portalAt, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { eventually } from '@symbolon/testkit/platform/eventually';
import type { Locator, Page } from 'playwright-core';

/** The browser does the work, and may need this processor for it. */
const PAUSE_MS = 20;

/**
 * A page finds out who has signed in by whatever it asks next: after the click, or by a read of its own before it, and then there is
 * nothing to click any more.
 */
async function turns(page: Page, name: string, clicked: Locator): Promise<void> {
  const said = page.getByText(`${name} has signed in here, in another tab.`).waitFor();
  await Promise.race([clicked.click(), said]);
  await said;
}

describe('tabs of one browser', { skip }, () => {
  const { world, test } = browserTests();
  let service: AskingService;
  before(async () => {
    if (!skip) service = await createAskingService(world().platform);
  });

  /** Signs in beside the pages, which hear nothing of it. */
  const signedInBeside = async (page: Page, path: string, of: { email: string; loginSecret: string }) => {
    const data = { session: 'cookie', email: of.email, login_secret: of.loginSecret };
    const answer = await page.request.post(path, { data });
    assert.ok(answer.ok(), await answer.text());
  };
  const labelled = async (email: string, name: string, label: string) => {
    const person = await registerPerson(world().platform, name, email);
    await createField(world().platform, person, { type: 'text', slug: 'a', label, value: 'secret' });
    return person;
  };

  test('eight of them load, hear one stream, and the next one takes it over', async (visit) => {
    const first = await visit();
    const { eventStreams } = world().platform.context;
    let asks = 0;
    // Which tab is the first to ask for it is not said.
    let listening = first;
    first.context().on('request', (request) => {
      if (!request.url().endsWith('/api/person/events')) return;
      asks++;
      listening = request.frame().page();
    });
    const person = await personAt(world(), first, '/me/fields', 'tabs@example.org');
    await enrol(world().platform, person, service);
    const pages = [first];
    for (let count = 1; count < 8; count++) {
      const page = await first.context().newPage();
      await page.goto('/me/fields');
      await page.getByRole('heading', { level: 1, name: 'My data' }).waitFor();
      pages.push(page);
    }
    const one = () => (eventStreams.size === 1 ? true : undefined);
    const stands = (what: string) => () => `${what}: ${eventStreams.size} are open, ${asks} were asked for`;
    await eventually(stands('there is one stream'), one, PAUSE_MS);
    const context = 'Sign-in from Berlin, Firefox on Linux';
    await asked(world().platform, service, person, { context });
    for (const page of pages) await page.getByText(context).waitFor();
    const before = asks;
    const closed = listening;
    await closed.close();
    await eventually(stands('another tab asks for the stream'), () => asks > before || undefined, PAUSE_MS);
    await eventually(stands('another tab has the stream'), one, PAUSE_MS);
    await asked(world().platform, service, person, { context });
    for (const page of pages.filter((each) => each !== closed))
      await page.getByText('One more waits').waitFor();
    assert.equal(eventStreams.size, 1, stands('it is still one')());
  });

  test('a stream that is refused is opened again, as after a platform that starts again behind its proxy', async (visit) => {
    const page = await visit();
    let refused = 0;
    await page.route('**/api/person/events', (route) =>
      refused++ < 2 ? route.fulfill({ status: 502, body: 'Bad Gateway' }) : route.continue(),
    );
    const opened = page.waitForResponse((answer) => answer.url().endsWith('/events') && answer.ok());
    const person = await personAt(world(), page, '/me/fields', 'again@example.org');
    await opened;
    await enrol(world().platform, person, service);
    await asked(world().platform, service, person, { context: 'Sign-in from Potsdam' });
    await page.getByText('Sign-in from Potsdam').waitFor();
  });

  test('a tab of one person turns to the sign-in when another person signs in, and goes on as that one when asked to', async (visit) => {
    const page = await visit();
    await personAt(world(), page, '/me/fields', 'anton@example.org', 'Anton One');
    await page.getByRole('heading', { level: 1, name: 'My data' }).waitFor();
    await newPerson(world().platform, 'clara@example.org', 'Clara Two');
    const other = await page.context().newPage();
    await other.goto('/sign-in');
    await other.getByText('Signed in as Anton One').waitFor();
    await other.getByRole('button', { name: 'Go on as Anton One' }).waitFor();
    await checkPage(other);
    await typeSignIn(other, 'clara@example.org', PASSWORD);
    await other.getByRole('heading', { name: /^Good .*, Clara$/ }).waitFor();
    await page.getByText('Clara Two has signed in here, in another tab.').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Go on as Clara Two' }).click();
    await page.getByRole('heading', { level: 1, name: 'My data' }).waitFor();
  });

  test('a person’s page that hears nothing of it shows and sends nothing as the other', async (visit) => {
    const page = await visit();
    await personAt(world(), page, '/me', 'anton2@example.org', 'Anton One');
    await page.getByRole('heading', { name: /^Good .*, Anton$/ }).waitFor();
    const clara = await labelled('clara2@example.org', 'Clara Two', 'Label of Clara');
    const shown: string[] = [];
    page.on('response', async (response) => {
      if (!response.url().endsWith('/api/person/session')) shown.push(await response.text().catch(() => ''));
    });
    await signedInBeside(page, '/api/person/login', clara);
    await turns(page, 'Clara Two', page.getByRole('link', { name: 'My data', exact: true }));
    assert.deepEqual(
      shown.filter((text) => text.includes('Label of Clara')),
      [],
    );
  });

  test('a consent page answers nothing as another person than it says', async (visit) => {
    const page = await visit();
    const company = await registerCompany(world().platform, 'Bike Club Berlin');
    const app = await createApp(world().platform, company, {
      name: 'Bike Club',
      redirect_uris: ['https://bikes.example/cb'],
    });
    const address = `/auth?${parametersFor(app, { mode: 'signin', state: 'state-of-the-site' })}`;
    await personAt(world(), page, address, 'anton3@example.org', 'Anton One');
    await page.getByText('Signed in as Anton One').waitFor();
    const clara = await labelled('clara3@example.org', 'Clara Two', 'Label of Clara');
    await signedInBeside(page, '/api/person/login', clara);
    await turns(page, 'Clara Two', page.getByRole('button', { name: 'Sign in to Bike Club' }));
    await checkPage(page);
    assert.equal(new URL(page.url()).pathname, '/auth');
  });

  test('a page of the portal shows nothing of another company', async (visit) => {
    const page = await visit();
    const companies: TestCompany[] = [];
    for (const name of ['Alpha GmbH', 'Beta BV']) {
      const company = await registerCompany(world().platform, name);
      await createService(world().platform, company, [], `Service of ${name}`);
      companies.push(company);
    }
    const [alpha, beta] = companies;
    if (alpha === undefined || beta === undefined) throw new Error('There are two.');
    await portalAt(page, '/portal', alpha);
    await page.getByRole('link', { name: 'Profile' }).waitFor();
    const shown: string[] = [];
    page.on('response', async (response) => {
      if (!response.url().endsWith('/api/portal/session')) shown.push(await response.text().catch(() => ''));
    });
    await signedInBeside(page, '/api/portal/sign-in', beta);
    await turns(page, 'Beta BV', page.getByRole('link', { name: 'Plugins' }));
    await checkPage(page);
    assert.deepEqual(
      shown.filter((text) => text.includes('Beta BV')),
      [],
    );
    await page.getByRole('button', { name: 'Go on as Beta BV' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Beta BV').filter({ visible: true }).first().waitFor();
  });
});
