import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { RequestFieldInput } from '@symbolon/protocol';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { addDelegate, mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { checkPage } from '@symbolon/testkit/browser/looks';
import { personAt, portalAt, signedIn, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

const ROWS: readonly RequestFieldInput[] = [
  { slug: 'nickname', label: 'Nickname', type: 'text', mandatory_provide: true },
  { slug: 'picture', label: 'Picture of the bike', type: 'photo' },
];
const codePage = ({ id }: { id: string }) => `/portal/services/${id}/code`;
const make = (page: Page) => page.getByRole('button', { name: 'Make a test person' }).click();

describe('a service is tried by its developer', { skip }, () => {
  const { world, test } = browserTests();

  /** What the feed of a service has for its backend. */
  const drained = async (token: string): Promise<string[]> => {
    const { changes } = await world().platform.must('GET', '/api/company-data/changes', { token });
    return changes.map(({ event, slug }: { event: string; slug?: string }) =>
      slug === undefined ? event : `${event} ${slug}`,
    );
  };

  test('tries the service with a test person and sees the first event', async (visit) => {
    const { platform } = world();
    const { company, service, token } = await openShop(platform, ROWS);
    const page = await visit();
    await personAt({ platform }, page, '/', 'anna-beside@example.com');
    const anna = await signedIn(page);
    await portalAt(page, codePage(service), await addDelegate(platform, company, 'developer'));
    await page.getByRole('button', { name: 'Make a test person' }).waitFor();
    const before = await page.context().cookies();
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await checkPage(page);
    assert.deepEqual(workers, [], 'nothing of it is loaded before it is asked for');

    await make(page);
    await page.getByText('The test person is a customer of Shop now.').waitFor();
    await page.getByText('Not answered, as no example was made: Picture of the bike.').waitFor();
    await checkPage(page);
    assert.equal(workers.length, 1);
    assert.deepEqual(await drained(token), ['connection_created']);
    await page.getByRole('button', { name: 'Change an answer' }).click();
    const told = await page.getByText(/^The answer to “Nickname” is “.+” now\./).innerText();
    assert.deepEqual(await drained(token), ['field_updated nickname']);
    await checkPage(page);

    const [customer] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Show the customer' }).click(),
    ]);
    await customer.getByRole('heading', { name: /^Test person/ }).waitFor();
    const connectionId = new URL(customer.url()).pathname.split('/').at(-1);
    const { values } = await platform.must('GET', `/api/company-data/connections/${connectionId}`, { token });
    assert.ok(told.includes(`“${await service.open(values.nickname.value)}”`), told);
    await customer.close();

    const [events] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('status').getByRole('link', { name: 'Events' }).click(),
    ]);
    for (const event of ['field_updated', 'connection_created'])
      await events.getByRole('region', { name: 'Events' }).getByRole('button', { name: event }).waitFor();
    await events.close();

    await page.getByRole('button', { name: 'Copy the address' }).click();
    const email = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(email, /^test-[0-9a-f]+@test\.example$/);
    await page.getByRole('button', { name: 'Copy the password' }).click();
    const password = await page.evaluate(() => navigator.clipboard.readText());
    const phone = await visit({ phone: true });
    await phone.goto('/sign-in');
    await typeSignIn(phone, email, password);
    await phone.getByText('You connected with Acme').waitFor();

    await page.getByRole('button', { name: 'End the connection' }).click();
    await page.getByText('The connection has ended').waitFor();
    assert.deepEqual(await drained(token), ['connection_deleted']);
    await checkPage(page);
    assert.deepEqual(await page.context().cookies(), before, 'who is signed in here stays so');
    assert.deepEqual(await signedIn(page), anna);
  });

  test('says on a phone which question has no example, and leaves nobody behind', async (visit) => {
    const { platform } = world();
    const row = { slug: 'mail', label: 'Your mail', type: 'email', mandatory_provide: true, verified: true };
    const { company, service, token } = await openShop(platform, [row]);
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, codePage(service), company);
    const isDeleted = page.waitForRequest(
      (request) => request.method() === 'DELETE' && request.url().endsWith('/api/person'),
    );
    await page.getByRole('button', { name: 'Testmenschen anlegen' }).click();
    await page.getByText('„Your mail“ muss beantwortet werden').waitFor();
    assert.equal((await (await isDeleted).response())?.ok(), true);
    assert.deepEqual(await drained(token), []);
    await checkPage(page);
  });

  test('is asked to publish questions first, and who supports customers makes nobody', async (visit) => {
    const { platform } = world();
    const { company, service } = await openShop(platform);
    const [page, support] = [await visit(), await visit()];
    await portalAt(page, codePage(service), company);
    await page.getByRole('link', { name: 'Publish what Shop asks for' }).click();
    await page.getByRole('heading', { name: 'What Shop asks' }).waitFor();
    await portalAt(support, codePage(service), await addDelegate(platform, company, 'support'));
    await support.getByText('Words of the key').waitFor();
    assert.equal(await support.getByText('Try it with a test person').count(), 0);
  });
});

describe('a service on a platform that mails codes', { skip }, () => {
  const { world, test } = browserTests(() =>
    servePages({ SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'false' }),
  );

  test('is tried with a phone and a real account: the page says so', async (visit) => {
    const { platform } = world();
    const company = await registerCompany({
      /** Registers in two calls, with the code that is mailed. */
      async must(method, path, { body: given } = {}) {
        const { email, account } = given as { email: string; account: object };
        const { ticket } = await platform.must(method, path, { body: { email } });
        const body = { ticket, code: await mailedCode(platform, email), account };
        return platform.must(method, `${path}/confirm`, { body });
      },
    });
    const { id } = await createService(platform, company, ROWS);
    const page = await visit();
    await portalAt(page, codePage({ id }), company);
    await make(page);
    await page.getByText('This platform mails a code to each new address.').waitFor();
    await checkPage(page);
    const { token } = company;
    const { customers } = await platform.must('GET', `/api/services/${id}/customers`, { token });
    assert.deepEqual(customers, []);
  });
});
