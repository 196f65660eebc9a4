import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldTypeRow } from '@symbolon/protocol';
import fc from 'fast-check';
import { FieldTypeError, type FieldTypeErrorCode } from './errors.ts';
import { FieldTypeRegistry } from './registry.ts';
import { systemFieldTypes } from './system-field-types.ts';
import { systemRegistry } from './system-registry.ts';

const root = (type: string, columns: Partial<FieldTypeRow> = {}) =>
  child(type, null, { input: 'line', lane: 'inline', ...columns });

function child(type: string, parent: string | null, columns: Partial<FieldTypeRow> = {}): FieldTypeRow {
  const nothing = { input: null, lane: null, check: null, options: null, fields: null, validation: null };
  return { type, parent, label: type, ...nothing, is_system: false, ...columns };
}

/** Wire 2.4, tree: the parent of every type, with the resolved input, lane and check. */
const tree: Record<string, [parent: string | null, input: string, lane: string, check: string | null]> = {
  text: [null, 'line', 'inline', null],
  email: ['text', 'line', 'inline', null],
  phone: ['text', 'phone', 'inline', null],
  url: ['text', 'line', 'inline', 'url'],
  gender: ['text', 'list', 'inline', null],
  country: ['text', 'country', 'inline', null],
  nationality: ['text', 'nationality', 'inline', null],
  personal_number: ['text', 'line', 'inline', null],
  place_of_birth: ['text', 'line', 'inline', null],
  date: ['text', 'date', 'inline', null],
  date_of_birth: ['date', 'date', 'inline', null],
  number: [null, 'line', 'inline', 'number'],
  integer: ['number', 'line', 'inline', 'integer'],
  decimal: ['number', 'line', 'inline', 'decimal'],
  float: ['number', 'line', 'inline', 'float'],
  address: [null, 'composite', 'inline', null],
  creditcard: [null, 'composite', 'inline', null],
  bank: [null, 'composite', 'inline', null],
  select: [null, 'list', 'inline', null],
  multiselect: [null, 'multilist', 'inline', null],
  photo: [null, 'file', 'photo', null],
  document: [null, 'file', 'document', null],
  pdf_document: ['document', 'file', 'document', 'pdf'],
  legal_document: [null, 'file', 'document', null],
  proof_of_identity: ['legal_document', 'pages', 'document', null],
  passport: ['proof_of_identity', 'pages', 'document', null],
  photo_id: ['proof_of_identity', 'pages', 'document', null],
  drivers_license: ['proof_of_identity', 'pages', 'document', null],
  residence_permit: ['proof_of_identity', 'pages', 'document', null],
};

describe('the system types', () => {
  it('the system types form the tree of wire 2.4', () => {
    assert.deepEqual(
      systemFieldTypes.map(({ type }) => type),
      Object.keys(tree),
    );
    for (const { type, parent, label, is_system } of systemFieldTypes) {
      const { input, lane, check } = systemRegistry.resolve(type)!;
      assert.deepEqual([parent, input, lane, check], tree[type], type);
      assert.equal(label, `fieldtype_${type}`);
      assert.ok(is_system);
    }
  });

  it('the rows of the system types have exactly the ten members of a row', () => {
    const members = [
      'type',
      'parent',
      'label',
      'input',
      'lane',
      'check',
      'options',
      'fields',
      'validation',
      'is_system',
    ];
    for (const row of systemFieldTypes) assert.deepEqual(Object.keys(row), members, row.type);
  });

  it('the system types have the entries of the table in its order', () => {
    const entries = (type: string) =>
      systemRegistry
        .resolve(type)
        ?.fields?.map(({ key }) => key)
        .join(' ');
    assert.equal(entries('address'), 'street building_number affix city postal_code state country');
    assert.equal(entries('creditcard'), 'number expiry cvc name');
    assert.equal(entries('bank'), 'swift routing_number account_number account_holder bank_name');
    assert.equal(entries('legal_document'), 'document_number expiry_date');
    assert.equal(entries('passport'), 'document_number expiry_date issuing_country');
    const required = systemFieldTypes.flatMap(({ fields }) => fields ?? []).filter((entry) => entry.required);
    assert.deepEqual(
      required.map(({ key }) => key),
      ['issuing_country'],
    );
  });
});

describe('accepts', () => {
  it('`accepts` holds for a type and its descendants in the whole tree', () => {
    for (const requested of Object.keys(tree)) {
      for (const actual of Object.keys(tree)) {
        assert.equal(
          systemRegistry.accepts(requested, actual),
          isAtOrUnder(actual, requested),
          `${requested} ← ${actual}`,
        );
      }
    }
    function isAtOrUnder(type: string | null, ancestor: string): boolean {
      return type !== null && (type === ancestor || isAtOrUnder(tree[type]![0], ancestor));
    }
  });
  it('`accepts` holds for an unknown type only when both types are the same', () => {
    assert.ok(systemRegistry.accepts('plugin', 'plugin'));
    assert.ok(!systemRegistry.accepts('text', 'unheard_of'));
    assert.ok(!systemRegistry.accepts('unheard_of', 'text'));
  });
});

describe('what a type is good for', () => {
  const binary = [
    'photo',
    'document',
    'pdf_document',
    'legal_document',
    'proof_of_identity',
    'passport',
    'photo_id',
    'drivers_license',
    'residence_permit',
  ];
  const optionless = ['select', 'multiselect'];
  for (const type of [...Object.keys(tree), 'plugin', 'unheard_of', 'constructor']) {
    it(`the registry knows what ${type} can be used for`, () => {
      const known = Object.hasOwn(tree, type);
      assert.equal(systemRegistry.has(type), known);
      assert.equal(systemRegistry.isBinary(type), binary.includes(type));
      assert.equal(systemRegistry.isRequestable(type), known && !optionless.includes(type));
      assert.equal(
        systemRegistry.isClaimable(type),
        known && !optionless.includes(type) && !binary.includes(type),
      );
    });
  }
  it('a choice type becomes requestable when it has options of its own', () => {
    const colour = child('colour', 'multiselect', { options: ['red'] });
    const registry = new FieldTypeRegistry([...systemFieldTypes, colour, child('shade', 'colour')]);
    assert.ok(registry.isRequestable('colour') && registry.isClaimable('shade'));
  });
});

describe('resolution', () => {
  it('resolution takes each column from the nearest ancestor that sets it', () => {
    const registry = new FieldTypeRegistry([
      child('c', 'b', { options: ['x'] }),
      child('b', 'a', { input: 'list' }),
      root('a', { check: 'number', options: ['y'] }),
    ]);
    assert.deepEqual(registry.resolve('c'), {
      type: 'c',
      input: 'list',
      lane: 'inline',
      check: 'number',
      options: ['x'],
      fields: null,
      validations: [],
      lineage: ['a', 'b', 'c'],
    });
    assert.deepEqual(registry.resolve('b')?.options, ['y']);
  });

  it('resolution collects the validations of all ancestors, root first', () => {
    const registry = new FieldTypeRegistry([
      root('a', { validation: '.{2,}' }),
      child('b', 'a'),
      child('c', 'b', { validation: '[a-z]+' }),
    ]);
    assert.deepEqual(registry.resolve('c')?.validations, ['.{2,}', '[a-z]+']);
    assert.ok(registry.validate('a', 'A1').valid);
    assert.ok(!registry.validate('c', 'A1').valid);
    assert.ok(!registry.validate('c', 'a').valid);
    assert.ok(registry.validate('c', 'ab').valid);
  });

  it('resolution handles keys named like prototype members', () => {
    const keys = ['constructor', '__proto__', 'hasownproperty', 'tostring'];
    const rows = keys.map((key, place) => (place === 0 ? root(key) : child(key, keys[place - 1]!)));
    const registry = new FieldTypeRegistry(rows);
    assert.deepEqual(registry.order(), keys);
    assert.ok(registry.accepts('constructor', '__proto__'));
    assert.deepEqual(registry.resolve('__proto__')?.lineage, ['constructor', '__proto__']);
    assert.equal(systemRegistry.resolve('__proto__'), undefined);
  });

  it('resolution handles a tree of any depth', () => {
    const rows = Array.from({ length: 2000 }, (_, i) => (i === 0 ? root('t0') : child(`t${i}`, `t${i - 1}`)));
    const registry = new FieldTypeRegistry(rows.toReversed());
    assert.ok(registry.accepts('t0', 't1999'));
    assert.equal(registry.order().length, 2000);
  });
});

describe('rows that make no registry', () => {
  const text = root('text');
  const entry = {
    key: 'a',
    input: 'line',
    required: false,
    check: null,
    validation: null,
    options: null,
  } as const;
  const refused: [FieldTypeErrorCode, FieldTypeRow[]][] = [
    ['type_duplicate', [text, text]],
    ['type_reserved', [root('plugin')]],
    ['type_key_invalid', [root('Text')]],
    ['type_key_invalid', [root('')]],
    ['type_key_invalid', [root('a'.repeat(41))]],
    ['type_key_invalid', [root('a\n')]],
    ['parent_unknown', [child('a', 'b')]],
    ['parent_unknown', [child('a', 'constructor')]],
    ['parent_cycle', [child('a', 'a')]],
    ['parent_cycle', [text, child('a', 'b'), child('b', 'c'), child('c', 'a')]],
    ['root_incomplete', [root('a', { input: null })]],
    ['root_incomplete', [root('a', { lane: null })]],
    ['entry_key_invalid', [root('a', { fields: [{ ...entry, key: 'A' }] })]],
    ['entry_duplicate', [root('a', { fields: [entry, entry] })]],
    ['pattern_invalid', [root('a', { validation: '(?=a)' })]],
    ['pattern_invalid', [root('a', { fields: [{ ...entry, validation: '(' }] })]],
    ['pattern_too_long', [root('a', { validation: 'a'.repeat(201) })]],
  ];
  for (const [code, rows] of refused) {
    it(`rows are refused with ${code}: ${rows.map(({ type }) => JSON.stringify(type)).join(', ')}`, () => {
      assert.throws(
        () => new FieldTypeRegistry(rows),
        (error) => error instanceof FieldTypeError && error.code === code,
      );
    });
  }
});

describe('order', () => {
  it('the order of types sorts roots and siblings by label, with children directly after their parent', () => {
    const registry = new FieldTypeRegistry([
      child('x', 'b', { label: '2' }),
      root('a', { label: 'B' }),
      root('b', { label: 'A' }),
      child('y', 'b', { label: '1' }),
      child('z', 'x'),
    ]);
    assert.deepEqual(registry.order(), ['b', 'y', 'x', 'z', 'a']);
  });

  it('the order of types has every type once and each family together, whatever the order of the rows', () => {
    const forest = fc.array(fc.nat(), { maxLength: 30 }).chain((picks) => {
      const rows = picks.map((pick, i) =>
        pick % (i + 1) === i ? root(`t${i}`) : child(`t${i}`, `t${pick % (i + 1)}`),
      );
      return fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length });
    });
    fc.assert(
      fc.property(forest, (rows) => {
        const registry = new FieldTypeRegistry(rows);
        const order = registry.order();
        assert.deepEqual(order.toSorted(), rows.map(({ type }) => type).toSorted());
        for (const [place, type] of order.entries()) {
          const family = order.filter((other) => registry.accepts(type, other));
          assert.deepEqual(order.slice(place, place + family.length), family);
        }
        assert.deepEqual(new FieldTypeRegistry(rows.toReversed()).order(), order);
      }),
    );
  });
});
