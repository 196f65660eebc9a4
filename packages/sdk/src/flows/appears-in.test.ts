import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appearsIn, condense } from './appears-in.ts';

const CASES: [text: string, value: string, stands: boolean][] = [
  ['The tenant is Anna Maria\nBerg.', 'Anna Maria Berg', true],
  ['The tenant is A nna Berg', 'Anna Berg', true],
  ['rent: 900 a month', '900', true],
  ['rent: 9000 a month', '900', false],
  ['rent: 1900', '900', false],
  ['rent: 9000, paid as 900', '900', true],
  ['900EUR', '900', true],
  ['Annabel', 'Anna', false],
  ['Anna-Lena', 'Anna', true],
  ['山田太郎様', '山田太郎', true],
  ['Z\u0307o\u0301\u0142\u0107', 'Żółć', true],
  ['ﬁne', 'fine', true],
  ['Nothing', 'Anna', false],
  ['', 'Anna', false],
  ['Anna', 'Anna', true],
  ['any', '', true],
];

test('a value stands in the text of a document however its spaces and lines fall, but not inside another', () => {
  for (const [text, value, stands] of CASES)
    assert.equal(appearsIn(condense(text), value), stands, `${value} in ${text}`);
});
