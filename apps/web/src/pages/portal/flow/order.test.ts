import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowDefinition } from '@symbolon/flows';
import { stepsInOrder } from './order.ts';

const order = (steps: string, ways: readonly string[], entry: string | null = 'a') => {
  const flow: FlowDefinition = {
    name: 'Flow',
    output_mode: 'data_only',
    entry,
    parties: [{ key: 'client', label: 'Client' }],
    nodes: [...steps].map((key) => ({ key, party: 'client', title: key, elements: [] })),
    edges: ways.map(([from = '', to = ''], sort) => ({ from, to, condition: null, sort })),
  };
  return stepsInOrder(flow)
    .map(({ key }) => key)
    .join('');
};

test('steps stand behind all that lead to them, in the order in which ways are tried', () => {
  assert.equal(order('dcba', ['ab', 'ac', 'bd', 'cd']), 'abcd');
  assert.equal(order('abcd', ['ac', 'ab', 'bd', 'cd']), 'acbd');
  assert.equal(order('abc', ['ac', 'ab', 'bc']), 'abc');
});

test('what nothing leads to stands last, and a circle does not keep a step from the list', () => {
  assert.equal(order('xab', ['ab']), 'abx');
  assert.equal(order('ab', ['ab', 'ba']), 'ab');
  assert.equal(order('ab', ['ab', 'az'], null), 'ab');
});
