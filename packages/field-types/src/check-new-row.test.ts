import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldTypeRow } from '@symbolon/protocol';
import fc from 'fast-check';
import { checkNewRow } from './check-new-row.ts';
import type { FieldTypeIssueCode } from './issue.ts';
import { FieldTypeRegistry } from './registry.ts';
import { systemFieldTypes } from './system-field-types.ts';
import { systemRegistry } from './system-registry.ts';

const columns = { input: null, lane: null, check: null, options: null, fields: null, validation: null };
const row = { type: 'mine', parent: 'text', label: 'Mine', ...columns, is_system: false };
const rootRow = { ...row, parent: null, input: 'line', lane: 'inline' };
const entry = { key: 'a', input: 'line', required: false, check: null, validation: null, options: null };
const composite = (...fields: object[]) => ({ ...rootRow, input: 'composite', fields });
const file = (...fields: object[]) => ({ ...row, parent: 'document', fields });

describe('a row an operator may add', () => {
  const rows: Record<string, object> = {
    'a plain child': row,
    'a root': rootRow,
    'a narrower regex': { ...row, parent: 'email', validation: '.*@example\\.com' },
    'a date under text': { ...row, input: 'date' },
    'a choice under text': { ...row, input: 'list', options: ['a', 'b'] },
    'a rating': { ...row, parent: 'integer', input: 'list', options: ['1', '2'] },
    'an option-less choice': { ...rootRow, input: 'list', options: [] },
    'some of the options': { ...row, parent: 'gender', options: ['Male', 'Female'] },
    'a narrower number': { ...row, parent: 'number', check: 'decimal' },
    'a composite': composite(entry, { ...entry, key: 'name', input: 'list', options: ['x'] }),
    'some of the entries': { ...row, parent: 'address', fields: [{ ...entry, key: 'city' }] },
    'a document with an entry': file({ ...entry, key: 'issued', input: 'date', required: true }),
    'an ID document': { ...row, parent: 'proof_of_identity' },
    'a photo': { ...rootRow, input: 'file', lane: 'photo' },
    'keys objects are born with': { ...composite({ ...entry, key: '__proto__' }), type: 'constructor' },
  };
  for (const [name, mine] of Object.entries(rows)) {
    it(`an operator may add ${name}`, () => {
      assert.deepEqual(checkNewRow(mine, systemRegistry), []);
      assert.ok(
        new FieldTypeRegistry([...systemFieldTypes, mine as FieldTypeRow]).has((mine as FieldTypeRow).type),
      );
    });
  }
});

describe('a row an operator may not add', () => {
  const { label: _, ...unlabelled } = row;
  const long = 'a'.repeat(201);
  const rows: [FieldTypeIssueCode, path: string, row: unknown][] = [
    ['shape_invalid', '', null],
    ['shape_invalid', '', []],
    ['shape_invalid', '', 'row'],
    ['shape_invalid', '/label', unlabelled],
    ['shape_invalid', '/extra', { ...row, extra: 1 }],
    ['shape_invalid', '/input', { ...row, input: 'lines' }],
    ['shape_invalid', '/lane', { ...row, lane: 1 }],
    ['shape_invalid', '/check', { ...row, check: 'constructor' }],
    ['shape_invalid', '/options', { ...row, options: 'a' }],
    ['shape_invalid', '/fields', { ...row, fields: {} }],
    ['shape_invalid', '/fields/0/required', composite({ ...entry, required: 1 })],
    ['shape_invalid', '/is_system', { ...row, is_system: 'no' }],
    ['type_key_invalid', '/type', { ...row, type: 'Mine' }],
    ['type_key_invalid', '/type', { ...row, type: 'a'.repeat(41) }],
    ['type_key_invalid', '/type', { ...row, type: 1 }],
    ['label_invalid', '/label', { ...row, label: ' ' }],
    ['label_invalid', '/label', { ...row, label: long }],
    ['option_invalid', '/options/1', { ...row, input: 'list', options: ['a', ''] }],
    ['option_invalid', '/options', { ...row, input: 'list', options: ['a', 'a'] }],
    ['option_invalid', '/options/0', { ...row, input: 'list', options: [1] }],
    ['pattern_too_long', '/validation', { ...row, validation: long }],
    ['entry_key_invalid', '/fields/0/key', composite({ ...entry, key: 'A' })],
    ['type_reserved', '/type', { ...row, type: 'plugin' }],
    ['type_taken', '/type', { ...row, type: 'email' }],
    ['parent_unknown', '/parent', { ...row, parent: 'nobody' }],
    ['parent_unknown', '/parent', { ...row, parent: 'plugin' }],
    ['parent_unknown', '/parent', { ...row, parent: 'No body' }],
    ['parent_unknown', '/parent', { ...row, parent: 'mine' }],
    ['system_reserved', '/is_system', { ...row, is_system: true }],
    ['input_missing', '/input', { ...rootRow, input: null }],
    ['lane_missing', '/lane', { ...rootRow, lane: null }],
    ['lane_conflict', '/lane', { ...rootRow, lane: 'photo' }],
    ['lane_conflict', '/lane', { ...rootRow, input: 'file' }],
    ['lane_conflict', '/lane', { ...rootRow, input: 'pages', lane: 'photo' }],
    ['lane_conflict', '/lane', { ...row, parent: 'photo', lane: 'document' }],
    ['input_conflict', '/input', { ...row, input: 'multilist', options: ['a'] }],
    ['input_conflict', '/input', { ...row, parent: 'date', input: 'line' }],
    ['check_conflict', '/check', { ...row, check: 'pdf' }],
    ['check_conflict', '/check', { ...row, parent: 'phone', check: 'card' }],
    ['check_conflict', '/check', { ...row, parent: 'number', input: 'date' }],
    ['check_conflict', '/check', { ...row, parent: 'integer', check: 'float' }],
    ['check_conflict', '/check', { ...composite(entry), check: 'pdf' }],
    ['check_conflict', '/check', { ...file(), check: 'url' }],
    ['validation_conflict', '/validation', { ...file(), validation: 'a' }],
    ['validation_conflict', '/validation', { ...row, parent: 'multiselect', validation: 'a' }],
    ['options_conflict', '/options', { ...row, options: ['a'] }],
    ['options_conflict', '/options', { ...file(), options: ['a'] }],
    ['options_conflict', '/options', { ...row, parent: 'gender', options: ['Other'] }],
    ['options_conflict', '/options', { ...row, parent: 'gender', options: [] }],
    ['option_invalid', '/options/1', { ...row, parent: 'integer', input: 'list', options: ['1', 'x'] }],
    ['fields_conflict', '/fields', { ...row, fields: [entry] }],
    ['fields_conflict', '/fields', { ...row, parent: 'address', fields: [entry] }],
    ['fields_missing', '/fields', composite()],
    ['pattern_invalid', '/validation', { ...row, validation: '(?=a)' }],
    ['pattern_too_complex', '/validation', { ...row, validation: '(((a|b)?){30}){30}' }],
    ['pattern_invalid', '/fields/0/validation', composite({ ...entry, validation: '(' })],
    ['entry_duplicate', '/fields/1/key', composite(entry, entry)],
    ['input_conflict', '/fields/0/input', composite({ ...entry, input: 'composite' })],
    ['input_conflict', '/fields/0/input', file({ ...entry, input: 'multilist' })],
    ['check_conflict', '/fields/0/check', composite({ ...entry, check: 'pdf' })],
    ['options_missing', '/fields/0/options', composite({ ...entry, input: 'list' })],
    ['options_conflict', '/fields/0/options', composite({ ...entry, options: ['a'] })],
  ];
  for (const [code, path, mine] of rows) {
    it(`a new row is refused with ${code} at ${path}: ${JSON.stringify(mine)?.slice(0, 150)}`, () => {
      assert.deepEqual(
        checkNewRow(mine, systemRegistry).map((issue) => [issue.code, issue.path]),
        [[code, path]],
      );
    });
  }
  for (const key of [
    'full',
    'thumb',
    'file',
    'original_name',
    'mime_type',
    'size',
    'name',
    'pages',
    'label',
  ]) {
    it(`a file type may not have an entry named ${key}`, () => {
      const [issue] = checkNewRow(file({ ...entry, key }), systemRegistry);
      assert.equal(issue?.code, 'entry_reserved');
    });
  }
});

it('the system rows would pass the rules for rows of an operator', () => {
  for (const [place, system] of systemFieldTypes.entries()) {
    const before = new FieldTypeRegistry(systemFieldTypes.slice(0, place));
    assert.deepEqual(checkNewRow({ ...system, is_system: false }, before), [], system.type);
  }
});

it('checking a new row never throws, and a row without issues can be added to a registry', () => {
  const maybe = <T>(...values: T[]) => fc.constantFrom(null, ...values);
  const text = fc.constantFrom('a', 'number', 'file', '__proto__', '(', '1', '');
  const options = fc.oneof(fc.constant(null), fc.array(text, { maxLength: 3 }));
  const inputs = ['line', 'date', 'list', 'multilist', 'country', 'composite', 'file', 'pages'];
  const checks = ['url', 'number', 'integer', 'pdf'];
  const entries = fc.record({
    key: text,
    input: fc.constantFrom(...inputs),
    required: fc.boolean(),
    check: maybe(...checks),
    validation: fc.option(text),
    options,
  });
  const rows = fc.record({
    type: fc.constantFrom('mine', 'text', '__proto__'),
    parent: maybe(...systemRegistry.order()),
    label: fc.constant('Mine'),
    input: maybe(...inputs),
    lane: maybe('inline', 'photo', 'document'),
    check: maybe(...checks),
    options,
    fields: fc.oneof(fc.constant(null), fc.array(entries, { maxLength: 2 })),
    validation: fc.option(text),
    is_system: fc.constant(false),
  });
  fc.assert(
    fc.property(fc.oneof({ weight: 5, arbitrary: rows }, { weight: 1, arbitrary: fc.anything() }), (mine) => {
      if (checkNewRow(mine, systemRegistry).length > 0) return;
      assert.ok(
        new FieldTypeRegistry([...systemFieldTypes, mine as FieldTypeRow]).order().length >
          systemFieldTypes.length,
      );
    }),
    { numRuns: 1000 },
  );
});
