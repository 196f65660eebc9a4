import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { checkPage } from '@symbolon/testkit/browser/looks';
import { operatorAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { OPERATOR } from '@symbolon/testkit/platform/places';
import { PresentClock } from '@symbolon/testkit/platform/platform';
import { startRegions, type TestRegions } from '@symbolon/testkit/platform/regions';

/** Pages are opened at localhost. */
const AT_LOCALHOST = { SYMBOLON_HOST: '127.0.0.1' };

describe("the operator's console of one of several regions", { skip }, () => {
  let regions: TestRegions;
  const { world, test } = browserTests(async () => {
    regions = await startRegions('sqlite', ['eu', 'us'], AT_LOCALHOST, new PresentClock());
    const eu = regions.region('eu');
    return { platform: eu, url: eu.url, stop: regions.stop };
  });
  const read = (path: string) => world().platform.must('GET', `/api/admin${path}`, { token: OPERATOR });

  test('a message that waits for another region is stepped over by its number, and sent', async (visit) => {
    await regions.settle();
    await registerCompany(world().platform, 'Acme Bikes');
    const { seq, kind } = (await read('/messages')).items[0];
    const page = await visit();
    await operatorAt(page, '/operator/moves');
    await page.getByText('us', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: `Step over message ${seq}` }).click();
    const sheet = page.getByRole('dialog');
    const doIt = sheet.getByRole('button', { name: 'Step over', exact: true });
    assert.ok(await doIt.isDisabled());
    await sheet.getByLabel(`Type “${seq}” to go on`).fill(String(seq));
    await checkPage(page);
    await doIt.click();
    await sheet.waitFor({ state: 'detached' });
    assert.notEqual((await read('/messages')).items[0].kind, kind);
    await page.getByRole('button', { name: `Send message ${seq} now` }).click();
    await page.getByText('The message has arrived').waitFor();
    await page.getByText('No message waits').waitFor();
    await checkPage(page);
  });

  test('a company is moved by its name, and the move is undone', async (visit) => {
    const company = await registerCompany(world().platform, 'Harbour Bikes');
    const page = await visit();
    await operatorAt(page, `/operator/companies/${company.id}`);
    await page.getByRole('button', { name: 'Move to another region' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Type “Harbour Bikes” to go on').fill('Harbour Bikes');
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Start the move' }).click();
    await sheet.waitFor({ state: 'detached' });
    const [move] = (await read('/moves')).items;
    assert.deepEqual([move.company_user_id, move.to, move.state], [company.id, 'us', 'copying']);
    await page.getByRole('navigation').getByRole('link', { name: 'Regions and moves' }).click();
    await page.getByText('copying', { exact: true }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await sheet.getByRole('button', { name: 'Undo', exact: true }).click();
    await sheet.waitFor({ state: 'detached' });
    const [act] = (await read('/acts?limit=1')).items;
    assert.deepEqual([act.act, act.subject], ['company.move_undo_asked', company.id]);
  });
});
