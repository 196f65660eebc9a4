import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserWorld, checkPage, picture, skip } from './support/browser.ts';
import { type TalkingService, talkingService } from './support/companies.ts';
import { signInToPortal } from './support/people.ts';

const EMAIL = 'acme-bikes@example.com';

describe('the editor of flows in the browser', { skip }, () => {
  const world = browserWorld();
  let service: TalkingService;

  before(async () => {
    if (!skip) service = await talkingService(world(), { name: 'Acme Bikes', service: 'Bike Club' });
  });

  /** What the platform has of the flow that a page edits. */
  const stored = async (page: Page) => {
    await page.getByText('Saved', { exact: true }).waitFor();
    const answer = await page.request.get(page.url().replace('/portal/', '/api/'));
    return (await answer.json()) as { definition: Record<string, never>; version: number | null };
  };
  const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

  test('an author draws a flow with a condition, tries it, and publishes it', async () => {
    const visitor = await world().visitor();
    const page = await visitor.newPage();
    await signInToPortal(page, `/portal/services/${service.serviceId}`, EMAIL);
    await page.getByText('No flows yet').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Draw a flow' }).click();
    await page.getByRole('heading', { name: 'New flow' }).waitFor();
    await page.getByLabel('Title').fill('Your car');
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByLabel('Label').fill('Weight in kilograms');
    await page.getByLabel('Type').selectOption({ label: 'Number' });
    await page.getByLabel('Key of the answer').fill('weight');
    await page.getByLabel('Key of the answer').press('Enter');
    await page.getByRole('button', { name: 'To a new step' }).click();
    await page.getByLabel('Title').fill('A heavy car');
    await page.getByRole('button', { name: 'Add a text' }).click();
    await page.getByLabel('Text', { exact: true }).fill('It weighs {{ weight }} kg.');

    // The second party, and what it answers.
    await tab(page, 'Flow');
    await page.getByLabel('Name of the flow').fill('Parking permit');
    await page.getByRole('button', { name: 'Add a party' }).click();
    await page.getByLabel('Name', { exact: true }).last().fill('City');
    await page.getByLabel('This is your company').last().check();
    await page.getByLabel('Steps and ways of the flow').getByText('A heavy car').click();
    await page.getByLabel('Answered by').selectOption({ label: 'City' });

    // The condition, as controls and as a sentence.
    await page.getByLabel('Steps and ways of the flow').getByText('Your car').click();
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByLabel('Answer or constant').selectOption('weight');
    await page.getByLabel('Comparison').selectOption('gt');
    await page.getByLabel('Value').fill('2500');
    await page.locator('[data-condition]').getByText('Weight in kilograms is greater than 2500').waitFor();
    await checkPage(page);
    await picture(page, 'flow-editor');
    const { definition } = await stored(page);
    assert.deepEqual(definition.edges, [
      { from: 'step_1', to: 'step_2', condition: { op: 'gt', field: 'weight', value: '2500' }, sort: 0 },
    ]);

    await tab(page, 'Try');
    await page.getByRole('button', { name: 'Answer as Customer' }).click();
    await page.getByText('This must be answered.').waitFor();
    await page.getByRole('textbox', { name: 'Weight in kilograms' }).fill('2600');
    await page.getByRole('button', { name: 'Answer as Customer' }).click();
    await page.getByText('It weighs 2600 kg.').waitFor();
    await checkPage(page);
    await picture(page, 'flow-trial');
    await page.getByRole('button', { name: 'Answer as City' }).click();
    await page.getByText('The flow ends here').waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByRole('textbox', { name: 'Weight in kilograms' }).fill('900');
    await page.getByRole('button', { name: 'Answer as Customer' }).click();
    await page.getByText('The flow ends here').waitFor();

    await page.getByRole('button', { name: 'Publish version 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish version 1' }).click();
    await page.getByRole('heading', { name: 'Version 1 is published' }).waitFor();
    await checkPage(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    assert.equal((await stored(page)).version, 1);
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });
});
