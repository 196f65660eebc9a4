import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createField, sealed } from '@symbolon/testkit/actors/actors';
import { checkPage } from '@symbolon/testkit/browser/looks';
import { personAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';

/** Three parts, as they are read. */
const FIELDS = 1_200;
/** Of a list that was just opened. */
const ROWS_MOST = 150;

/** Gives a person so many fields beside a first one, with values of their own. */
async function keepMany({ context }: TestPlatform, first: string): Promise<void> {
  const values = await Promise.all(Array.from({ length: FIELDS - 1 }, (_, at) => sealed(`Value ${at}`)));
  await context.database.write(async (writer) => {
    const [row] = await writer.selectFrom('person_fields').selectAll().where('id', '=', first).execute();
    assert.ok(row);
    const rows = values.map((value, at) => ({
      ...row,
      value,
      // Behind the first one.
      id: `${first.slice(0, 19)}ffff-${at.toString(16).padStart(12, '0')}`,
      slug: `note_${at}`,
      label: `Note ${at}`,
    }));
    for (let at = 0; at < rows.length; at += 500)
      await writer
        .insertInto('person_fields')
        .values(rows.slice(at, at + 500))
        .execute();
  });
}

describe('a person who keeps more than a thousand fields', { skip }, () => {
  const { world, test } = browserTests();

  test('sees the first before all are opened beside the page, and finds each of them', async (visit) => {
    const { platform } = world();
    const page = await visit({ phone: true });
    const person = await personAt(world(), page, '/me/security', 'many@example.org');
    const first = await createField(platform, person, { type: 'text', slug: 'first', value: 'The first' });
    const row = page.getByRole('button', { name: /^The first/ });
    await page.goto('/me/fields');
    await row.waitFor();
    assert.deepEqual(page.workers(), []);

    await keepMany(platform, first);
    const rest = Promise.withResolvers<void>();
    await page.route(/\/api\/person\/fields\?.*after=./, async (route) => {
      await rest.promise;
      await route.continue();
    });
    await page.goto('/me/fields');
    await row.waitFor();
    const opening = page.getByText('More is being opened');
    await opening.waitFor();
    await checkPage(page);
    const search = page.getByRole('searchbox');
    await search.fill('Value 999');
    // Nobody knows yet that there is none.
    await row.waitFor({ state: 'detached' });
    assert.equal(await page.getByText('Nothing you keep').count(), 0);
    rest.resolve();
    await page.getByRole('button', { name: /^Value 999/ }).waitFor();
    await opening.waitFor({ state: 'detached' });
    assert.ok(page.workers().some((worker) => worker.url().includes('/device.worker-')));

    const rows = page.locator('main li button');
    assert.equal(await rows.count(), 1);
    await search.fill('');
    await row.waitFor();
    const drawn = await rows.count();
    assert.ok(drawn >= 50 && drawn <= ROWS_MOST, `${drawn} rows`);
    await rows.last().scrollIntoViewIfNeeded();
    await rows.nth(drawn).waitFor();
    assert.ok((await rows.count()) <= drawn + ROWS_MOST);
    await checkPage(page);
  });
});
