import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyboardOf, lacksCountry } from './keyboard.ts';

test('each type has what browsers fill in and the keyboard of a phone; the nearest type decides', () => {
  assert.deepEqual(keyboardOf(['text', 'phone']), { autoComplete: 'tel', inputMode: 'tel' });
  assert.deepEqual(keyboardOf(['text', 'phone', 'work_phone']), { autoComplete: 'tel', inputMode: 'tel' });
  assert.equal(keyboardOf(['text', 'url']).inputMode, 'url');
  assert.equal(keyboardOf(['text', 'date', 'date_of_birth']).autoComplete, 'bday');
  assert.equal(keyboardOf(['number', 'integer']).inputMode, 'numeric');
  assert.equal(keyboardOf(['number', 'float']).inputMode, 'decimal');
  assert.deepEqual(keyboardOf(['text']), { autoComplete: 'on' });
});

test('the parts of addresses and cards have theirs', () => {
  assert.equal(keyboardOf(['address'], 'street').autoComplete, 'address-line1');
  const code = { autoCapitalize: 'characters', spellCheck: false };
  assert.deepEqual(keyboardOf(['address'], 'postal_code'), { autoComplete: 'postal-code', ...code });
  assert.equal(keyboardOf(['address'], 'postal_code', 'DE').inputMode, 'numeric');
  assert.equal(keyboardOf(['address'], 'postal_code', 'GB').inputMode, undefined);
  const passport = ['document', 'legal_document', 'proof_of_identity', 'passport'];
  assert.deepEqual(keyboardOf(passport, 'document_number'), { autoComplete: 'off', ...code });
  assert.deepEqual(keyboardOf(['bank'], 'account_number'), { autoComplete: 'on', ...code });
  const card = { autoComplete: 'cc-number', inputMode: 'numeric' };
  assert.deepEqual(keyboardOf(['creditcard'], 'number'), card);
  assert.deepEqual(keyboardOf(['creditcard', 'company_card'], 'number'), card);
  assert.deepEqual(keyboardOf(['bank'], 'number'), { autoComplete: 'on' });
});

test('a telephone number without a country is noticed', () => {
  assert.ok(lacksCountry('0171 2345678'));
  for (const whole of ['+49 171 2345678', '0049 171 2345678', '', '0'])
    assert.ok(!lacksCountry(whole), whole);
});
