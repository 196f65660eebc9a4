import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { FlowDefinition } from '@symbolon/protocol';
import { PersonClient } from '@symbolon/sdk/person';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { publishFlow } from '@symbolon/testkit/actors/flow-runs';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { checkPage, holds, picture } from '@symbolon/testkit/browser/looks';
import { openServiceKey, personAt, portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

/** Its text says what the customer shares. */
const greeting: FlowDefinition = {
  name: 'Rent a bicycle',
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
        { kind: 'text', body: 'Hello {{ rider.nick }}, your size is {{ rider.size }}.' },
        { kind: 'field', slug: 'colour', field_type: 'text', label: 'Colour', required: true },
      ],
    },
    { key: 'look', party: 'shop', title: 'Look', elements: [{ kind: 'text', body: 'It is {{ colour }}.' }] },
  ],
  edges: [{ from: 'wish', to: 'look', condition: null }],
};
const ROWS = [
  { slug: 'nick', label: 'What are you called?', type: 'text', one_time: true },
  { slug: 'size', label: 'Your size', type: 'text', one_time: true },
];

describe('flows that staff start in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());

  const customer = async (
    page: Page,
    { company, code }: { company: { code: string }; code: string },
    email: string,
  ) => {
    await personAt(world(), page, '/me/flows', email);
    const device = await PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
    const { connection_id: connectionId } = await device.connect(company.code, code, {
      nick: { value: 'Ada B' },
    });
    return { device, connectionId };
  };
  const start = (page: Page) => page.getByRole('button', { name: 'Start', exact: true });

  test('what the customer shares stands in its texts, and what staff add beside it', async (visit) => {
    const theirs = await visit();
    const { platform } = world();
    const { company, service } = await openShop(platform, ROWS);
    await publishFlow(platform, service, greeting);
    const { device, connectionId } = await customer(theirs, service, 'start-rider@example.org');
    const page = await visit();
    await portalAt(page, `/portal/services/${service.id}/customers/${connectionId}`, company);
    await page.getByRole('link', { name: 'Start a flow' }).click();
    await page.getByRole('heading', { level: 1, name: 'Start a flow' }).waitFor();
    assert.equal(await start(page).count(), 0, 'what the customer shares is sealed');
    await page.getByLabel('Your name for it').fill('Order 7');
    await page.reload();
    assert.equal(await page.getByLabel('Your name for it').inputValue(), 'Order 7');
    await checkPage(page);
    await openServiceKey(page);
    const texts = page.getByRole('region', { name: 'What its texts say' });
    await texts.waitFor();
    assert.equal(await texts.getByLabel('What are you called?').inputValue(), 'Ada B');
    await texts.getByText('Not shared.').waitFor();
    await texts.getByLabel('Your size').fill('Extra large');
    await page.waitForFunction(() =>
      Object.keys(localStorage).some((name) => name.startsWith('symbolon.portal.draft.')),
    );
    await page.reload();
    await openServiceKey(page);
    await holds(texts.getByLabel('Your size'), 'Extra large');
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    assert.ok(!kept.includes('Extra large'), 'what is typed of a customer is sealed');
    await checkPage(page);
    await picture(page, 'portal-start-run');
    await start(page).click();
    await page.getByText('Waits for Rider').first().waitFor();
    const [run] = await device.flows.list();
    assert.equal(run?.reference, 'Order 7');
    assert.ok(!JSON.stringify(run).includes('Extra large'), 'sealed');
    await theirs.goto(`/me/flows/${run?.id}`);
    await theirs.getByText('Hello Ada B, your size is Extra large.').waitFor();
    await page.getByRole('link', { name: 'Runs' }).first().click();
    await page.getByText('Order 7').waitFor();
  });

  test('a flow that takes nothing needs no key; the customer is found by name, and a viewer starts none', async (visit) => {
    const { platform } = world();
    const { company, service } = await openShop(platform);
    const flowId = await publishFlow(platform, service);
    const { person } = await connectedPerson(platform, service);
    const page = await visit({ phone: true });
    await portalAt(page, `/portal/services/${service.id}/flows/${flowId}/runs`, company);
    await page.getByRole('link', { name: 'Start a flow' }).click();
    await page.getByRole('combobox', { name: 'Client' }).fill(person.shareCode.slice(0, 4));
    await page.getByRole('option', { name: person.shareCode }).click();
    await checkPage(page);
    await start(page).click();
    await page.getByText('Waits for Client').first().waitFor();
    const viewer = await addDelegate(platform, company, 'viewer');
    const other = await visit();
    await portalAt(other, `/portal/services/${service.id}/runs/new?flow=${flowId}`, viewer);
    await other.getByText('Your role may look at flows, and not start them.').waitFor();
    await other.goto(`/portal/services/${service.id}/flows/${flowId}/runs`);
    await other.getByText('1 run').waitFor();
    assert.equal(await other.getByRole('link', { name: 'Start a flow' }).count(), 0);
  });
});
