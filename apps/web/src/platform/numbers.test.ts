import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAsKept, numberAsTyped } from './numbers.ts';

test('a number is kept as it is meant in the language in which it is written', () => {
  for (const [typed, language, kept] of [
    ['1,5', 'de', '1.5'],
    ['12,50', 'de', '12.50'],
    ['1.234,5', 'de', '1234.5'],
    ['1.234', 'de', '1234'],
    ['1.5', 'de', '1.5'],
    ['1,5', 'en', '1.5'],
    ['1,234', 'en', '1234'],
    ['1,234,567.25', 'en', '1234567.25'],
    ['-7', 'de', '-7'],
    ['1 234,5', 'de', '1234.5'],
    ['\u22125', 'en', '-5'],
    ['.5', 'en', '0.5'],
    ['-,5', 'de', '-0.5'],
    ['1\u2019234.50', 'de', '1234.50'],
    ["1'234'567,25", 'de', '1234567.25'],
    ["1'234", 'en', '1234'],
  ] as const)
    assert.equal(numberAsKept(typed, language), kept, `${typed} in ${language}`);
});

test('what is no number stays as it was typed', () => {
  for (const typed of ['', 'twelve', '1,2,3', '1.2.3', '1e5', '-', '1,', '.', "1'2", '5\u2212']) {
    for (const language of ['en', 'de']) assert.equal(numberAsKept(typed, language), typed);
  }
});

test('a kept number is shown as people write it, with all its digits', () => {
  assert.equal(numberAsTyped('12.50', 'de'), '12,50');
  assert.equal(numberAsTyped('12.50', 'en'), '12.50');
  assert.equal(numberAsTyped('1234567890123456789', 'de'), '1234567890123456789');
  assert.equal(numberAsTyped('1e5', 'de'), '1e5');
});
