import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowDefinition } from '@symbolon/protocol';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { PublishedFlows } from './published.ts';

onPlatform('the PDFs of a version', (platform) => {
  test('are only those that it was published with', async () => {
    const { reader } = platform().context.database;
    const asset = new PublishedFlows().asset(reader, { companyId: 'x', flowId: 'x', version: 1 }, 'lease');
    await assert.rejects(asset, { key: 'flows.asset_not_found' });
  });
});

test('the texts of a version are read for its tags once', () => {
  let read = 0;
  const text = {
    kind: 'text',
    get body() {
      read++;
      return '{{ owner.city }} {{ client.name }}';
    },
  };
  const definition = {
    parties: [
      { key: 'owner', label: 'Owner', type: 'owner' },
      { key: 'client', label: 'Client' },
    ],
    nodes: [{ key: 'start', party: 'client', title: 'Start', elements: [text] }],
  } as unknown as FlowDefinition;
  const flows = new PublishedFlows();
  const tagsOf = (version: number) => flows.tags({ flow: { id: 'flow' }, version, definition, assets: [] });
  assert.deepEqual(tagsOf(1), { owner: ['owner.city'], others: ['client.name'] });
  assert.equal(tagsOf(1), tagsOf(1));
  assert.equal(read, 1);
  tagsOf(2);
  assert.equal(read, 2);
});
