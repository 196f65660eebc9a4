import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { contractToSign } from '@symbolon/testkit/actors/contract-to-sign';
import { publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { talkingService } from '@symbolon/testkit/actors/talking-service';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

describe('the board of runs in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());

  /** A flow with a run that waits for its customer, one that waits for the company, and one that was cancelled. */
  const stand = async () => {
    const { platform } = world();
    const { company, service, token } = await openShop(platform);
    const flowId = await publishFlow(platform, service);
    const start = async (reference: string) => {
      const { person, connectionId: connection_id } = await connectedPerson(platform, service);
      const body = {
        target: { connection_id },
        bindings: { client: person.id, owner: company.id },
        reference,
      };
      const run = await platform.must('POST', `/api/company-data/flows/${flowId}/runs`, { token, body });
      return { person, run };
    };
    await start('Order of Monday');
    const { person, run } = await start('Order of Tuesday');
    await platform.must('POST', `/api/person/flow-runs/${run.id}/answers`, {
      token: person.token,
      body: await submitOf(run, { colour: 'violet' }, to('look', 'owner')),
    });
    const runs = `/services/${service.id}/flows/${flowId}/runs`;
    const { run: ended } = await start('Order of Sunday');
    await platform.must('POST', `/api${runs}/${ended.id}/cancel`, { token: company.token });
    return { company, person, address: `/portal${runs}` };
  };
  const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  test('shows whom each run waits for, and leads to the step that is the turn of the company', async (visit) => {
    const { company, person, address } = await stand();
    const page = await visit();
    await portalAt(page, address, company);
    await page.getByText('3 runs').waitFor();
    await page.getByRole('link', { name: 'Board', exact: true }).click();
    await column(page, 'Waiting for the customer').getByText('Step: Tell us').waitFor();
    assert.equal(new URL(page.url()).search, '?view=board');
    await column(page, 'Waiting for the customer').getByText('Order of Monday').waitFor();
    await column(page, 'Waiting for a signature').getByText('None').waitFor();
    await column(page, 'Ended early').getByText('Order of Sunday').waitFor();
    assert.equal(await column(page, 'Documents are being made').count(), 0);
    const ours = column(page, 'Waiting for you');
    await ours.getByRole('link', { name: `Ada (${person.shareCode})` }).waitFor();
    await checkPage(page);
    await picture(page, 'flow-runs-board');

    // What is opened anew is the board again.
    await page.reload();
    await ours.getByRole('link', { name: 'Your turn: Look' }).click();
    await page.getByText('Waits for Company').first().waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Look'));
    await page.goBack();
    await ours.waitFor();
    await page.getByRole('link', { name: 'List', exact: true }).click();
    await page.getByRole('row', { name: 'Waits for Company' }).waitFor();
    assert.equal(new URL(page.url()).search, '');
  });

  test('reads all columns in one call, and more of one as it is scrolled', async (visit) => {
    const { platform } = world();
    const { company, service, token } = await openShop(platform);
    const flowId = await publishFlow(platform, service);
    const { person, connectionId: connection_id } = await connectedPerson(platform, service);
    const bindings = { client: person.id, owner: company.id };
    const start = (reference: string) =>
      platform.must('POST', `/api/company-data/flows/${flowId}/runs`, {
        token,
        body: { target: { connection_id }, bindings, reference },
      });
    for (let n = 1; n <= 25; n += 1) {
      const { id } = await start(`Former ${n}`);
      await platform.must('POST', `/api/company-data/flow-runs/${id}/cancel`, { token });
    }
    for (let n = 1; n <= 90; n += 1) await start(`Order ${n}`);
    const page = await visit();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/') && /\/run(s|-board)$/.test(pathname)) asked.push(search);
    });
    await portalAt(page, `/portal/services/${service.id}/flows/${flowId}/runs?view=board`, company);
    const [theirs, ended] = [column(page, 'Waiting for the customer'), column(page, 'Ended early')];
    await theirs.getByRole('button', { name: 'Show 70 more' }).waitFor();
    await ended.getByRole('button', { name: 'Show 5 more' }).waitFor();
    const cards = theirs.getByRole('listitem');
    assert.equal(await cards.count(), 20);
    assert.deepEqual(asked, ['?limit=20'], asked.join());
    await checkPage(page);

    await cards.last().scrollIntoViewIfNeeded();
    await theirs.getByRole('button', { name: 'Show 50 more' }).waitFor();
    assert.equal(asked.length, 2, asked.join());
    assert.match(asked[1] ?? '', /^\?limit=20&column=customer&before=/);
    assert.equal(await cards.count(), 40);
    await ended.getByRole('button', { name: 'Show 5 more' }).click();
    await ended.getByText('Former 1', { exact: true }).waitFor();
    assert.equal(await ended.getByRole('listitem').count(), 25);
    assert.equal(asked.length, 3, asked.join());
    for (const more of ['Show 30 more', 'Show 10 more']) {
      await cards.last().scrollIntoViewIfNeeded();
      await theirs.getByRole('button', { name: more }).waitFor();
    }
    await cards.last().scrollIntoViewIfNeeded();
    await theirs.getByText('Order 1', { exact: true }).waitFor();
    const told = (await cards.allInnerTexts()).map((text) => /Order \d+/.exec(text)?.[0]);
    assert.deepEqual(
      told,
      Array.from({ length: 90 }, (_, n) => `Order ${90 - n}`),
    );
  });

  test('stands one column under another on a phone, in the dark and in German', async (visit) => {
    const { company, address } = await stand();
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, `${address}?view=board`, company);
    await column(page, 'Wartet auf Sie').getByRole('link', { name: 'Sie sind dran: Look' }).waitFor();
    const [first, second] = await Promise.all(
      ['Wartet auf den Kunden', 'Wartet auf Sie'].map((name) => column(page, name).boundingBox()),
    );
    assert.ok(first && second && second.y >= first.y + first.height, 'one under another');
    await checkPage(page);
  });

  test('offers a signature to the owner, and to nobody else', async (visit) => {
    const service = await talkingService(world().platform, { name: 'Acme Homes', service: 'Rentals' });
    const run = await contractToSign(world().platform, service);
    const board = `${run.slice(0, run.lastIndexOf('/'))}?view=board`;
    const page = await visit();
    await portalAt(page, board, service.company);
    const signing = column(page, 'Waiting for a signature');
    await signing.getByText('Landlord is to sign Lease').waitFor();
    await checkPage(page);
    await signing.getByRole('link', { name: 'Read and sign Lease' }).click();
    await page.getByRole('heading', { name: 'Lease', exact: true }).waitFor();

    const viewer = await addDelegate(world().platform, service.company, 'viewer');
    const other = await visit();
    await portalAt(other, board, viewer);
    await column(other, 'Waiting for a signature').getByText('Landlord is to sign Lease').waitFor();
    assert.equal(await other.getByRole('link', { name: 'Read and sign Lease' }).count(), 0);
  });
});
