import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowDefinition, FlowElement } from '@symbolon/flows';
import { answeredSteps, awaitedOf, isOpen, stateOf } from './state.ts';

const field = (slug: string): FlowElement => ({
  kind: 'field',
  slug,
  field_type: 'text',
  label: slug,
  required: false,
});
const node = (key: string, party: string, ...slugs: string[]) => ({
  key,
  party,
  title: key,
  elements: slugs.map(field),
});
/** The last step stands first, and a way leads past the middle. */
const definition: FlowDefinition = {
  name: 'Flow',
  output_mode: 'data_only',
  entry: 'a',
  parties: [
    { key: 'client', label: 'Client' },
    { key: 'company', label: 'Acme', type: 'owner' },
  ],
  nodes: [node('c', 'company', 'last'), node('a', 'client', 'first'), node('b', 'client', 'middle')],
  edges: [
    { from: 'a', to: 'c', condition: { op: 'empty', field: 'first' } },
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
  ],
};
const answer = (slug: string) => ({ slug, for_user_id: 'x', value: '{}' });

test('a run tells where it stands and for whom it waits', () => {
  const at = { definition, current_node: 'c', status: 'awaiting_company' };
  assert.deepEqual([stateOf(at), awaitedOf(at), isOpen(at)], ['waiting', 'Acme', true]);
  for (const [status, state, open] of [
    ['awaiting_signature', 'signing', true],
    ['generating', 'generating', true],
    ['completed', 'completed', false],
    ['cancelled', 'cancelled', false],
  ] as const) {
    const run = { definition, current_node: null, status };
    assert.deepEqual([stateOf(run), awaitedOf(run), isOpen(run)], [state, undefined, open]);
  }
});

test('the steps that were answered stand in the order of the flow', () => {
  const answers = ['last', 'first', 'middle'].map(answer);
  const keys = (run: Parameters<typeof answeredSteps>[0]) => answeredSteps(run).map(({ key }) => key);
  assert.deepEqual(keys({ definition, answers, current_node: null }), ['a', 'b', 'c']);
  assert.deepEqual(keys({ definition, answers: [answer('first'), answer('last')], current_node: null }), [
    'a',
    'c',
  ]);
  assert.deepEqual(keys({ definition, answers: [answer('first')], current_node: 'b' }), ['a']);
});
