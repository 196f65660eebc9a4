import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluginValues } from './plugin-answer.ts';

const block = (key: unknown, value: unknown, id?: unknown) => ({
  key,
  kind: 'text',
  label: 'x',
  value,
  ...(id === undefined ? {} : { id }),
});
const output = (key: string, value: unknown) => ({ key, type: 'text', label: 'x', value });
const answer = (blocks: unknown, outputs: unknown) => ({ plugin: 'p', type: 't', blocks, outputs });
const valuesOf = (value: unknown) => Object.fromEntries(pluginValues('home', value));

describe('answers of plugins in the map (wire 13.5)', () => {
  const table: [name: string, answer: unknown, values: object][] = [
    [
      'blocks and outputs',
      answer(
        [block('street', 'Main St', 's1'), block('no', 7)],
        [output('city', 'Ghent'), output('zip', null)],
      ),
      {
        home: 'Main St / 7',
        'home.street': 'Main St',
        'home.street.id': 's1',
        'home.no': 7,
        'home.city': 'Ghent',
        'home.zip': null,
      },
    ],
    ['no outputs to give', answer([block('a', 'x')], []), { home: 'x', 'home.a': 'x' }],
    [
      'a block without a value',
      answer([block('a', ''), block('b', 0), block('c', null)], []),
      {
        home: '0',
        'home.a': '',
        'home.b': 0,
        'home.c': null,
      },
    ],
    ['not finished', { plugin: 'p', type: 't', blocks: [block('a', 'x')] }, {}],
    ['outputs of null', answer([block('a', 'x')], null), {}],
    [
      'invalid keys',
      answer([block('id', 'x'), block('A', 'x'), block('__proto__', 'x'), block(1, 'x')], [output('a.b', 1)]),
      { home: '' },
    ],
    [
      'invalid values',
      answer([block('a', { b: 1 }), block('b', ['x'])], [output('c', {})]),
      {
        home: '',
        'home.a': null,
        'home.b': null,
        'home.c': null,
      },
    ],
    ['invalid entries', answer([null, 'x', []], [1]), { home: '' }],
    ['invalid blocks', answer('x', []), { home: '' }],
    ['no JSON', 'x', {}],
    ['a list', [], {}],
    ['null', null, {}],
  ];
  for (const [name, value, expected] of table) {
    it(`${name}, as an object and as JSON text`, () => {
      assert.deepEqual(valuesOf(value), expected);
      assert.deepEqual(valuesOf(typeof value === 'string' ? value : JSON.stringify(value)), expected);
    });
  }

  it('no more members than a plugin may have are looked at', () => {
    const many = Array.from({ length: 60 }, (_, index) => block(`b${index}`, 'x'));
    assert.equal(Object.keys(valuesOf(answer(many, []))).length, 51);
  });
});
