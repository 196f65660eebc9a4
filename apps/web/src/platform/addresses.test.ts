import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRegistry } from '@symbolon/field-types';
import { addressLine, addressOrder, hasDigitCodes } from './addresses.ts';

const members = systemRegistry.resolve('address')?.fields ?? [];
const order = (country: string, value = {}) => addressOrder(members, country, value).map(({ key }) => key);

test('an address is typed in the order of its country, which comes first', () => {
  assert.deepEqual(order('DE'), ['country', 'street', 'building_number', 'affix', 'postal_code', 'city']);
  assert.deepEqual(order('US'), [
    'country',
    'building_number',
    'street',
    'affix',
    'city',
    'state',
    'postal_code',
  ]);
  assert.deepEqual(order('FR').slice(1, 3), ['building_number', 'street']);
  // What is there is never hidden.
  assert.ok(order('DE', { state: 'OR' }).includes('state'));
  assert.deepEqual(['DE', 'GB', ''].map(hasDigitCodes), [true, false, false]);
});

test('an address is shown as it is written in its country', () => {
  const named = (key: string, text: string) => (key === 'country' && text === 'DE' ? 'Germany' : text);
  const berlin = { street: 'Unter den Linden', building_number: '6', postal_code: '10117', city: 'Berlin' };
  assert.equal(addressLine({ ...berlin, country: 'DE' }, named), 'Unter den Linden 6, 10117 Berlin, Germany');
  const oregon = {
    street: 'Main Street',
    building_number: 5,
    city: 'Springfield',
    state: 'OR',
    country: 'US',
  };
  assert.equal(
    addressLine({ ...oregon, postal_code: '97477', floor: '2' }, named),
    '5 Main Street, Springfield, OR 97477, 2, US',
  );
  assert.equal(addressLine({}, named), '');
});
