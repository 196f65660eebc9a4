import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Shape, shapeOf } from './json-shape.ts';

const text = (value: string): Shape => ({ kind: 'text', text: value });

test('objects are tables of members, and flat rows are tables with columns', () => {
  assert.deepEqual(shapeOf({ rent: 900, pets: false, note: '' }), {
    kind: 'members',
    members: [
      { name: 'rent', value: text('900') },
      { name: 'pets', value: { kind: 'no' } },
      { name: 'note', value: { kind: 'none' } },
    ],
  });
  assert.deepEqual(shapeOf([{ item: 'Bike', price: 20 }, { item: 'Lock' }]), {
    kind: 'rows',
    columns: ['item', 'price'],
    rows: [
      [text('Bike'), text('20')],
      [text('Lock'), { kind: 'none' }],
    ],
  });
  assert.deepEqual(shapeOf(['a', { b: { c: 1 } }]).kind, 'list');
});

test('a member named as those of every object is only a name', () => {
  const value = JSON.parse('[{"__proto__": "x", "a": 1}, {"constructor": "y"}]');
  assert.deepEqual(shapeOf(value), {
    kind: 'rows',
    columns: ['__proto__', 'a', 'constructor'],
    rows: [
      [text('x'), text('1'), { kind: 'none' }],
      [{ kind: 'none' }, { kind: 'none' }, text('y')],
    ],
  });
});

test('what lies too deep stands as JSON', () => {
  let shape = shapeOf(JSON.parse(JSON.stringify([[[[[[{ a: [1] }]]]]]])));
  for (let depth = 0; depth < 6; depth++) shape = shape.kind === 'list' ? (shape.items[0] as Shape) : shape;
  assert.deepEqual(shape, text('{"a":[1]}'));
});
