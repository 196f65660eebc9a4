import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createService, registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { operatorAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { OPERATOR } from '@symbolon/testkit/platform/places';
import type { Page } from 'playwright-core';

const PLACES = [
  ['/operator', 'Overview', 'Überblick'],
  ['/operator/companies', 'Companies', 'Unternehmen'],
  ['/operator/people', 'People', 'Menschen'],
  ['/operator/moves', 'Regions and moves', 'Regionen und Umzüge'],
  ['/operator/queues', 'Queues and jobs', 'Schlangen und Aufträge'],
  ['/operator/backups', 'Backups', 'Sicherungen'],
  ['/operator/maintenance', 'Maintenance', 'Wartung'],
  ['/operator/keys', 'Keys', 'Schlüssel'],
  ['/operator/field-types', 'Field types', 'Feldtypen'],
  ['/operator/mail', 'Mail', 'Mail'],
  ['/operator/records', 'Records', 'Aufzeichnungen'],
] as const;

/** What was asked for has come. */
const settled = (page: Page) =>
  page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null);

describe("the operator's console", { skip }, () => {
  const { world, test } = browserTests();
  const must = (method: string, path: string, body?: unknown) =>
    world().platform.must(method, `/api/admin${path}`, {
      token: OPERATOR,
      ...(body === undefined ? {} : { body }),
    });

  test('takes the token alone, says what is wrong with another one, and forgets it', async (visit) => {
    const page = await visit();
    await page.goto('/operator/companies');
    await checkPage(page);
    const token = page.getByLabel('Operator token', { exact: true });
    const enter = page.getByRole('button', { name: 'Sign in', exact: true });
    await token.fill('too short');
    await enter.click();
    await page.getByText('An operator token has at least 32').waitFor();
    await token.fill(`${OPERATOR}x`);
    await enter.click();
    await page.getByText('This is not the operator token of this platform.').waitFor();
    await checkPage(page);
    await token.fill(OPERATOR);
    await enter.click();
    await page.getByRole('heading', { name: 'Companies', exact: true }).waitFor();
    assert.ok(!page.url().includes(OPERATOR));
    await page.reload();
    await page.getByRole('heading', { name: 'Companies', exact: true }).waitFor();
    const kept = await page.evaluate(() => [
      JSON.stringify({ ...localStorage }),
      document.cookie,
      JSON.stringify({ ...sessionStorage }),
    ]);
    assert.deepEqual(
      kept.map((text) => text.includes(OPERATOR)),
      [false, false, true],
    );
    const other = await page.context().newPage();
    await other.goto('/operator');
    await other.getByLabel('Operator token', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await token.waitFor();
    assert.ok(!(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).includes(OPERATOR));
  });

  test('shows each of its places on a desk', async (visit) => {
    const company = await registerCompany(world().platform, 'Harbour Bikes');
    await createService(world().platform, company);
    await registerPerson(world().platform, 'Ada Berg');
    const page = await visit();
    await operatorAt(page, '/operator');
    for (const [path, title] of PLACES) {
      await page.getByRole('navigation').getByRole('link', { name: title, exact: true }).click();
      await page.waitForURL((url) => url.pathname === path);
      await page.getByRole('heading', { name: title, exact: true, level: 1 }).waitFor();
      await settled(page);
      await checkPage(page);
      await picture(page, `operator${path.slice('/operator'.length).replace('/', '-')}`);
    }
  });

  test('shows each of its places on a phone, in the dark and in German', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await operatorAt(page, '/operator', { label: 'Betreiber-Token', button: 'Anmelden' });
    for (const [path, , title] of PLACES) {
      await page.goto(path);
      await page.getByRole('heading', { name: title, exact: true, level: 1 }).waitFor();
      await settled(page);
      await checkPage(page);
      await picture(page, `phone-operator${path.slice('/operator'.length).replace('/', '-')}`);
    }
  });

  test('leaves all other parts when one cannot be read, and reads that one again', async (visit) => {
    const page = await visit();
    let fails = true;
    await page.route('**/api/admin/statistics', (route) =>
      fails
        ? route.fulfill({ status: 500, json: { error: 'Broken.', error_key: 'internal' } })
        : route.continue(),
    );
    await operatorAt(page, '/operator');
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByRole('alert').count(), 1);
    await page
      .getByText('Ready', { exact: true })
      .or(page.getByText('Degraded', { exact: true }))
      .first()
      .waitFor();
    await page.getByRole('table', { includeHidden: false }).first().waitFor();
    await checkPage(page);
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Webhooks that fail').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('finds a company, sets its level and suspends its messages', async (visit) => {
    const company = await registerCompany(world().platform, 'Zebra Clinic');
    const page = await visit();
    await operatorAt(page, '/operator/companies');
    await page.getByLabel('Search by name, address or code').fill('zeb');
    await page.waitForURL(/q=zeb/);
    await page.getByRole('link', { name: 'Zebra Clinic' }).click();
    await page.getByRole('heading', { name: 'Zebra Clinic', level: 1 }).waitFor();
    await settled(page);
    await checkPage(page);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Level').selectOption('basic');
    await sheet.getByText('until the level rises again').waitFor();
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Set the level' }).click();
    await sheet.waitFor({ state: 'detached' });
    assert.equal((await must('GET', `/companies/${company.id}`)).level, 'basic');
    await page.getByRole('button', { name: 'Suspend: Broadcasts' }).click();
    await sheet.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('button', { name: 'Allow again: Broadcasts' }).waitFor();
    assert.deepEqual(await must('GET', `/companies/${company.id}/messaging`), {
      messages: false,
      broadcasts: true,
    });
  });

  test('gives a person a share code, and takes it back', async (visit) => {
    await registerPerson(world().platform, 'Quentin Share');
    const page = await visit();
    await operatorAt(page, '/operator/people?q=quentin');
    await page.getByRole('button', { name: 'Give: Quentin Share' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Share code').fill('quentin1');
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Give the code' }).click();
    const given = page.getByRole('button', { name: 'Take back QUENTIN1' });
    await given.waitFor();
    await sheet.waitFor({ state: 'detached' });
    await checkPage(page);
    await given.click();
    await sheet.getByRole('button', { name: 'Take it back' }).click();
    await page.getByRole('button', { name: 'Take back QUENTIN1' }).waitFor({ state: 'detached' });
  });

  test('says what a switch does before it is used, and asks for the name of what stops everybody', async (visit) => {
    const page = await visit();
    await operatorAt(page, '/operator/maintenance');
    await page.getByRole('button', { name: 'Pause saving' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('Calls that write answer 503').waitFor();
    await sheet.getByLabel('Why').fill('upgrade');
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Pause saving' }).click();
    await page.getByText('Saving is paused').waitFor();
    assert.equal((await must('GET', '/maintenance')).writes_paused.reason, 'upgrade');
    await page.getByRole('button', { name: 'Resume saving' }).click();
    await sheet.getByRole('button', { name: 'Resume saving' }).click();
    await page.getByText('Saving is paused').waitFor({ state: 'detached' });
    assert.equal((await must('GET', '/maintenance')).writes_paused, null);

    await page.getByRole('button', { name: 'Take out of order' }).click();
    const doIt = sheet.getByRole('button', { name: 'Take out of order' });
    assert.ok(await doIt.isDisabled());
    await sheet.getByLabel('Type “local” to go on').fill('local');
    await doIt.click();
    await page.getByText('Out of order', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Take back into operation' }).click();
    await sheet.getByRole('button', { name: 'Take back into operation' }).click();
    await page.getByRole('button', { name: 'Take out of order' }).waitFor();
    assert.equal((await must('GET', '/maintenance')).out_of_order, null);
  });

  test('checks a field type before it adds it, and asks for the name of one that it removes', async (visit) => {
    const page = await visit();
    await operatorAt(page, '/operator/field-types');
    await page.getByRole('button', { name: 'Add a type' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Row').fill('{"type": "text", "label": "Again"}');
    await sheet.getByRole('button', { name: 'Check it' }).click();
    await sheet.getByText('/type').waitFor();
    await checkPage(page);
    await sheet.getByLabel('Row').fill('{"type": "badge", "parent": "text", "label": "Badge"}');
    await sheet.getByRole('button', { name: 'Check it' }).click();
    await sheet.getByText('This row can be added').waitFor();
    const listed = async () =>
      (await must('GET', '/field-types')).field_types.some((row: { type: string }) => row.type === 'badge');
    assert.equal(await listed(), false, 'it was checked alone');
    await sheet.getByRole('button', { name: 'Add it' }).click();
    await sheet.waitFor({ state: 'detached' });
    assert.equal(await listed(), true);
    await page.getByRole('button', { name: 'Remove badge' }).click();
    await sheet.getByLabel('Type “badge” to go on').fill('badge');
    await sheet.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('button', { name: 'Remove badge' }).waitFor({ state: 'detached' });
    assert.equal(await listed(), false);
  });

  test('sends a test mail, and deletes what has outlived its time', async (visit) => {
    const page = await visit();
    await operatorAt(page, '/operator/mail');
    await page.getByLabel('To', { exact: true }).fill('ops@example.com');
    await page.getByRole('button', { name: 'Send a test mail' }).click();
    await page.getByText('No mail server is configured').waitFor();
    await checkPage(page);
    await page.goto('/operator/queues');
    await page.getByRole('button', { name: 'Delete it now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it now' }).click();
    await page.getByText('0 events that were not read').waitFor();
    await page.goto('/operator/records');
    await page.getByText('data.purged').waitFor();
    await page.getByText('mail.tested').waitFor();
  });

  test('changes the secret to a newer version with its progress, and drops the older one by its name', async (visit) => {
    const page = await visit();
    await operatorAt(page, '/operator/keys');
    await page.getByRole('button', { name: 'Change to a newer version' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Change to a newer version' }).click();
    await page.getByText(/^Done: \d+ texts? were encrypted again/).waitFor();
    assert.equal((await must('GET', '/keys')).current, 2);
    await page.getByRole('button', { name: 'Drop version 1' }).click();
    await sheet.getByLabel('Type “version 1” to go on').fill('version 1');
    assert.ok(
      await sheet.getByRole('button', { name: 'Drop', exact: true }).isDisabled(),
      'tokens are under it',
    );
    await sheet.getByLabel('Also end what is still under it').check();
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Drop', exact: true }).click();
    await sheet.waitFor({ state: 'detached' });
    const { versions } = await must('GET', '/keys');
    const there = versions.filter(({ available }: { available: boolean }) => available);
    assert.deepEqual(
      there.map(({ version }: { version: number }) => version),
      [2],
    );
  });
});
