import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { publishFlow } from '@symbolon/testkit/actors/flow-runs';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';

describe('the steps of a flow as a list in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());

  const stand = async () => {
    const { company, service } = await openShop(world().platform);
    const flowId = await publishFlow(world().platform, service);
    return { company, address: `/portal/services/${service.id}/flows/${flowId}` };
  };

  test('everything that the drawing does goes by keyboard, and the focus is never lost', async (visit) => {
    const { company, address } = await stand();
    const page = await visit();
    await portalAt(page, address, company);
    await page.getByRole('link', { name: 'List', exact: true }).click();
    const steps = page.getByRole('region', { name: 'Steps and ways of the flow' });
    const step = (name: string) => steps.getByRole('button', { name, exact: true });
    await step('1. Tell us').waitFor();
    assert.equal(new URL(page.url()).search, '?steps=list');
    await step('2. More').waitFor();
    await step('3. Look').waitFor();
    await checkPage(page);
    await picture(page, 'flow-list');

    // Opened and removed with the keys of the drawing, and taken back.
    await step('2. More').press('Enter');
    await page.getByRole('textbox', { name: 'Title' }).and(page.locator('[value="More"]')).waitFor();
    await step('2. More').press('Delete');
    await step('2. Look').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === '1. Tell us');
    await page.keyboard.press('Control+z');
    await step('2. More').waitFor();

    // A way is opened, removed, and made again.
    await steps.getByRole('button', { name: /^To More: / }).press('Enter');
    await steps.getByRole('button', { name: 'Remove the way to More' }).press('Enter');
    await step('3. More').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === '1. Tell us');
    await steps.getByLabel('Lead on to …').selectOption({ label: 'More' });
    await steps.getByRole('button', { name: 'To More: always' }).waitFor();
    await steps.getByRole('button', { name: 'Try the way to More earlier' }).press('Enter');
    await step('2. More').waitFor();
    await page.getByRole('button', { name: 'Add a step' }).press('Enter');
    await steps.getByRole('button', { name: /^\d\. New step$/ }).waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'Drawing', exact: true }).click();
    await page.getByLabel('Steps and ways of the flow').getByText('New step').waitFor();
  });

  test('a phone lists the steps, and a viewer changes none of them', async (visit) => {
    const { company, address } = await stand();
    const viewer = await addDelegate(world().platform, company, 'viewer');
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, address, viewer);
    const steps = page.getByRole('region', { name: 'Schritte und Wege des Ablaufs' });
    await steps.getByRole('button', { name: '2. More', exact: true }).waitFor();
    assert.equal(await steps.getByRole('button', { name: /entfernen$/ }).count(), 0);
    assert.equal(await steps.getByRole('combobox').count(), 0);
    await checkPage(page);
    await steps.getByRole('button', { name: '2. More', exact: true }).press('Delete');
    await steps.getByRole('button', { name: '3. Look', exact: true }).waitFor();
  });
});
