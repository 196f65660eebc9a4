import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemRegistry } from '@symbolon/field-types';
import { shownValue } from './shown-value.ts';

const shown = (text: string, type: string, language = 'en') =>
  shownValue(text, systemRegistry.resolve(type), language);

test('countries are shown by their names in the language of the pages', () => {
  assert.equal(shown('SE', 'country'), 'Sweden');
  assert.equal(shown('SE', 'country', 'de'), 'Schweden');
  assert.equal(shown('NG', 'nationality'), 'Nigeria');
  assert.equal(shown('SE', 'text'), 'SE');
  for (const odd of ['', 'sweden', 'ZZZZ', '1']) assert.equal(shown(odd, 'country'), odd);
});

test('days are shown as people write them, wherever they are', () => {
  assert.equal(shown('1990-05-07', 'date_of_birth'), 'May 7, 1990');
  assert.equal(shown('1990-05-07', 'date', 'de'), '7. Mai 1990');
  for (const odd of ['1990-13-07', 'in May', '']) assert.equal(shown(odd, 'date'), odd);
});

test('members stand one after the other, without those that are empty', () => {
  const address = { street: 'Main Street', city: 'Springfield', affix: '', state: 'OR', country: 'US' };
  assert.equal(shown(JSON.stringify(address), 'address'), 'Main Street, Springfield, Oregon, United States');
  assert.equal(shown('no JSON', 'address'), 'no JSON');
  assert.equal(shown('null', 'address'), 'null');
});

test('of a card no more than its last digits is shown, whatever it holds', () => {
  const card = JSON.stringify({ number: '4242 4242 4242 1234', expiry: '09/31', cvc: '123', name: 'Ada' });
  assert.equal(shown(card, 'creditcard'), '•••• 1234');
  for (const odd of ['4242424242424242', '{"cvc":"123"}', 'null', '[4242424242424242]', ''])
    assert.equal(shown(odd, 'creditcard'), '••••', odd);
});

test('of an account or a number of a person the end alone is shown, and never much of a short one', () => {
  const bank = JSON.stringify({ account_number: 'DE02 1203 0000 0000 2020 51', bank_name: 'Bank' });
  assert.equal(shown(bank, 'bank'), '•••• 2051');
  assert.equal(shown('{"account_number":"1234"}', 'bank'), '•••• 4');
  assert.equal(shown('{"bank_name":"Bank"}', 'bank'), '••••');
  assert.equal(shown('19900507-1234', 'personal_number'), '•••• 234');
  assert.equal(shown('123', 'personal_number'), '••••');
});

test('a type that is not known shows what is stored', () => {
  assert.equal(shown('[1]', 'unheard_of'), '[1]');
});

test('options are called as they were offered', () => {
  const choices = [
    { value: 'bell', label: 'A bell' },
    { value: 'lock', label: 'A lock' },
  ];
  const offered = (text: string, type: string) =>
    shownValue(text, systemRegistry.resolve(type), 'en', choices);
  assert.equal(offered('bell', 'select'), 'A bell');
  assert.equal(offered('["lock","bell","horn"]', 'multiselect'), 'A lock, A bell, horn');
  assert.equal(offered('no JSON', 'multiselect'), 'no JSON');
});

test('options of the platform are called in the language of the pages', () => {
  assert.equal(shown('Prefer not to say', 'gender', 'de'), 'Keine Angabe');
  assert.equal(shown('Female', 'gender'), 'Female');
  assert.equal(shown('Female', 'text', 'de'), 'Female');
});

test('one place makes what is shown of a value, so that no page shows a secret or a code by its own words', () => {
  const sources = join(import.meta.dirname, '..');
  const those = (what: RegExp) =>
    globSync('{pages,parts,routes,ui}/**/*.{ts,tsx}', { cwd: sources })
      .filter((file) => !file.endsWith('.test.ts') && what.test(readFileSync(join(sources, file), 'utf8')))
      .map((file) => file.replaceAll('\\', '/'))
      .sort();
  assert.deepEqual(those(/\b(?:shownValue|wholeValue)\b/), ['parts/shown-text.ts']);
  // What is parsed besides is typed, kept in the tab, of a plugin, or an example of what a webhook sends.
  assert.deepEqual(those(/\bJSON\.parse\(/), [
    'pages/operator/field-types/add-type-sheet.tsx',
    'pages/portal/flow/trial-input.tsx',
    'pages/portal/webhooks/sent-next.tsx',
    'parts/answers/field-input.tsx',
    'parts/answers/plugin-input.tsx',
    'parts/use-kept-in-tab.ts',
  ]);
});
