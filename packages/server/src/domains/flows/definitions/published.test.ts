import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowDefinition } from '@symbolon/protocol';
import { PublishedFlows } from './published.ts';

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
