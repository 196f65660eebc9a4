import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldTypeEntry, FieldTypeRow } from '@symbolon/protocol';
import fc from 'fast-check';
import { FieldTypeRegistry } from './registry.ts';
import type { ValidationCode } from './result.ts';
import { systemFieldTypes } from './system-field-types.ts';
import { systemRegistry } from './system-registry.ts';

/** Any UTF-16 unit, lone surrogates among them. */
const utf16 = fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit));

const png = 'data:image/png;base64,iVBORw0KGgo=';
const pdf = `data:application/pdf;base64,${btoa('%PDF-1.7\n')}`;
const page = { label: 'front', file: png, original_name: 'a.png', mime_type: 'image/png', size: 8 };
const passport = { pages: [page], issuing_country: 'NL' };

/**
 * Wire 2.4, primitives and checks by way of the types that have them: what each takes, in its normal form.
 */
const takes: [type: string, value: unknown, normalized?: unknown][] = [
  ['text', 'anything, 😀\n'],
  ['email', 'a@b.co'],
  ['phone', '+31 (0)6-12.34', '+3106' + '1234'],
  ['url', 'example.com', 'https://example.com'],
  ['gender', 'Non-binary'],
  ['country', 'NL'],
  ['nationality', 'NL'],
  ['personal_number', '123.456'],
  ['place_of_birth', 'Utrecht, NL'],
  ['date', '2024-02-29'],
  ['date_of_birth', '1970-01-01'],
  ['number', ' 1e3 ', '1e3'],
  ['integer', ' 12', '12'],
  ['decimal', '1.50'],
  ['float', '1.5e3'],
  ['address', { street: 'A', postal_code: '3511 AB', country: 'NL' }],
  ['address', '{"state":"CA"}', { state: 'CA' }],
  ['address', { street: '', city: null }, {}],
  ['address', {}],
  [
    'creditcard',
    { number: '4111 1111 1111 1111', expiry: '01/30', cvc: '123', name: 'A' },
    { number: '4111111111111111', expiry: '01/30', cvc: '123', name: 'A' },
  ],
  ['creditcard', { expiry: '12/2030', cvc: '1234' }],
  ['bank', { swift: 'ABNANL2A', routing_number: '123456789', account_number: 'NL91 ABNA 0417 1643 00' }],
  ['photo', { full: png }],
  ['photo', { thumb: png }],
  ['document', { size: 42, name: 'a' }],
  ['document', {}],
  ['legal_document', { document_number: '7' }],
  ['photo', JSON.stringify({ full: png, thumb: png }), { full: png, thumb: png }],
  ['document', { file: png, original_name: 'a.png', mime_type: 'image/png', size: 8, name: 'A' }],
  ['pdf_document', { file: pdf }],
  ['legal_document', { file: png, document_number: 'X1', expiry_date: '2030-01-01' }],
  ['passport', passport],
  ['passport', JSON.stringify(passport), passport],
  ['passport', { ...passport, pages: [page, { ...page, label: 'back' }, { ...page, label: 'additional' }] }],
  ['plugin', '{"plugin":"a","blocks":[]}', { plugin: 'a', blocks: [] }],
  ['unheard_of', 'anything'],
  ['unheard_of', { a: 1 }],
];

const refuses: [type: string, value: unknown, code: ValidationCode, path: string][] = [
  ['text', 1, 'string_expected', ''],
  ['text', ['a'], 'string_expected', ''],
  ['text', 'a\0b', 'text_malformed', ''],
  ['text', 'a\ud800', 'text_malformed', ''],
  ['email', 'a@b', 'pattern_mismatch', ''],
  ['email', 'x a@b.co', 'pattern_mismatch', ''],
  ['phone', '123', 'phone_invalid', ''],
  ['url', 'nowhere', 'url_invalid', ''],
  ['gender', 'male', 'option_unknown', ''],
  ['country', 'nl', 'country_unknown', ''],
  ['nationality', 'Dutch', 'country_unknown', ''],
  ['date', '2023-02-29', 'date_invalid', ''],
  ['date_of_birth', '01-01-1970', 'date_invalid', ''],
  ['number', 'one', 'number_invalid', ''],
  ['number', 1, 'string_expected', ''],
  ['integer', '1.5', 'integer_invalid', ''],
  ['decimal', '1.555', 'decimal_invalid', ''],
  ['float', '.5', 'float_invalid', ''],
  ['select', 'a', 'options_unavailable', ''],
  ['multiselect', ['a'], 'options_unavailable', ''],
  ['multiselect', 'a', 'array_expected', ''],
  ['address', 'somewhere', 'object_expected', ''],
  ['address', [], 'object_expected', ''],
  ['address', { planet: 'Earth' }, 'entry_unknown', '/planet'],
  ['address', '{"__proto__":"x"}', 'entry_unknown', '/__proto__'],
  ['address', { constructor: 'x' }, 'entry_unknown', '/constructor'],
  ['address', { 'not a/key': 'x' }, 'entry_unknown', ''],
  ['address', { street: 1 }, 'string_expected', '/street'],
  ['address', '{"street":"\\ud800"}', 'text_malformed', '/street'],
  ['address', '{"street":"\\u0000"}', 'text_malformed', '/street'],
  ['address', { state: 'Utrecht' }, 'state_unknown', '/state'],
  ['address', { country: 'XX' }, 'country_unknown', '/country'],
  ['address', { postal_code: '-1' }, 'pattern_mismatch', '/postal_code'],
  ['creditcard', { number: '4111 1111 1111 1112' }, 'card_invalid', '/number'],
  ['creditcard', { expiry: '13/30' }, 'pattern_mismatch', '/expiry'],
  ['creditcard', { cvc: '12' }, 'pattern_mismatch', '/cvc'],
  ['bank', { swift: 'ABC' }, 'pattern_mismatch', '/swift'],
  ['photo', { file: png }, 'entry_unknown', '/file'],
  ['photo', { full: png, file: png }, 'entry_unknown', '/file'],
  ['photo', { full: 'photo.png' }, 'data_uri_invalid', '/full'],
  ['photo', { full: png, thumb: 1 }, 'data_uri_invalid', '/thumb'],
  ['document', png, 'object_expected', ''],
  ['document', { file: png, size: '8' }, 'member_invalid', '/size'],
  ['document', { file: png, size: -1 }, 'member_invalid', '/size'],
  ['document', { file: png, name: 1 }, 'string_expected', '/name'],
  ['document', { file: png, label: 'x' }, 'entry_unknown', '/label'],
  ['pdf_document', { file: png }, 'pdf_expected', '/file'],
  ['pdf_document', { file: pdf.replace('application/pdf', 'image/png') }, 'pdf_expected', '/file'],
  ['pdf_document', { file: png.replace('image/png', 'application/pdf') }, 'pdf_expected', '/file'],
  ['legal_document', { file: png, expiry_date: 'soon' }, 'date_invalid', '/expiry_date'],
  ['passport', { pages: [page] }, 'entry_missing', '/issuing_country'],
  ['passport', { ...passport, issuing_country: '' }, 'entry_missing', '/issuing_country'],
  ['passport', { issuing_country: 'NL' }, 'member_missing', '/pages'],
  ['passport', { ...passport, pages: [] }, 'member_missing', '/pages'],
  ['passport', { ...passport, pages: page }, 'array_expected', '/pages'],
  ['passport', { ...passport, pages: [png] }, 'object_expected', '/pages/0'],
  [
    'passport',
    { ...passport, pages: [page, { ...page, label: 'left' }] },
    'member_invalid',
    '/pages/1/label',
  ],
  ['passport', { ...passport, pages: [{ ...page, extra: 1 }] }, 'member_unknown', '/pages/0/extra'],
  [
    'passport',
    { ...passport, pages: [{ label: 'front', file: png }] },
    'member_missing',
    '/pages/0/original_name',
  ],
  ['passport', { ...passport, file: png }, 'entry_unknown', '/file'],
  ['plugin', 'text', 'object_expected', ''],
  ['plugin', '[]', 'object_expected', ''],
  ['plugin', 'null', 'object_expected', ''],
];

describe('a value is accepted', () => {
  for (const [type, value, normalized = value] of takes) {
    it(`${type} accepts ${excerpt(value)}`, () => {
      assert.deepEqual(systemRegistry.validate(type, value), { valid: true, normalized });
    });
  }
});

describe('a value is refused', () => {
  for (const [type, value, code, path] of refuses) {
    it(`${type} refuses ${excerpt(value)}`, () => {
      const result = systemRegistry.validate(type, value);
      assert.deepEqual(result.valid ? 'taken' : [result.code, result.path], [code, path]);
    });
  }
});

describe('an empty value', () => {
  for (const { type } of [...systemFieldTypes, { type: 'plugin' }, { type: 'unheard_of' }]) {
    it(`an empty value is valid for ${type}`, () => {
      for (const empty of ['', null, undefined]) {
        assert.deepEqual(systemRegistry.validate(type, empty), { valid: true, normalized: '' });
      }
    });
  }
  it('a multilist without picks is an empty value', () => {
    assert.deepEqual(systemRegistry.validate('multiselect', '[]'), { valid: true, normalized: [] });
  });
});

describe('options', () => {
  const registry = new FieldTypeRegistry([
    ...systemFieldTypes,
    row('colour', 'select', { options: ['red', 'blue'] }),
    row('colours', 'multiselect', { options: ['red', 'blue'] }),
  ]);
  const options = ['a', 'b'];
  it('a type without options uses the options of the caller', () => {
    assert.ok(registry.validate('select', 'a', { options }).valid);
    assert.ok(!registry.validate('select', 'c', { options }).valid);
    assert.deepEqual(registry.validate('multiselect', '["b","a"]', { options }), {
      valid: true,
      normalized: ['b', 'a'],
    });
  });
  it('a type with options ignores the options of the caller', () => {
    assert.ok(registry.validate('colour', 'red', { options }).valid);
    assert.ok(!registry.validate('colour', 'a', { options }).valid);
    assert.ok(registry.validate('colours', ['red', 'blue']).valid);
    const result = registry.validate('colours', ['red', 'a'], { options });
    assert.deepEqual(!result.valid && [result.code, result.path], ['option_unknown', '/1']);
  });
  it('a choice without any options refuses every value', () => {
    const result = registry.validate('select', 'a', { options: [] });
    assert.equal(!result.valid && result.code, 'options_unavailable');
  });
});

describe('the order of validation', () => {
  it('regexes see the normal form that primitive and check produce', () => {
    const registry = new FieldTypeRegistry([
      ...systemFieldTypes,
      row('secure_url', 'url', { validation: 'https://.*' }),
      row('percentage', 'integer', { validation: '[0-9]{1,2}|100' }),
      row('dutch_phone', 'phone', { validation: '\\+31[0-9]{9}' }),
    ]);
    assert.ok(registry.validate('secure_url', 'example.com').valid);
    assert.ok(!registry.validate('secure_url', 'http://example.com').valid);
    assert.ok(registry.validate('percentage', ' 100 ').valid);
    assert.ok(!registry.validate('percentage', '101').valid);
    assert.ok(registry.validate('dutch_phone', '+31 6 1234 5678').valid);
  });
  it('a value that breaks several rules is reported for the primitive first, then the check, then a regex', () => {
    const registry = new FieldTypeRegistry([
      row('n', null, { input: 'line', lane: 'inline', check: 'number', validation: 'x' }),
    ]);
    const code = (value: unknown) => {
      const result = registry.validate('n', value);
      return result.valid ? 'taken' : result.code;
    };
    assert.deepEqual(
      [code('\0'), code('x'), code('1')],
      ['text_malformed', 'number_invalid', 'pattern_mismatch'],
    );
  });
});

it('the regex of a composite, a list or a file is matched against its plaintext', () => {
  const validation = '\\{"a":"[a-z]+"\\}';
  const fields: FieldTypeEntry[] = [
    { key: 'a', input: 'line', required: false, check: null, validation: null, options: null },
  ];
  const registry = new FieldTypeRegistry([
    row('pair', null, { input: 'composite', lane: 'inline', fields, validation }),
    row('picks', null, {
      input: 'multilist',
      lane: 'inline',
      options: ['a', 'b'],
      validation: '\\["a".*\\]',
    }),
    row('picture', null, { input: 'file', lane: 'photo', validation: '.*image/png.*' }),
  ]);
  const taken: [string, unknown][] = [
    ['pair', { a: 'x' }],
    ['pair', '{"a":"x"}'],
    ['picks', ['a', 'b']],
    ['picture', { full: png }],
  ];
  for (const [type, value] of taken) assert.ok(registry.validate(type, value).valid, type);
  const refused: [string, unknown][] = [
    ['pair', { a: '1' }],
    ['pair', '{ "a": "x" }'],
    ['pair', { a: 1n }],
    ['picks', ['b']],
    ['picture', { full: pdf }],
  ];
  for (const [type, value] of refused) {
    const result = registry.validate(type, value);
    assert.equal(!result.valid && result.code, 'pattern_mismatch', type);
  }
});

it('validation refuses values that JSON cannot express and does not throw', () => {
  const cycle: { street?: unknown } = {};
  cycle.street = cycle;
  for (const value of [cycle, { street: 1n }, { street: Symbol() }, { street: () => '' }]) {
    for (const type of ['address', 'photo', 'passport'])
      assert.ok(!systemRegistry.validate(type, value).valid);
  }
});

it('metadata without its file is valid, and is known as that', () => {
  const lacking: [string, unknown][] = [
    ['document', { size: 42, name: 'a' }],
    ['document', '{"size":42}'],
    ['pdf_document', { file: '' }],
    ['legal_document', { document_number: '7' }],
    ['photo', { thumb: png }],
  ];
  for (const [type, value] of lacking) assert.ok(systemRegistry.lacksFile(type, value), type);
  const whole: [string, unknown][] = [
    ['document', { file: png }],
    ['photo', { full: png }],
    ['passport', { pages: [] }],
    ['text', 'x'],
    ['unheard_of', {}],
  ];
  for (const [type, value] of whole) assert.ok(!systemRegistry.lacksFile(type, value), type);
});

it('entries of a composite may be named like prototype members', () => {
  const keys = ['__proto__', 'constructor'];
  const fields = keys.map(
    (key): FieldTypeEntry => ({
      key,
      input: 'line',
      required: true,
      check: null,
      validation: null,
      options: null,
    }),
  );
  const registry = new FieldTypeRegistry([row('odd', null, { input: 'composite', lane: 'inline', fields })]);
  const result = registry.validate('odd', '{"__proto__":"a","constructor":"b"}');
  assert.ok(result.valid);
  assert.deepEqual(Object.entries(result.normalized), [
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  assert.ok(!registry.validate('odd', {}).valid);
});

it('validation never throws, and accepts the normal form of every accepted value', () => {
  const types = fc.constantFrom(...systemRegistry.order(), 'plugin', 'unheard_of', '__proto__');
  const likely = fc.constantFrom(
    '',
    '[]',
    '{}',
    'null',
    '1',
    '"a"',
    ...takes.map(([, value]) => value),
    ...refuses.map(([, value]) => value),
  );
  const value = fc.oneof(likely, fc.string({ unit: utf16 }), fc.json(), fc.anything());
  fc.assert(
    fc.property(types, value, (type, value) => {
      const result = systemRegistry.validate(type, value, { options: ['a'] });
      if (result.valid) assert.ok(systemRegistry.validate(type, result.normalized, { options: ['a'] }).valid);
      else
        assert.ok(
          result.code !== undefined && result.message !== '' && /^(\/[a-z0-9_]+)*$/.test(result.path),
        );
    }),
    { numRuns: 2000 },
  );
});

function row(type: string, parent: string | null, columns: Partial<FieldTypeRow>): FieldTypeRow {
  const nothing = { input: null, lane: null, check: null, options: null, fields: null, validation: null };
  return { type, parent, label: type, ...nothing, is_system: false, ...columns };
}

function excerpt(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}
