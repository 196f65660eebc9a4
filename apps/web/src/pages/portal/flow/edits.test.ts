import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemRegistry } from '@symbolon/field-types';
import { checkDefinition, type FlowDefinition } from '@symbolon/flows';
import {
  addConstant,
  addNode,
  addParty,
  changeConstant,
  changeElement,
  changeParty,
  connect,
  edgesFrom,
  emptyFlow,
  freeKey,
  moved,
  moveEdge,
  removeNode,
} from './edits.ts';

const surroundings = { fieldTypes: systemRegistry, assets: new Set(['lease']), plugins: new Map() };

const flow: FlowDefinition = {
  name: 'Lease',
  output_mode: 'document',
  entry: 'a',
  parties: [
    { key: 'tenant', label: 'Tenant' },
    { key: 'tenant_two', label: 'Second tenant' },
  ],
  nodes: [
    {
      key: 'a',
      party: 'tenant',
      title: 'A',
      elements: [
        { kind: 'field', slug: 'rent', field_type: 'number', label: 'Rent', required: true },
        { kind: 'field', slug: 'rent_two', field_type: 'number', label: 'Other rent', required: true },
        {
          kind: 'text',
          body: '{{ rent }} and {{Rent}}, {{ rent_two }}, {{ tenant.name }}, {{ tenant_two.name }}, rent',
        },
      ],
    },
    {
      key: 'b',
      party: 'tenant_two',
      title: 'B',
      elements: [],
      outputs: [
        {
          key: 'lease',
          name: 'Lease',
          rules: [{ asset_key: 'lease', condition: { op: 'answered', field: 'rent' } }],
          signers: [{ party: 'tenant', sign: true }],
        },
      ],
    },
  ],
  edges: [
    {
      from: 'a',
      to: 'b',
      condition: {
        op: 'and',
        children: [
          { op: 'gt', field: 'rent', value: 'rent' },
          { op: 'answered', field: 'rent_two' },
        ],
      },
    },
  ],
  constants: [
    {
      key: 'year',
      label: 'A year',
      result_type: 'number',
      expr: {
        type: 'math',
        op: 'mul',
        args: [
          { type: 'ref', key: 'rent' },
          { type: 'lit', value_type: 'number', value: 12 },
        ],
      },
    },
  ],
};

describe('edits of a flow', () => {
  test('a new slug is taken over by conditions, constants, texts and documents, and by nothing else', () => {
    const [node] = flow.nodes;
    const [field] = node?.elements ?? [];
    assert.ok(node && field?.kind === 'field');
    const renamed = changeElement(flow, node, 0, { ...field, slug: 'price' });
    assert.deepEqual(checkDefinition(renamed, surroundings), []);
    assert.deepEqual(renamed.edges[0]?.condition, {
      op: 'and',
      children: [
        { op: 'gt', field: 'price', value: 'rent' },
        { op: 'answered', field: 'rent_two' },
      ],
    });
    assert.deepEqual(renamed.nodes[0]?.elements[2], {
      kind: 'text',
      body: '{{ price }} and {{price}}, {{ rent_two }}, {{ tenant.name }}, {{ tenant_two.name }}, rent',
    });
    assert.deepEqual(renamed.nodes[1]?.outputs?.[0]?.rules[0]?.condition, { op: 'answered', field: 'price' });
    assert.match(JSON.stringify(renamed.constants), /"key":"price"/);
    assert.equal(renamed.name, 'Lease');
    assert.equal(flow.nodes[0]?.elements[0], field, 'the former definition stays as it was');
  });

  test('a new key of a constant and of a party is taken over as well', () => {
    const [constant] = flow.constants ?? [];
    assert.ok(constant);
    const used = {
      ...flow,
      edges: [{ from: 'a', to: 'b', condition: { op: 'gt' as const, field: 'year', value: 1 } }],
    };
    const other = changeConstant(used, 0, { ...constant, key: 'per_year' });
    assert.deepEqual(other.edges[0]?.condition, { op: 'gt', field: 'per_year', value: 1 });
    const renamed = changeParty(flow, 'tenant', { key: 'renter' });
    assert.deepEqual(checkDefinition(renamed, surroundings), []);
    assert.equal(renamed.nodes[0]?.party, 'renter');
    assert.equal(renamed.nodes[1]?.party, 'tenant_two');
    assert.equal(renamed.nodes[1]?.outputs?.[0]?.signers[0]?.party, 'renter');
    assert.match(JSON.stringify(renamed.nodes[0]), /\{\{ renter\.name \}\}, \{\{ tenant_two\.name \}\}/);
  });

  test('steps come with a way to them, and go with their ways', () => {
    const first = emptyFlow('New', 'Customer', 'First');
    const { flow: second, key } = addNode(first, 'Second', 'step_1');
    assert.deepEqual(second.edges, [{ from: 'step_1', to: key, condition: null, sort: 0 }]);
    assert.equal(second.nodes[1]?.party, 'customer');
    const removed = removeNode(second, 'step_1');
    assert.deepEqual([removed.entry, removed.edges], [key, []]);
    assert.equal(removeNode(removed, key).entry, null);
    assert.equal(
      addNode(removeNode(removed, key), 'Again').flow.entry,
      'step_1',
      'the first one is the entry',
    );
    assert.equal(connect(second, 'step_1', key), second, 'there is such a way already');
    assert.equal(connect(second, key, key), second, 'no way leads back to where it begins');
    assert.equal(addParty(first, 'Other').parties[1]?.key, 'party_1');
    const twice = addConstant(addConstant(first, 'Rent'), 'Costs');
    assert.deepEqual(
      twice.constants?.map(({ key }) => key),
      ['value_1', 'value_2'],
    );
    assert.equal(freeKey('step', ['step_1', 'step_3']), 'step_2');
  });

  test('ways are tried in the order that they were given', () => {
    let three = emptyFlow('New', 'Customer', 'First');
    for (const title of ['A', 'B', 'C']) three = addNode(three, title, 'step_1').flow;
    const targets = (of: FlowDefinition) => edgesFrom(of, 'step_1').map(({ to }) => to);
    assert.deepEqual(targets(three), ['step_2', 'step_3', 'step_4']);
    const [, , last] = edgesFrom(three, 'step_1');
    assert.ok(last);
    const earlier = moveEdge(three, last, -1);
    assert.deepEqual(targets(earlier), ['step_2', 'step_4', 'step_3']);
    assert.deepEqual(moved([1, 2, 3], 0, -1), [1, 2, 3], 'there is no earlier place');
    assert.deepEqual(moved([1, 2, 3], 0, 1), [2, 1, 3]);
  });
});
