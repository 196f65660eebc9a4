import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import { leaseContract, packageOf, textPdf } from '@symbolon/testkit/actors/flow-packages';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { bytesOf, checkPage, isDrawn, picture } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

describe('the editor of flows in the browser', { skip }, () => {
  const { world, test } = browserTests();
  let service: TalkingService;

  before(async () => {
    if (!skip) service = await talkingService(world().platform, { name: 'Acme Bikes', service: 'Bike Club' });
  });

  /** What the platform has of the flow that a page edits. */
  const stored = async (page: Page) => {
    await page.getByText('Saved', { exact: true }).waitFor();
    const answer = await page.request.get(page.url().replace('/portal/', '/api/'));
    return (await answer.json()) as { definition: Record<string, never>; version: number | null };
  };
  const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

  test('an author draws a flow with a condition, tries it, and publishes it', async (visit) => {
    const page = await visit();
    await portalAt(page, `/portal/services/${service.id}`, service.company);
    await page.getByText('No flows yet').waitFor();
    await checkPage(page);
    // Who turns back leaves nothing behind.
    await page.getByRole('button', { name: 'Draw a flow' }).click();
    await page.getByRole('heading', { name: 'New flow' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Bike Club' }).click();
    await page.getByText('No flows yet').waitFor();
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
    const { definition } = await stored(page);
    await picture(page, 'flow-editor');
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
  });

  test('changes are taken back, issues stand at their steps, and all of it goes by keyboard', async (visit) => {
    const page = await visit();
    await portalAt(page, `/portal/services/${service.id}`, service.company);
    await page.getByRole('button', { name: 'Draw a flow' }).click();
    const graph = page.getByLabel('Steps and ways of the flow');
    const first = graph.getByRole('group', { name: 'First step, Customer' });
    await first.waitFor();

    // A choice without options, and a step that nothing leads to.
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByLabel('Type').selectOption({ label: 'Choice' });
    await page.getByText('Give this choice its options.').waitFor();
    await graph.click({ position: { x: 10, y: 10 } });
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByText('No way leads to this step.').waitFor();
    await page.getByRole('button', { name: '2 issues before publishing' }).click();
    await page.getByText('2 issues keep this flow from being published').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'First step' }).click();
    assert.equal(await page.getByLabel('Title').inputValue(), 'First step');
    await page.getByRole('group', { name: 'Options' }).waitFor({ state: 'detached' });

    // Undo and redo, by buttons and by keys.
    await page.getByRole('button', { name: 'Undo' }).click();
    await graph.getByText('New step').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Redo' }).click();
    await graph.getByText('New step').waitFor();
    await page.getByLabel('Title').fill('Your address');
    await graph.getByText('Your address').waitFor();
    await first
      .or(graph.getByRole('group', { name: 'Your address' }))
      .first()
      .focus();
    await page.keyboard.press('Control+z');
    await graph.getByText('Your address').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+z');
    await graph.getByText('Your address').waitFor();

    // From step to step with the Tab key, selected with Enter, removed with Delete.
    const added = graph.getByRole('group', { name: 'New step, Customer' });
    await added.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Title' }).and(page.locator('[value="New step"]')).waitFor();
    await added.focus();
    await page.keyboard.press('Delete');
    await added.waitFor({ state: 'detached' });
  });

  test('of two windows with one flow the second is asked which of the drafts counts', async (visit) => {
    const page = await visit();
    await portalAt(page, `/portal/services/${service.id}`, service.company);
    await page.getByRole('button', { name: 'Draw a flow' }).click();
    await page.getByLabel('Title').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByLabel('Title').fill('From the other window');
    await stored(other);
    await page.getByLabel('Title').fill('From this window');
    await page.getByText('Somebody else changed this flow').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Show what was saved' }).click();
    await page.getByLabel('Steps and ways of the flow').getByText('From the other window').waitFor();
    await page.getByLabel('Title').fill('Mine');
    await stored(page);
    await other.getByLabel('Title').fill('Theirs');
    await other.getByRole('button', { name: 'Replace it with mine' }).click();
    const { definition } = await stored(other);
    assert.match(JSON.stringify(definition), /Theirs/);
  });

  test('on a phone in the dark, in German, a flow is read and changed', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, `/portal/services/${service.id}`, service.company);
    await page.getByRole('link', { name: 'Parking permit', exact: true }).click();
    await page.getByLabel('Schritte und Wege des Ablaufs').getByText('Your car').waitFor();
    await checkPage(page);
    await picture(page, 'flow-editor-phone');
    await page.getByRole('tab', { name: 'Ablauf' }).click();
    await page.getByRole('button', { name: 'Konstante hinzufügen' }).click();
    await page.getByLabel('Berechnet als').selectOption({ label: 'Rechnung' });
    await page.getByLabel('Rechenart').selectOption({ label: 'Malnehmen' });
    await checkPage(page);
    await page.getByText('Gespeichert', { exact: true }).waitFor();
  });

  test('a package with a contract is imported, its PDF is shown with its tags, and it is exported again', async (visit) => {
    const page = await visit();
    await portalAt(page, `/portal/services/${service.id}`, service.company);
    await page.getByRole('button', { name: 'Import a package' }).waitFor();
    const choose = async (button: string, name: string, mimeType: string, buffer: Buffer) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: button, exact: true }).click(),
      ]);
      await chooser.setFiles({ name, mimeType, buffer });
    };
    await choose('Import a package', 'broken.zip', 'application/zip', Buffer.from('no package'));
    await page.getByText('This file is not a package of a flow.').waitFor();
    await choose('Import a package', 'lease.zip', 'application/zip', await packageOf(leaseContract));
    await page.getByRole('heading', { name: 'Lease contract' }).waitFor();
    await tab(page, 'PDFs');
    const lease = page.getByRole('region', { name: 'lease.pdf', exact: true });
    await lease.getByRole('button', { name: 'Show' }).click();
    await isDrawn(page, 'Page 1 of 1');
    await checkPage(page);
    await picture(page, 'flow-template');

    // A template whose tag nothing fills.
    const keys = textPdf(['Dear {{ tenant_name }}, the keys are {{ keys }}.']);
    await choose('Add a PDF', 'notice.pdf', 'application/pdf', keys);
    const notice = page.getByRole('region', { name: 'notice.pdf', exact: true });
    await notice.waitFor();
    const label = (name: string) => page.getByLabel('Steps and ways of the flow').getByText(name);
    await label('The offer').click();
    await page.getByRole('button', { name: 'Add a document' }).click();
    await page.getByLabel('Made from').last().selectOption({ label: 'notice.pdf' });
    await page.getByText('Participants, in the order').first().waitFor();
    await checkPage(page);
    await picture(page, 'flow-documents');

    await tab(page, 'Try');
    await page.getByLabel('Full name').fill('Ada Lovelace');
    await page.getByLabel('Move-in date').fill('2026-10-01');
    await page.getByRole('button', { name: 'Answer as Tenant' }).click();
    await page.getByLabel('Name of the landlord').fill('Acme Bikes');
    await page.getByLabel('Monthly rent').fill('800');
    await page.getByRole('button', { name: 'Answer as Landlord' }).click();
    await page.getByText('Lease, made from lease.pdf. Signed by: Tenant, Landlord').waitFor();
    await page.getByText('9600').waitFor();

    const [kept] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    assert.equal(kept.suggestedFilename(), 'Lease contract.zip');
    const [first] = await bytesOf(kept);
    assert.equal(first, 0x50);
    await page.getByRole('button', { name: 'Publish version 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish version 1' }).click();
    await page.getByRole('heading', { name: 'Version 1 is published' }).waitFor();
  });
});
