import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldTypeRegistry, systemFieldTypes, systemRegistry } from '@symbolon/field-types';
import { sampleValue } from './sample-value.ts';

test('a value can be made up for every inline type, valid and another one each time', () => {
  for (const type of systemRegistry.order()) {
    if (!systemRegistry.isClaimable(type)) {
      assert.equal(sampleValue(type, systemRegistry, 1), undefined, type);
      continue;
    }
    const values = Array.from({ length: 50 }, (_, turn) => sampleValue(type, systemRegistry, turn));
    for (const value of values) {
      assert.ok(value !== undefined && value !== '', type);
      assert.deepEqual(systemRegistry.validate(type, value).valid, true, `${type}: ${JSON.stringify(value)}`);
    }
    assert.ok(new Set(values.map((value) => JSON.stringify(value))).size > 1, type);
  }
});

test("an operator's own types are served where their patterns let it, and given up where not", () => {
  const row = (type: string, columns: object) => ({
    ...{
      type,
      parent: 'text',
      label: type,
      input: null,
      lane: null,
      check: null,
      options: null,
      fields: null,
    },
    ...{ validation: null, is_system: false },
    ...columns,
  });
  const registry = new FieldTypeRegistry([
    ...systemFieldTypes,
    row('member_number', { validation: '\\d{6}' }),
    row('hopeless', { validation: 'x{7}-[qz]{3}' }),
    row('size', { input: 'list', options: ['S', 'M', 'L'] }),
    row('colours', { input: 'multilist', options: ['red', 'green'] }),
  ]);
  assert.match(String(sampleValue('member_number', registry, 7)), /^\d{6}$/);
  assert.equal(sampleValue('hopeless', registry, 7), undefined);
  assert.equal(sampleValue('size', registry, 1), 'M');
  assert.deepEqual(sampleValue('colours', registry, 1), ['green']);
});
