import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countryOfPhone, dialCode, movedPhone, shownPhone, wholePhone } from './phones.ts';

test('a number is kept with the code of the country, however it was typed', () => {
  const pasted = ['+49\u00a030\u00a0901820', '+49-30-901820', '030\u2011901820', '\u200e+49 30 901820\u202c'];
  for (const typed of ['+49 30 901820', '0049 30 901820', '030 / 90 18 20', '(030) 901820', ...pasted])
    assert.equal(wholePhone(typed, 'DE'), '+4930901820', typed);
  assert.equal(wholePhone('+46 8 508 000 00', 'DE'), '+46850800000');
  assert.equal(wholePhone('06 1234 5678', 'IT'), '+390612345678');
  for (const none of ['', '12', 'call me', '0171 2345678'])
    assert.equal(wholePhone(none, 'US'), undefined, none);
  assert.equal(wholePhone('030 901820', 'XX'), undefined);
});

test('the country is known from the number, and changing it keeps the rest', () => {
  assert.deepEqual(['+4930901820', '004930901820', '030 901820'].map(countryOfPhone), [
    'DE',
    'DE',
    undefined,
  ]);
  assert.equal(movedPhone('+49 30 901820', 'AT'), '+43 30901820');
  assert.equal(movedPhone('030 901820', 'AT'), '030 901820');
  assert.deepEqual(['DE', 'US', 'XX'].map(dialCode), ['49', '1', undefined]);
});

test('a number is shown in the groups of its country, and anything else as it is', () => {
  assert.equal(shownPhone('+4930901820'), '+49 30 901820');
  assert.equal(shownPhone('12'), '12');
});
