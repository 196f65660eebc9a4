import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import { generateOneTimeKey, sealBundle } from '@symbolon/crypto';
import type { FlowDefinition } from '@symbolon/protocol';
import { leaf, to } from '@symbolon/testkit/actors/flow-runs';
import { RentalShop, rental } from '@symbolon/testkit/actors/rental';
import { checkPage, drawnPhoto, isDrawn, picture } from '@symbolon/testkit/browser/looks';
import { personAt, proveByMail } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';

describe('contracts of flows in the browser', { skip }, () => {
  const { world, test } = browserTests();
  let shop: RentalShop;
  before(async () => {
    if (!skip) shop = await RentalShop.open(world().platform, world().url);
  });

  test('two parties answer, the person has the contract made, both sign, and it is sealed', async (visit) => {
    const page = await visit({ phone: true });
    const flowId = await shop.publish(rental);
    const renter = await personAt(world(), page, '/me/flows', 'renter@example.org');
    const begun = await shop.begin(renter, flowId);
    const row = page.getByRole('link', { name: /^Rent a bicycle/ });
    await row.getByText('Waiting for others').waitFor();
    await row.click();
    await page.getByText('It is the turn of: Shop').waitFor();
    await shop.answer(begun, { rent: '90' }, to('rider', 'rider'));

    const step = page.getByRole('region', { name: 'About you' });
    await step.getByText('Acme Bikes asks 90 a month.').waitFor();
    await step.getByLabel('Full name', { exact: true }).fill('Anna Maria Berg');
    const photo = { name: 'anna.png', mimeType: 'image/png', buffer: await drawnPhoto(page) };
    await step.locator('input[type=file]').last().setInputFiles(photo);
    await step.getByText('anna.png').waitFor();
    await step.getByRole('button', { name: 'Send 2 answers' }).click();

    await page.getByText('The documents wait for signatures.').waitFor();
    await checkPage(page);
    await picture(page, 'flow-to-sign');
    assert.ok((await shop.contractOf(begun)).includes('/Image'), 'the photo stands in the contract');
    await page.getByRole('link', { name: 'Read and sign Rental contract' }).click();
    await isDrawn(page, 'Page 1 of 1');
    const act = page.getByRole('region', { name: 'Sign Rental contract' });
    await page.getByText('All answers that it should show stand in the document').waitFor();
    await page.getByText('Between Acme Bikes and Anna Maria Berg.').waitFor({ state: 'attached' });
    await page.getByText('The rent is 90 a month, 1080 a year.').waitFor({ state: 'attached' });
    await checkPage(page);
    await act.getByRole('button', { name: 'Go on to signing' }).click();
    await proveByMail(world().platform, act, 'renter@example.org');
    await act.getByRole('button', { name: 'Sign Rental contract' }).click();
    await page.getByText('Signed by Anna Berg').first().waitFor();
    await checkPage(page);

    await page.goto(`/me/flows/${begun.id}`);
    await page.getByText('You have done your part').waitFor();
    assert.equal(await page.getByText('do not fit together').count(), 0);
    await checkPage(page);
    await shop.sign(flowId, begun);
    await page.getByText('Done. Acme Bikes has what it asked for.').waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'Open Rental contract' }).click();
    const seal = page.getByRole('region', { name: 'The seal of this file' });
    await seal.getByText('Sealed, and unchanged since').waitFor();
    await seal.getByText('Grace Hopper').waitFor();
    await checkPage(page);
  });

  test('what the other party put into the contract otherwise is marked, and declining ends the signatures', async (visit) => {
    const page = await visit({ colorScheme: 'dark' });
    const [offer, rider] = rental.nodes as [FlowDefinition['nodes'][number], FlowDefinition['nodes'][number]];
    const { outputs = [], ...early } = rider;
    const flowId = await shop.publish({
      ...rental,
      entry: 'rider',
      nodes: [early, { ...offer, outputs }],
      edges: [{ from: 'rider', to: 'offer', condition: null }],
    });
    const careful = await personAt(world(), page, '/me/flows', 'careful@example.org');
    const begun = await shop.begin(careful, flowId);
    await page.getByRole('link', { name: /^Rent a bicycle/ }).click();
    const step = page.getByRole('region', { name: 'About you' });
    await step.getByLabel('Full name', { exact: true }).fill('Anna Berg');
    await step.getByRole('button', { name: 'Send 1 answer' }).click();
    await page.getByText('It is the turn of: Shop').waitFor();
    await shop.answer(begun, { rent: '90' }, leaf);
    await page.getByText('The documents are being made by who answered last.').waitFor();
    const otk = generateOneTimeKey();
    const values = { rider_name: 'Anna Berg', rent: '900', rent_of_year: '1080' };
    await shop.generate(begun, { otk, values: await sealBundle(JSON.stringify(values), otk) });
    await page.getByRole('link', { name: 'Read and sign Rental contract' }).click();
    const marked = page.getByRole('alert', { name: 'These answers do not stand in the document' });
    await marked.getByText('Rent: 90').waitFor();
    assert.equal(await marked.getByRole('listitem').count(), 1);
    await checkPage(page);
    await picture(page, 'flow-differs');
    await page.goto(`/me/flows/${begun.id}`);
    await page.getByRole('button', { name: 'Decline Rent a bicycle' }).click();
    await page.getByRole('button', { name: 'Decline Rent a bicycle' }).click();
    await page.getByText('Cancelled. Nothing more is asked').waitFor();
    await page.getByRole('link', { name: 'Open Rental contract' }).click();
    await page.getByText('Ended', { exact: true }).waitFor();
    assert.equal(await page.getByRole('region', { name: 'Sign Rental contract' }).count(), 0);
  });
});
