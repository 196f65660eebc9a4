import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeBase64 } from './base64.ts';
import { isWrapper, parseWrapper, serializeWrapper, type Wrapper } from './wrapper.ts';

const base64Of = (length: number, value = 7) => encodeBase64(new Uint8Array(length).fill(value));
const wrapper: Wrapper = { _enc: 1, k: base64Of(256), iv: base64Of(12), d: base64Of(40) };

test('a wrapper is accepted as an object or JSON text with its members in any order', () => {
  const { _enc, k, iv, d } = wrapper;
  for (const input of [
    wrapper,
    JSON.stringify(wrapper),
    { d, iv, k, _enc },
    ` ${JSON.stringify({ k, d, _enc, iv })}`,
  ]) {
    assert.deepEqual(parseWrapper(input), wrapper);
    assert.equal(isWrapper(input), true);
  }
});

test('a wrapper is serialized with its members in a fixed order', () => {
  const { _enc, k, iv, d } = wrapper;
  assert.equal(serializeWrapper({ d, iv, k, _enc }), `{"_enc":1,"k":"${k}","iv":"${iv}","d":"${d}"}`);
});

test('a wrapper of an empty plaintext, which is only the tag, is accepted', () => {
  assert.equal(isWrapper({ ...wrapper, d: base64Of(16) }), true);
});

const refused: [string, unknown][] = [
  ['a number', 1],
  ['null', null],
  ['an array', [wrapper]],
  ['text that is no JSON', '{'],
  ['JSON text of JSON text', JSON.stringify(JSON.stringify(wrapper))],
  ['no member', {}],
  ['the marker of person apps', { ...wrapper, _enc: 2 }],
  ['the marker as text', { ...wrapper, _enc: '1' }],
  ['the marker as a boolean', { ...wrapper, _enc: true }],
  ['an unknown member', { ...wrapper, v: 1 }],
  ['a missing member', { _enc: 1, k: wrapper.k, iv: wrapper.iv }],
  ['another member in place of one', { _enc: 1, k: wrapper.k, iv: wrapper.iv, data: wrapper.d }],
  ['inherited members', Object.create(wrapper)],
  ['a prototype from JSON', `{"__proto__":${JSON.stringify(wrapper)}}`],
  ['bytes as k', { ...wrapper, k: new Uint8Array(256) }],
  ['k one byte short', { ...wrapper, k: base64Of(255) }],
  ['k one byte long', { ...wrapper, k: base64Of(257) }],
  ['iv of 11 bytes', { ...wrapper, iv: base64Of(11) }],
  ['iv of 16 bytes', { ...wrapper, iv: base64Of(16) }],
  ['d shorter than a tag', { ...wrapper, d: base64Of(15) }],
  ['empty d', { ...wrapper, d: '' }],
  ['k without padding', { ...wrapper, k: wrapper.k.replaceAll('=', '') }],
  ['k with trailing bits', { ...wrapper, k: wrapper.k.replace(/.==$/, 'x==') }],
  ['d in the URL alphabet', { ...wrapper, d: `-_${wrapper.d.slice(2)}` }],
  ['d with a line break', { ...wrapper, d: `${wrapper.d}\n` }],
];

for (const [name, input] of refused) {
  test(`a wrapper is refused: ${name}`, () => {
    assert.throws(() => parseWrapper(input), { name: 'CryptoError', code: 'wrapper_malformed' });
    assert.equal(isWrapper(input), false);
  });
}

test('parsing anything else as a wrapper throws only the error of this package', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string(), fc.json()), (input) => {
      assert.throws(() => parseWrapper(input), { code: 'wrapper_malformed' });
    }),
  );
});
