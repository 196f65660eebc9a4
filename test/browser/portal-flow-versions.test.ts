import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { askAndLook, publishFlow } from '@symbolon/testkit/actors/flow-runs';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';

describe('the versions of a flow in the portal', { skip }, () => {
  const { world, test } = browserTests(() => servePages());

  /** A flow with two versions, and a draft that differs from both. */
  const stand = async () => {
    const { platform } = world();
    const { company, service } = await openShop(platform);
    const { token } = company;
    const first = askAndLook();
    const flowId = await publishFlow(platform, service, first);
    const flow = `/api/services/${service.id}/flows/${flowId}`;
    const save = async (definition: ReturnType<typeof askAndLook>) => {
      const { revision } = await platform.must('GET', flow, { token });
      const body = { revision, name: definition.name, definition };
      await platform.must('PUT', flow, { token, body });
    };
    const [tell, more, look] = first.nodes as [
      (typeof first.nodes)[number],
      (typeof first.nodes)[number],
      (typeof first.nodes)[number],
    ];
    const second = { ...first, nodes: [{ ...tell, title: 'Tell us of it' }, more, look] };
    await save(second);
    await platform.must('POST', `${flow}/publish`, { token });
    await save({
      ...second,
      nodes: [{ ...tell, title: 'Tell us of it' }, look],
      edges: second.edges.filter(({ from, to }) => from !== 'more' && to !== 'more'),
    });
    return { company, address: flow.replace('/api/', '/portal/') };
  };

  test('says by the names of the flow what a draft and two versions differ in', async (visit) => {
    const { company, address } = await stand();
    const page = await visit();
    await portalAt(page, address, company);
    await page.getByRole('link', { name: 'Compare versions' }).click();
    const removed = page.getByRole('list', { name: 'Removed' });
    await removed.getByText('From Tell us of it to More').waitFor();
    await removed.getByText('Reason', { exact: true }).waitFor();
    await removed.getByText('Field in the step More').waitFor();
    await checkPage(page);
    await picture(page, 'flow-versions');

    await page.getByLabel('From', { exact: true }).selectOption('1');
    await page.getByLabel('To', { exact: true }).selectOption('2');
    await page.getByText('Title: was Tell us; is now Tell us of it').waitFor();
    assert.equal(await removed.count(), 0);
    assert.equal(new URL(page.url()).search, '?from=1&to=2');
    await checkPage(page);
    await page.reload();
    await page.getByText('Title: was Tell us; is now Tell us of it').waitFor();
    await page.getByLabel('From', { exact: true }).selectOption('2');
    await page.getByText('No difference').waitFor();
    await checkPage(page);
  });

  test('shows a viewer the same on a phone, in the dark and in German', async (visit) => {
    const { company, address } = await stand();
    const viewer = await addDelegate(world().platform, company, 'viewer');
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, `${address}/versions?from=1&to=draft`, viewer);
    await page.getByText('Titel: bisher Tell us; jetzt Tell us of it').waitFor();
    await page.getByRole('list', { name: 'Entfernt' }).getByText('More', { exact: true }).waitFor();
    await checkPage(page);
  });
});
