import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { sealValue, serializeWrapper } from '@symbolon/crypto';
import {
  connect,
  createService,
  openSealed,
  publish,
  registerCompany,
  registerPerson,
  sealed,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { publishFlow } from '@symbolon/testkit/actors/flow-runs';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { inOrder, walkDown } from '@symbolon/testkit/browser/endless-table';
import { Keyboard } from '@symbolon/testkit/browser/keyboard';
import { bytesOf, checkPage, holds, picture } from '@symbolon/testkit/browser/looks';
import { openServiceKey, portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { insertConnections, insertPeople } from '@symbolon/testkit/platform/rows';
import type { Locator, Page } from 'playwright-core';

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** The rail has a link of the same name. */
const backToAll = (page: Page) =>
  page.getByRole('main').getByRole('link', { name: 'Customers', exact: true });

describe('customers in the portal', { skip }, () => {
  const { world, test } = browserTests();

  const stand = async () => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Bike Club');
    const rows = [{ slug: 'note', label: 'What should we know?', type: 'text', one_time: true }];
    const service = await createService(platform, company, rows);
    for (const name of ['Ada Berg', 'Ben Ali']) {
      const person = await registerPerson(platform, name);
      await connect(platform, person, service, {
        note: { once: `${name} is left-handed` },
      });
    }
    return company;
  };

  test('are gone to by a few letters, from any page, and so are pages and services', async (visit) => {
    const company = await stand();
    const page = await visit();
    await portalAt(page, '/portal/team', company);
    // Until it is known who is signed in, the page has another heading, and hears no such key.
    await page.getByText('login of the registration').waitFor();
    await page.keyboard.press('Control+k');
    const sheet = page.getByRole('dialog', { name: 'Go to' });
    const field = sheet.getByRole('searchbox', { name: 'Page, service or customer' });
    await field.fill('ada b');
    await sheet.getByRole('link', { name: 'Ada Berg' }).waitFor();
    await checkPage(page);
    await picture(page, 'portal-go-to');
    await field.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ada Berg' }).waitFor();
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Go to' }).first().click();
    await field.fill('webh');
    await field.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });

  test('are asked to connect by a list of codes: what is asked is seen before, and what became of it after', async (visit) => {
    const { platform } = world();
    const { company, service } = await openShop(platform);
    const connected = await registerPerson(platform, 'Ada Berg');
    await connect(platform, connected, service, {});
    const [asked, other] = [
      await registerPerson(platform, 'Ben Ali'),
      await registerPerson(platform, 'Eva Roth'),
    ];
    const page = await visit();
    await portalAt(page, '/portal/customers', company);
    await page.getByRole('link', { name: 'Requests to connect' }).click();
    await page.getByText('Nobody was asked').waitFor();
    const form = page.getByRole('region', { name: 'Ask people' });
    const codes = [asked.shareCode, other.shareCode.toLowerCase(), connected.shareCode, asked.shareCode];
    await form.getByLabel('Codes of the people').fill(`${codes.join('\n')}\nNOBODY99, ada@example.com`);
    await form.getByText('One stands there twice. No codes, and left out: ADA@EXAMPLE.COM.').waitFor();
    await checkPage(page);
    await picture(page, 'portal-asking');
    // What was begun is there after a look elsewhere.
    await page.getByRole('link', { name: 'Customers', exact: true }).last().click();
    await page.goBack();
    await form.getByRole('button', { name: 'Ask 4 people' }).click();
    await page.getByText('2 of 4 asked').waitFor();
    const failed = page.getByRole('region', { name: 'Not asked' });
    await failed.getByText('This person is connected already.').waitFor();
    await failed.getByText(/^Nobody has this code/).waitFor();
    await checkPage(page);
    const row = (person: { shareCode: string }) =>
      page.getByRole('row').filter({ hasText: person.shareCode });
    await row(asked).getByText('Waits', { exact: true }).waitFor();
    await row(other).getByText('Waits', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Ask others' }).click();
    assert.equal(await form.getByLabel('Codes of the people').inputValue(), '');
    const { connect_requests } = await platform.must('GET', '/api/person/connect-requests', {
      token: asked.token,
    });
    await platform.must('POST', `/api/person/connect-requests/${connect_requests[0].request_id}/accept`, {
      token: asked.token,
      body: { decisions: [] },
    });
    await page.reload();
    await row(asked).getByText('Connected', { exact: true }).waitFor();
  });

  test('are not asked by a viewer, who sees who was', async (visit) => {
    const { platform } = world();
    const { company, service } = await openShop(platform);
    const person = await registerPerson(platform, 'Ben Ali');
    await platform.must('POST', `/api/services/${service.id}/connect-requests`, {
      token: company.token,
      body: { share_code: person.shareCode },
    });
    const page = await visit();
    const viewer = await addDelegate(platform, company, 'viewer');
    await portalAt(page, `/portal/customers/asking?service=${service.id}`, viewer);
    await page.getByRole('row').filter({ hasText: person.shareCode }).getByText('Waits').waitFor();
    assert.equal(await page.getByLabel('Codes of the people').count(), 0);
  });

  test('are found by name, and what one shares is opened with the key of the service and locked again', async (visit) => {
    const company = await stand();
    const page = await visit();
    await portalAt(page, '/portal/customers', company);
    await page.getByRole('link', { name: 'Ben Ali' }).waitFor();
    await checkPage(page);
    await picture(page, 'portal-customers');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save what is shown as CSV' }).click(),
    ]);
    assert.match((await bytesOf(saved)).toString(), /^\ufeffconnection_id,name,.*\r\n.*,Ben Ali,person,/);
    await page.getByLabel('Search by name or code').fill('nobody');
    await page.getByText('Nothing found').waitFor();
    await page.getByLabel('Search by name or code').fill('berg');
    await page.getByRole('link', { name: 'Ben Ali' }).waitFor({ state: 'detached' });
    await page.waitForURL(/q=berg/);
    await page.reload();
    await page.getByRole('link', { name: 'Ada Berg' }).click();
    await page.getByText('Sealed', { exact: true }).waitFor();
    await checkPage(page);

    await openServiceKey(page);
    await page.getByText('Ada Berg is left-handed').waitFor();
    await checkPage(page);
    await picture(page, 'portal-customer');
    await page.getByRole('button', { name: 'Lock again' }).click();
    await page.getByText('Sealed', { exact: true }).waitFor();
    await page.getByText('Ada Berg is left-handed').waitFor({ state: 'detached' });
    await backToAll(page).click();
    await page.getByRole('link', { name: 'Ben Ali' }).waitFor();
  });

  test('a file that one gave is opened, flows are seen, and an admin ends the connection; others cannot', async (visit) => {
    const { platform } = world();
    const { company, service, token } = await openShop(platform, [
      { slug: 'bike', label: 'Your bike', type: 'photo', one_time: true },
    ]);
    const person = await registerPerson(platform, 'Ada Berg');
    const photo = JSON.stringify({ full: PICTURE });
    const { upload_id } = await platform.must('POST', '/api/person/files', {
      token: person.token,
      body: { value: await sealed(photo) },
    });
    const { connection_id: connectionId } = await platform.must('POST', '/api/person/connections', {
      token: person.token,
      body: {
        company_code: company.code,
        service_code: service.code,
        decisions: [{ request_field_id: service.rows.bike, kind: 'one_time', upload_id }],
      },
    });
    const flowId = await publishFlow(platform, service);
    await platform.must('POST', `/api/company-data/flows/${flowId}/runs`, {
      token,
      body: {
        target: { connection_id: connectionId },
        bindings: { client: person.id, owner: company.id },
        reference: 'Order 7',
      },
    });

    const viewer = await addDelegate(platform, company, 'viewer');
    const path = `/portal/services/${service.id}/customers/${connectionId}`;
    const page = await visit();
    await portalAt(page, path, viewer);
    await page.getByText('A sealed file').waitFor();
    await page
      .getByRole('list', { name: 'Flows' })
      .getByRole('link', { name: /Order 7/ })
      .waitFor();
    assert.equal(await page.getByRole('button', { name: 'End the connection' }).count(), 0);
    await checkPage(page);

    await portalAt(page, path, company);
    await openServiceKey(page);
    await page.getByRole('button', { name: 'Open the file of Your bike' }).click();
    const sheet = page.getByRole('dialog', { name: 'Your bike' });
    await sheet.getByRole('img', { name: 'Preview of Your bike' }).waitFor();
    await checkPage(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      sheet.getByRole('button', { name: 'Download Your bike' }).click(),
    ]);
    assert.equal((await bytesOf(file)).toString('base64'), PICTURE.split(',')[1]);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'End the connection' }).click();
    const question = page.getByRole('dialog', { name: 'End the connection with Ada Berg?' });
    await question.getByText('Contracts that were signed or accepted stay').waitFor();
    await checkPage(page);
    await question.getByRole('button', { name: 'End the connection' }).click();
    await page.getByText('No customers yet').waitFor();
    const { connections } = await platform.must('GET', '/api/person/connections', { token: person.token });
    assert.deepEqual(connections, []);
  });

  test('what is looked at often is kept under a name, renamed and removed, by keyboard', async (visit) => {
    const company = await stand();
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, '/portal/customers?q=berg', company);
    const sheet = page.getByRole('dialog');
    const name = sheet.getByLabel('Name');
    const keep = page.getByRole('button', { name: 'Keep this view' });
    const change = page.getByRole('button', { name: 'Change this view' });
    const views = page.getByRole('navigation', { name: 'Kept views' });
    const search = page.getByLabel('Search by name or code');
    await keyboard.open(keep, sheet);
    await checkPage(page);
    await keyboard.type(name, 'The Bergs');
    await keyboard.keys('Enter');
    await keyboard.isBackAt(change);
    await views
      .getByRole('link', { name: 'The Bergs', exact: true })
      .and(page.locator('[aria-current]'))
      .waitFor();
    await checkPage(page);

    await keyboard.type(search, 'ali');
    await page.getByRole('link', { name: 'Ada Berg' }).waitFor({ state: 'detached' });
    await keyboard.open(keep, sheet);
    await keyboard.type(name, 'The Bergs');
    await sheet.getByText('Another view has this name.').waitFor();
    await keyboard.type(name, 'Alis');
    await keyboard.keys('Enter');
    await page.reload();
    await keyboard.press(views.getByRole('link', { name: 'The Bergs' }));
    await page.getByRole('link', { name: 'Ada Berg' }).waitFor();
    await holds(search, 'berg');

    await keyboard.open(change, sheet);
    await holds(name, 'The Bergs');
    await keyboard.type(name, 'Bergs');
    await keyboard.keys('Enter');
    await keyboard.isBackAt(change);
    await keyboard.open(change, sheet);
    await keyboard.press(sheet.getByRole('button', { name: 'Remove this view' }));
    await keyboard.isBackAt(keep);
    assert.deepEqual(await views.getByRole('link').allInnerTexts(), ['Alis']);
    await keyboard.press(page.getByRole('button', { name: 'Undo' }));
    await change.waitFor();
    assert.deepEqual(await views.getByRole('link').allInnerTexts(), ['Alis', 'Bergs']);

    const colleague = await addDelegate(world().platform, company, 'viewer');
    await portalAt(page, '/portal/customers?q=berg', colleague);
    await keep.waitFor();
    assert.equal(await views.count(), 0, 'views are those of a login');
    await portalAt(page, '/portal/customers', company);
    await views.getByRole('link', { name: 'Bergs' }).waitFor();

    // A view may name a customer.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the portal' }).waitFor();
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    assert.doesNotMatch(kept, /berg/i);
  });

  test('are filtered by kind and by what they have not answered, in the address and in kept views', async (visit) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Bike Club');
    const rows = [{ slug: 'note', label: 'What should we know?', type: 'text', one_time: true }];
    const service = await createService(platform, company, rows);
    await connect(platform, await registerPerson(platform, 'Ada Berg'), service, { note: { once: 'x' } });
    await connect(platform, await registerPerson(platform, 'Ben Ali'), service);
    await connectCompany(platform, await createCustomer(platform, 'Firm'), service);
    const page = await visit();
    await portalAt(page, '/portal/customers', company);
    const kind = page.getByRole('combobox', { name: 'Kind' });
    const missing = page.getByRole('combobox', { name: 'Missing answer' });
    const shows = async (...names: readonly string[]) => {
      for (const name of ['Firm', 'Ben Ali', 'Ada Berg'])
        await page
          .getByRole('link', { name, exact: true })
          .waitFor({ state: names.includes(name) ? 'attached' : 'detached' });
    };
    await shows('Firm', 'Ben Ali', 'Ada Berg');
    await kind.selectOption('Companies');
    await shows('Firm');
    await checkPage(page);
    await kind.selectOption('People');
    await shows('Ben Ali', 'Ada Berg');
    await missing.selectOption('What should we know?');
    await shows('Ben Ali');
    await checkPage(page);
    await page.getByRole('button', { name: 'Keep this view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('To ask');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Change this view' }).waitFor();

    // An empty table says what to leave out.
    await page.getByLabel('Search by name or code').fill('ada');
    await page.getByText('No customer fits all that is chosen.').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Without “What should we know?”' }).click();
    await shows('Ada Berg');
    await missing.selectOption('Any required answer');
    await page.getByRole('button', { name: 'Without “Any required answer”' }).click();
    await shows('Ada Berg');

    await page.reload();
    await shows('Ada Berg');
    await holds(kind, 'person');
    await page.getByRole('link', { name: 'To ask', exact: true }).click();
    await shows('Ben Ali');
    await holds(missing, 'note');
    await holds(kind, 'person');

    await publish(platform, company, service.id, []);
    await page.reload();
    await page.getByText('This is no longer asked').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Without “note”' }).click();
    await shows('Ben Ali', 'Ada Berg');
  });

  /** A service with many customers. @returns with the paths of their pages, the latest first */
  const crowd = async (count: number) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Bike Club');
    const service = await createService(platform, company);
    const join = async (joining: number) =>
      insertConnections(platform, service, await insertPeople(platform, joining));
    const ids = await join(count);
    const paths = (connections: readonly string[]) =>
      connections
        .toSorted()
        .reverse()
        .map((id) => `/portal/services/${service.id}/customers/${id}`);
    return {
      company,
      paths: paths(ids),
      /** More customers come. @returns the paths of all */
      grow: async (joining: number) => paths([...ids, ...(await join(joining))]),
    };
  };
  const tableOf = (page: Page) => page.getByRole('region', { name: 'Customers' });

  test('are one table that goes on as it is scrolled, with few rows drawn, and each customer once', async (visit) => {
    const { company, paths, grow } = await crowd(2000);
    const page = await visit();
    await portalAt(page, '/portal/customers', company);
    const table = tableOf(page);
    await page.getByText('The latest 50, and there are more').waitFor();
    await checkPage(page);
    const { rows, drawnMost } = await table.evaluate(walkDown);
    assert.deepEqual(inOrder(rows), paths);
    assert.ok(drawnMost <= 100, `${drawnMost} rows were drawn`);
    await page.getByText('2000 customers').waitFor();
    await checkPage(page);

    // Back from a customer one is where one was: also when others came meanwhile, and when nothing is known any more.
    await table.evaluate(scrollToRow, 1500);
    const place = await inSight(table);
    const all = await grow(60);
    const isBack = async () => {
      await page.goBack();
      await table.waitFor();
      await table.evaluate(isDrawnInSight);
      assert.deepEqual(await inSight(table), place);
    };
    const goIn = async () => {
      await table.locator(`a[href="${place.path}"]`).click();
      await page.getByText('What is shared').waitFor();
    };
    await goIn();
    const newest = page.waitForResponse(
      (answer) => /\/customers\?/.test(answer.url()) && answer.ok() && !/before=/.test(answer.url()),
    );
    await isBack();
    await newest;
    await page.getByText('2060 customers').waitFor();
    assert.deepEqual(await inSight(table), place);
    await goIn();
    await page.reload();
    await isBack();
    await table.evaluate(scrollToRow, 0);
    assert.deepEqual(inOrder((await table.evaluate(walkDown)).rows), all);

    // A link to the list begins with the newest.
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await table.locator(`a[href="${all[0]}"]`).waitFor();
    assert.equal(await table.evaluate((box) => box.scrollTop), 0);
  });

  test('are gone through by arrows, and more of them shown by a button', async (visit) => {
    const { company, paths } = await crowd(120);
    const page = await visit();
    const keyboard = new Keyboard(page);
    await portalAt(page, '/portal/customers', company);
    const table = tableOf(page);
    const row = (index: number) => table.locator(`a[href="${paths[index]}"]`);
    const hasFocus = (index: number) => keyboard.isIn(row(index));
    await keyboard.to(row(0));
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '-1');
    await keyboard.keys('ArrowDown', 'ArrowDown', 'ArrowUp');
    await hasFocus(1);
    assert.equal(await keyboard.standing(), 'seen');
    const more = page.getByRole('button', { name: 'Show more' });
    await keyboard.press(more);
    await page.getByText('The latest 100, and there are more').waitFor();
    assert.equal(await keyboard.standing(), 'seen');
    await keyboard.to(row(1), 'Shift+Tab');

    // The row with the focus stays while it is out of sight, and nothing leads back to it until a key does.
    await table.evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await page.getByText('120 customers').waitFor();
    await more.waitFor({ state: 'detached' });
    await hasFocus(1);
    assert.ok((await table.evaluate((box) => box.scrollTop)) > 2000);
    await keyboard.keys('ArrowDown');
    await hasFocus(2);
    assert.equal(await keyboard.standing(), 'seen');
    await keyboard.keys('End');
    await hasFocus(119);
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '121');
    assert.equal(await keyboard.standing(), 'seen');
    await keyboard.keys('Enter');
    await page.getByText('What is shared').waitFor();
  });

  /** A thread in which the customer has asked something, on the page of the customer. */
  const asked = async (page: Page, words?: Parameters<typeof openServiceKey>[1]) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Bike Club');
    const service = await createService(platform, company);
    const person = await registerPerson(platform, 'Ada Berg');
    const connectionId = await connect(platform, person, service);
    const ofPerson = `/api/person/connections/${connectionId}/messages`;
    const body = serializeWrapper(await sealValue('Is my bike ready?', service.publicKey));
    const sent = { body, sender_body: await sealed('Is my bike ready?') };
    await platform.must('POST', ofPerson, { token: person.token, body: sent });
    await portalAt(page, `/portal/services/${service.id}/customers/${connectionId}`, company);
    await openServiceKey(page, words);
    await page.getByRole('log').getByText('Is my bike ready?').waitFor();
    return {
      /** What the customer reads, newest first. */
      thread: async () => {
        const { items } = await platform.must('GET', ofPerson, { token: person.token });
        return items as { body: string; read_at: string | null }[];
      },
    };
  };

  test('staff reads what a customer wrote, and answers sealed; what was begun stays meanwhile', async (visit) => {
    const page = await visit();
    const acknowledged = page.waitForResponse(/\/messages\/read$/);
    const { thread } = await asked(page);
    assert.equal((await acknowledged).status(), 200);
    const writing = page.getByRole('textbox', { name: 'Your message to Ada Berg' });
    await writing.fill('Yes, come at five.');
    await backToAll(page).click();
    await page.getByRole('link', { name: 'Ada Berg' }).click();
    await writing.waitFor();
    await holds(writing, 'Yes, come at five.');
    await checkPage(page);
    const posted = page.waitForRequest(
      (request) => request.method() === 'POST' && /\/messages$/.test(request.url()),
    );
    await page.getByRole('button', { name: 'Send to Ada Berg' }).click();
    assert.ok(!(await posted).postData()?.includes('come at five'), 'nothing readable leaves the browser');
    const log = page.getByRole('log', { name: 'Messages with Ada Berg' });
    await log.getByText('Yes, come at five.').waitFor();
    await log.getByText('· sent').waitFor();
    await holds(writing, '');
    const [answer, question] = await thread();
    assert.equal(await openSealed(answer?.body ?? ''), 'Yes, come at five.');
    assert.notEqual(question?.read_at, null);
    await page.reload();
    await openServiceKey(page);
    // The copy for the key of the service.
    await log.getByText('Yes, come at five.').waitFor();
    await checkPage(page);
    await picture(page, 'portal-customer-messages');
  });

  test('messages on a phone in German', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await asked(page, {
      choose: 'Schlüsseldatei wählen',
      passphrase: 'Passphrase des Schlüssels',
      open: 'Öffnen',
    });
    await page.getByRole('textbox', { name: 'Ihre Nachricht an Ada Berg' }).fill('Ja, um fünf.');
    await checkPage(page);
    await page.getByRole('button', { name: 'An Ada Berg senden' }).click();
    await page.getByRole('log').getByText('Ja, um fünf.').waitFor();
    await checkPage(page);
  });

  test('on a phone in German', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, '/portal/customers', await stand());
    await page.getByRole('link', { name: 'Ada Berg' }).waitFor();
    await page.getByRole('combobox', { name: 'Art' }).selectOption('Unternehmen');
    await page.getByRole('combobox', { name: 'Fehlende Antwort' }).selectOption('What should we know?');
    await page.getByText('Kein Kunde passt zu allem').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Ohne „What should we know?“' }).click();
    await page.getByRole('button', { name: 'Ohne „Unternehmen“' }).click();
    await page.getByRole('button', { name: 'Diese Ansicht merken' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Alle');
    await checkPage(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Diese Ansicht merken' }).click();
    await page.getByRole('link', { name: 'Alle', exact: true }).waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'Ada Berg' }).click();
    await page.getByText('Versiegelt', { exact: true }).waitFor();
    await checkPage(page);
  });
});

/** Where one is in a table: how far it is scrolled within a row, and whose row it is. */
async function inSight(table: Locator): Promise<{ path: string; within: number }> {
  return table.evaluate((box) => {
    const head = box.querySelector('th')?.getBoundingClientRect().bottom ?? 0;
    for (const row of box.querySelectorAll('tr[aria-rowindex]')) {
      const { top } = row.getBoundingClientRect();
      const link = row.querySelector('a');
      if (top >= head && link !== null) return { path: link.pathname, within: Math.round(top - head) };
    }
    throw new Error('No row is in sight.');
  });
}

/** Runs in the page: scrolls until a row is the first in sight. */
async function scrollToRow(box: Element, index: number): Promise<void> {
  const height = box.querySelector('tr[aria-rowindex]')?.getBoundingClientRect().height ?? 0;
  box.scrollTop = index * height + (index === 0 ? 0 : 7);
  while (box.querySelector(`tr[aria-rowindex="${index + 3}"]`) === null)
    await new Promise(requestAnimationFrame);
}

/** Runs in the page: waits until rows are drawn at the top and at the end of what is in sight. */
async function isDrawnInSight(box: Element): Promise<void> {
  const isDrawn = () => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    const rowAt = (y: number) =>
      document.elementFromPoint((left + right) / 2, y)?.closest('tr[aria-rowindex]');
    return rowAt(top + 60) && rowAt(Math.min(bottom, innerHeight) - 10);
  };
  while (!isDrawn()) await new Promise(requestAnimationFrame);
}
