import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { ProcessFigures } from '@symbolon/protocol';
import { createService, registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import { checkPage, holds, picture } from '@symbolon/testkit/browser/looks';
import { operatorAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { symbolon } from '@symbolon/testkit/cli/command';
import { OPERATOR, OPERATOR_READS } from '@symbolon/testkit/platform/places';
import { insertCompanies } from '@symbolon/testkit/platform/rows';
import type { Locator, Page } from 'playwright-core';

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

/** What another process of the installation has written of itself. */
const another = {
  ...{ instance: 'pod-7:worker:41', host: 'pod-7', pid: 41, roles: 'worker', version: '0.0.1' },
  ...{ region: 'local', started_at: 0 },
};
const SAID: ProcessFigures = {
  ...{ state: 'draining', memory_bytes: 300 * 2 ** 20, event_loop_p99_ms: 12 },
  ...{ requests_per_second: 2.5, errors: 3 },
};

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
    await world().platform.context.processes.write();
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

  test('shows all to a token that only reads, and switches off what changes something', async (visit) => {
    const company = await registerCompany(world().platform, 'Quiet Watch');
    await registerPerson(world().platform, 'Olga Onlooker');
    const page = await visit();
    await operatorAt(page, '/operator', { token: OPERATOR_READS });
    const off: string[] = [];
    for (const path of [...PLACES.map(([place]) => place), `/operator/companies/${company.id}`]) {
      await page.goto(path);
      await page.getByText('This token only reads', { exact: false }).waitFor();
      await settled(page);
      await checkPage(page);
      const main = page.getByRole('main');
      const named = (buttons: Locator) =>
        buttons.evaluateAll((found) => found.map((button) => button.ariaLabel ?? button.textContent ?? ''));
      const on = await named(main.locator('button:not(:disabled)'));
      assert.deepEqual(
        on.filter((name) => !['Look again', 'Copy', 'Next'].includes(name)),
        [],
        path,
      );
      off.push(...(await named(main.locator('button:disabled'))));
    }
    for (const act of ['Pause saving', 'Take out of order', 'Delete it now', 'Add a type', 'Change'])
      assert.ok(off.includes(act), `${act} of ${off}`);
    await page.goto('/operator/maintenance');
    await settled(page);
    await picture(page, 'operator-reads');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Operator token', { exact: true }).fill(OPERATOR);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Pause saving' }).click();
    await page.getByRole('dialog').waitFor();
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
    // What it answered, the processes, and what waits.
    await page.getByRole('alert').nth(2).waitFor();
    assert.equal(await page.getByRole('alert').count(), 3);
    await page
      .getByText('Ready', { exact: true })
      .or(page.getByText('Degraded', { exact: true }))
      .first()
      .waitFor();
    await page.getByRole('table', { includeHidden: false }).first().waitFor();
    await checkPage(page);
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByText('Webhooks that fail').waitFor();
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
  });

  test('shows what the process answered lately, and when its certificates end', async (visit) => {
    const page = await visit();
    const statistics = await must('GET', '/statistics');
    const ends = new Date(Date.now() + 10.4 * 86_400_000).toISOString();
    await page.route('**/api/admin/statistics', (route) =>
      route.fulfill({
        json: {
          ...statistics,
          requests: { seconds: 200, total: 2500, refused: 50, errors: 5, p99_ms: 1500 },
          certificates: { seal: ends, tls: null },
        },
      }),
    );
    await operatorAt(page, '/operator');
    const process = page.getByRole('region', { name: 'The process that answers', exact: true });
    await process.getByText('Requests a second').waitFor();
    await settled(page);
    const shown = await process
      .locator('dt')
      .evaluateAll((names) =>
        names.map(({ textContent: name, parentElement: fact }) => [
          name,
          ...Array.from(fact?.querySelectorAll('dd') ?? [], (value) => value.textContent),
        ]),
      );
    assert.deepEqual(shown.slice(-6), [
      ['Requests a second', '12.5', '2,500 in 200 s'],
      ['Answered with 5xx', '5', '0.2% of all'],
      ['Refused by limits', '50', '2% of all'],
      ['Answered within, 99 %', '1,500 ms'],
      ['Certificate of the seal ends', 'in 10 days'],
      ['Certificate of the address ends', 'it has none of its own'],
    ]);
  });

  test('shows every process of the installation, and that their versions differ', async (visit) => {
    const { context } = world().platform;
    await context.processes.write();
    const now = Date.now();
    // Its clock is ahead: it is not gone, however long this test takes.
    const ahead = now + 3.5 * 3_600_000;
    await context.database.write((writer) =>
      writer
        .insertInto('processes')
        .values([
          { ...another, id: 'worker', version: '9.9.9', seen_at: ahead, figures: JSON.stringify(SAID) },
          { ...another, id: 'gone', instance: 'was-here', seen_at: now - 3_600_000, figures: '{}' },
        ])
        .execute(),
    );
    const { version } = await must('GET', '/statistics');
    const page = await visit();
    await operatorAt(page, '/operator');
    const processes = page.getByRole('region', { name: 'Processes', exact: true });
    const { instance, config } = context;
    await processes.getByText(instance).waitFor();
    const shown = await processes
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map(({ children }) => Array.from(children, (cell) => cell.textContent)));
    const own = shown.find(([name]) => name === `${instance}${[...config.roles].join(', ')} · answers`);
    assert.deepEqual(own?.slice(1, 3), [version, 'serves']);
    assert.deepEqual(
      shown.filter((row) => row !== own),
      [
        ['pod-7:worker:41worker', '9.9.9', 'stops', 'in 3 hours', '300 MB', '12 ms', '2.5', '3'],
        ['was-hereworker', '0.0.1', 'gone', '1 hour ago', '–', '–', '–', '–'],
      ],
    );
    await processes.getByText(`Different versions run: ${version} and 9.9.9.`).waitFor();
    await checkPage(page);
    await picture(page, 'operator-processes');
    const phone = await visit({ phone: true, locale: 'de-DE' });
    await operatorAt(phone, '/operator', { label: 'Betreiber-Token', button: 'Anmelden' });
    await phone
      .getByText(`Es laufen verschiedene Versionen: ${version} und 9.9.9.`, { exact: false })
      .waitFor();
    await settled(phone);
    await checkPage(phone);
    await picture(phone, 'phone-operator-processes');
  });

  test('ends each of its places with commands that there are', async (visit) => {
    const company = await registerCompany(world().platform, 'Terminal Works');
    const page = await visit();
    await operatorAt(page, '/operator');
    const known = new Set<string>();
    for (const path of [...PLACES.map(([place]) => place), `/operator/companies/${company.id}`]) {
      await page.goto(path);
      const shown = await page.getByRole('region', { name: 'Commands', exact: true }).innerText();
      for (const line of shown.trim().split('\n')) {
        const [, ...words] = line.split(' ');
        if (known.has(line)) continue;
        const { stdout } = await symbolon([...words, '--help']);
        // Of groups of commands the help says [command].
        const [, usage] = /^Usage: (symbolon [a-z -]*[a-z]) \[options\](?! \[command\])/.exec(stdout) ?? [];
        assert.ok(usage !== undefined && `${line} `.startsWith(`${usage} `), `${path}: ${line}`);
        known.add(line);
      }
    }
    assert.ok(known.has(`symbolon admin level ${company.code} LEVEL`));
  });

  test('shows two thousand companies by pages of fifty, each read when it is asked for', async (visit) => {
    await insertCompanies(world().platform, 2000, 'Crowd');
    const page = await visit();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/admin/companies') asked.push(searchParams.get('limit') ?? 'all');
    });
    await operatorAt(page, '/operator/companies');
    const rows = page.getByRole('table').locator('tbody tr');
    await rows.first().waitFor();
    assert.equal(
      (await must('GET', '/companies?search=crowd&limit=1')).total,
      1000,
      'as many as it looks for',
    );
    assert.deepEqual([await rows.count(), asked], [50, ['51']]);
    const [first] = await rows.allInnerTexts();
    await page.getByRole('button', { name: 'Next' }).click();
    await rows.filter({ hasText: first ?? '' }).waitFor({ state: 'detached' });
    await settled(page);
    assert.deepEqual([await rows.count(), asked], [50, ['51', '51']]);
    assert.ok((await page.locator('*').count()) < 2000, 'fewer elements than companies');
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
    await page.reload();
    await page.getByRole('button', { name: 'Pause saving' }).click();
    await holds(sheet.getByLabel('Why'), 'upgrade');
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
