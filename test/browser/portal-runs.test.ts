import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { FlowDefinition } from '@symbolon/protocol';
import { FlowFileHandle, PersonClient } from '@symbolon/sdk/person';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { contractToSign } from '@symbolon/testkit/actors/contract-to-sign';
import { leasePdf } from '@symbolon/testkit/actors/files';
import { leaseContract, packageOf } from '@symbolon/testkit/actors/flow-packages';
import { publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { talkingService } from '@symbolon/testkit/actors/talking-service';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { openServiceKey, personAt, portalAt } from '@symbolon/testkit/browser/people';
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
    // A click of the pointer scrolls there first, which shows them already: the button would be gone before it.
    await ended.getByRole('button', { name: 'Show 5 more' }).dispatchEvent('click');
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

/** A customer asks, the company says yes or no, and the customer reads which it was. */
const askForBike: FlowDefinition = {
  name: 'Ask for a bicycle',
  output_mode: 'data_only',
  entry: 'wish',
  parties: [
    { key: 'rider', label: 'Rider' },
    { key: 'shop', label: 'Shop', type: 'owner' },
  ],
  nodes: [
    {
      key: 'wish',
      party: 'rider',
      title: 'Your wish',
      elements: [
        { kind: 'field', slug: 'colour', field_type: 'text', label: 'Colour', required: true },
        { kind: 'field', slug: 'paper', field_type: 'pdf_document', label: 'Proof', required: false },
      ],
    },
    {
      key: 'decide',
      party: 'shop',
      title: 'Decision',
      elements: [
        { kind: 'text', body: 'Do you have a {{ colour }} bicycle?' },
        {
          kind: 'field',
          slug: 'verdict',
          field_type: 'select',
          label: 'Verdict',
          required: true,
          options: [
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ],
        },
        { kind: 'field', slug: 'day', field_type: 'date', label: 'Day', required: false },
        { kind: 'field', slug: 'offer', field_type: 'pdf_document', label: 'Offer', required: false },
      ],
    },
    {
      key: 'fetch',
      party: 'rider',
      title: 'Fetch it',
      elements: [
        { kind: 'text', body: 'It is yours from {{ day }}.' },
        { kind: 'field', slug: 'thanks', field_type: 'text', label: 'Thanks', required: false },
      ],
    },
    {
      key: 'sorry',
      party: 'rider',
      title: 'Sorry',
      elements: [{ kind: 'text', body: 'There is none.' }],
    },
  ],
  edges: [
    { from: 'wish', to: 'decide', condition: null },
    { from: 'decide', to: 'fetch', condition: { op: 'eq', field: 'verdict', value: 'yes' }, sort: 0 },
    { from: 'decide', to: 'sorry', condition: null, sort: 1 },
  ],
};

describe('answers of the company in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());

  /** A run whose customer has a browser of their own. */
  const stand = async (theirs: Page, email: string) => {
    const { platform } = world();
    const { company, service, token } = await openShop(platform);
    const flowId = await publishFlow(platform, service, askForBike);
    const person = await personAt(world(), theirs, '/me/flows', email);
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    const { connection_id } = await device.connect(service.company.code, service.code, {});
    const { id } = await platform.must('POST', `/api/company-data/flows/${flowId}/runs`, {
      token,
      body: { target: { connection_id }, bindings: { rider: person.id, shop: company.id } },
    });
    const runs = `/services/${service.id}/flows/${flowId}/runs`;
    const read = () => platform.must('GET', `/api${runs}/${id}`, { token: company.token });
    return { company, device, id, read, address: `/portal${runs}` };
  };
  const choose = async (page: Page, field: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('group', { name: field, exact: true }).first().getByRole('button').first().click(),
    ]);
    await chooser.setFiles({ name: 'paper.pdf', mimeType: 'application/pdf', buffer: leasePdf() });
    await page.getByText('paper.pdf').waitFor();
  };

  test('staff answer the step of the company, and the customer reads what they said', async (visit) => {
    const theirs = await visit();
    const { company, device, id, read, address } = await stand(theirs, 'rider@example.org');
    await theirs.goto(`/me/flows/${id}`);
    await theirs.getByLabel('Colour', { exact: true }).fill('violet');
    await choose(theirs, 'Proof (optional)');
    await theirs.getByRole('button', { name: 'Send 2 answers' }).click();
    await theirs.getByText('It is the turn of: Shop').waitFor();

    const page = await visit();
    await portalAt(page, `${address}?view=board`, await addDelegate(world().platform, company, 'support'));
    await page.getByRole('link', { name: 'Your turn: Decision' }).click();
    await page.getByRole('heading', { name: 'Decision: open the run to answer it' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Decision'));
    await checkPage(page);
    await openServiceKey(page);
    const step = page.getByRole('region', { name: 'Decision', exact: true });
    await step.getByText('Do you have a violet bicycle?').waitFor();
    const verdict = step.getByRole('combobox', { name: 'Verdict' });
    await verdict.click();
    await page.getByRole('option', { name: 'Yes' }).click();
    await step.getByLabel('Day').fill('2027-03-01');

    // What the customer gave is opened here, and locked again.
    await page.getByText('2 answers given').click();
    await page.getByText('violet', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Open the file of Proof' }).click();
    await page.getByRole('dialog').getByText('paper.pdf').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Lock again' }).click();
    await step.waitFor({ state: 'detached' });
    assert.equal(await page.getByText('violet').count(), 0);

    // What was typed is there after a reload, once the key is open.
    await page.reload();
    await openServiceKey(page);
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[type=date]')?.value);
    assert.equal(await verdict.inputValue(), 'Yes');
    assert.equal(await step.getByLabel('Day').inputValue(), '2027-03-01');
    await choose(page, 'Offer (optional)');
    await step.getByText('Sealed in this browser for: Rider (').waitFor();
    await checkPage(page);
    await picture(page, 'portal-run-answer');
    await step.getByRole('button', { name: 'Send 3 answers' }).click();
    await page.getByText('Waits for Rider').first().waitFor();
    await step.waitFor({ state: 'detached' });

    // The platform has nothing readable, and the way that the answers decide.
    const run = await read();
    assert.equal(run.current_node, 'fetch');
    assert.ok(!JSON.stringify(run.answers).includes('2027-03-01'));
    await theirs.reload();
    await theirs.getByText('It is yours from 2027-03-01.').waitFor();
    const open = await device.flows.run(id);
    assert.equal(open.state.answers.get('verdict'), 'yes');
    const { offer } = device.flows.answers(open);
    assert.ok(offer instanceof FlowFileHandle);
    const { files } = await offer.open();
    assert.deepEqual(Buffer.from(files[0]?.bytes ?? []), leasePdf());
    assert.deepEqual(open.issues, []);
  });

  test('the form fits a phone in German, and a viewer reads without one', async (visit) => {
    const theirs = await visit();
    const { platform } = world();
    const { company, device, id, read, address } = await stand(theirs, 'phone@example.org');
    await device.flows.answer(await device.flows.run(id), { colour: 'rot' });
    const german = {
      choose: 'Schlüsseldatei wählen',
      passphrase: 'Passphrase des Schlüssels',
      open: 'Öffnen',
    };
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, `${address}/${id}`, company);
    await page.getByRole('heading', { name: 'Decision: Durchlauf öffnen und antworten' }).waitFor();
    await openServiceKey(page, german);
    await page.getByText('Do you have a rot bicycle?').waitFor();
    await checkPage(page);
    const viewer = await addDelegate(platform, company, 'viewer');
    const other = await visit();
    await portalAt(other, `${address}/${id}`, viewer);
    await other.getByRole('heading', { name: 'Open the answers' }).waitFor();
    await openServiceKey(other);
    await other.getByText('1 answer given').click();
    await other.getByText('rot', { exact: true }).waitFor();
    assert.equal(await other.getByRole('button', { name: /^Send|^Go on/ }).count(), 0);

    // Somebody else answers meanwhile: the page shows where the run is now.
    const token = company.token;
    await platform.must('POST', `/api${address.slice('/portal'.length)}/${id}/answers`, {
      token,
      body: await submitOf(await read(), { verdict: 'no' }, to('sorry', 'rider')),
    });
    await page.getByRole('combobox', { name: 'Verdict' }).click();
    await page.getByRole('option', { name: 'No' }).click();
    await page.locator('form button[type=submit]').click();
    await page.getByText('Wartet auf Rider').first().waitFor();
  });

  test('the company that answered last has the documents made in its browser', async (visit) => {
    const { platform } = world();
    const { company, service } = await openShop(platform);
    const { person, connectionId: connection_id } = await connectedPerson(platform, service);
    const flows = `/api/services/${service.id}/flows`;
    const { token } = company;
    const zip = { 'content-type': 'application/zip' };
    const body = await packageOf(leaseContract);
    const { id: flowId } = (await platform.call('POST', `${flows}/import`, { token, body, headers: zip }))
      .body;
    await platform.must('POST', `${flows}/${flowId}/publish`, { token });
    const bindings = { tenant: person.id, landlord: company.id };
    const run = await platform.must('POST', `${flows}/${flowId}/runs`, {
      token,
      body: { target: { connection_id }, bindings },
    });
    const tenant = { tenant_name: 'Ada Lovelace', move_in: '2027-01-01' };
    await platform.must('POST', `/api/person/flow-runs/${run.id}/answers`, {
      token: person.token,
      body: await submitOf(run, tenant, to('offer', 'landlord')),
    });
    const page = await visit();
    await portalAt(page, `/portal/services/${service.id}/flows/${flowId}/runs/${run.id}`, company);
    await openServiceKey(page);
    await page.getByLabel('Name of the landlord').fill('Acme Bikes');
    await page.getByLabel('Monthly rent').fill('900');
    await page.getByRole('button', { name: 'Send 2 answers' }).click();
    await page.getByText('Waits for signatures').first().waitFor();
    await page.getByRole('link', { name: 'Open Lease' }).click();
    await page.getByRole('heading', { name: 'Lease', exact: true }).waitFor();
  });
});
