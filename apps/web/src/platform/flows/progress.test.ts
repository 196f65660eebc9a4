import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepProgress, keptProgress, progressOf } from './progress.ts';

const node = (key: string, party: string) => ({ key, party, title: key, elements: [] });
const edge = (from: string, to: string) => ({ from, to, condition: null });
const flow = {
  nodes: [node('a', 'me'), node('b', 'me'), node('shop', 'shop'), node('c', 'me')],
  edges: [edge('a', 'b'), edge('a', 'shop'), edge('b', 'shop'), edge('shop', 'c'), edge('c', 'a')],
};

test('own steps are counted, and those of the longest way on', () => {
  assert.deepEqual(progressOf(flow, ['a'], ['me']), { node: 'a', step: 1, about: 3 });
  assert.deepEqual(progressOf(flow, ['a', 'shop', 'c'], ['me'])?.step, 2);
  assert.deepEqual(progressOf({ ...flow, edges: [] }, ['a'], ['me']), { node: 'a', step: 1, about: 1 });
  assert.equal(progressOf(flow, ['shop'], ['me']), undefined);
  assert.equal(progressOf(flow, [], ['me']), undefined);
});

test('what was kept of a run holds as long as the same step waits', () => {
  keepProgress('run', { node: 'b', step: 2, about: 3 });
  assert.equal(keptProgress({ id: 'run', current_node: 'b' })?.step, 2);
  assert.equal(keptProgress({ id: 'run', current_node: 'c' }), undefined);
  assert.equal(keptProgress({ id: 'other', current_node: 'b' }), undefined);
});
