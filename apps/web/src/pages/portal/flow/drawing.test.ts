import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNode, connect, emptyFlow } from './edits.ts';
import { layoutOf, NODE_HEIGHT, NODE_WIDTH } from './layout.ts';
import { countsByNode, placeOf } from './places.ts';

test('steps stand below those that lead to them, and none covers another', () => {
  let flow = emptyFlow('Branches', 'Customer', 'First');
  for (const from of ['step_1', 'step_1', 'step_1', 'step_2']) flow = addNode(flow, 'Next', from).flow;
  flow = connect(connect(flow, 'step_3', 'step_5'), 'step_4', 'step_5');
  flow = addNode(flow, 'No way leads here').flow;
  const { nodes, edges } = layoutOf(flow);
  for (const { from, to } of flow.edges) assert.ok((nodes.get(from)?.y ?? 0) < (nodes.get(to)?.y ?? 0));
  const places = [...nodes.values()];
  assert.equal(places.length, 6);
  for (const [index, a] of places.entries())
    for (const b of places.slice(index + 1))
      assert.ok(Math.abs(a.x - b.x) >= NODE_WIDTH || Math.abs(a.y - b.y) >= NODE_HEIGHT);
  assert.ok(edges.every((place) => place !== undefined));
});

test('what cannot be drawn does not stop the drawing: circles, and ways to nowhere', () => {
  const begun = addNode(emptyFlow('Circle', 'Customer', 'First'), 'Second', 'step_1').flow;
  const circle = connect(begun, 'step_2', 'step_1');
  const flow = { ...circle, edges: [...circle.edges, { from: 'step_1', to: 'gone', condition: null }] };
  const { nodes, edges } = layoutOf(flow);
  assert.equal(nodes.size, 2);
  assert.equal(edges[2], undefined);
});

test('issues belong to a step, to a way and its step, or to the flow', () => {
  const flow = addNode(emptyFlow('Issues', 'Customer', 'First'), 'Second', 'step_1').flow;
  assert.deepEqual(placeOf(flow, { path: '/nodes/1/elements/0/slug' }), { kind: 'node', key: 'step_2' });
  assert.deepEqual(placeOf(flow, { path: '/edges/0/condition/field' }), { kind: 'edge', index: 0 });
  assert.deepEqual(placeOf(flow, { path: '/parties/0' }), { kind: 'flow' });
  assert.deepEqual(placeOf(flow, { path: '/nodes/9' }), { kind: 'flow' });
  const found = ['/nodes/1', '/nodes/1/party', '/edges/0/condition', ''].map((path) => ({
    path,
    code: 'reference_unknown' as const,
    message: '',
  }));
  assert.deepEqual(
    [...countsByNode(flow, found)],
    [
      ['step_2', 2],
      ['step_1', 1],
    ],
  );
});
