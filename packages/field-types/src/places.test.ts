import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countries, isCountryCode } from './countries.ts';
import { isUsState, usStates } from './us-states.ts';

it('the list of countries has the 249 officially assigned codes, each once and sorted', () => {
  const codes = countries.map(({ code }) => code);
  assert.equal(new Set(codes).size, 249);
  assert.deepEqual(codes, codes.toSorted());
  assert.equal(new Set(countries.map(({ name }) => name)).size, 249);
  assert.ok(countries.every(({ code, name }) => isCountryCode(code) && name.trim() === name && name !== ''));
});

it('every country code is a region that Intl can name', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  for (const { code } of countries) assert.ok(names.of(code), code);
});

for (const code of ['nl', 'Nl', 'NLD', '', 'XX', 'UK', 'EU', 'XK', 'AN', 'ZZ', 'constructor', '__proto__']) {
  it(`'${code}' is no country code`, () => assert.ok(!isCountryCode(code)));
}

it('the list of US states has the 50 states, DC, five territories, three associated states and three military codes', () => {
  const codes = new Set(usStates.map(({ code }) => code));
  assert.equal(codes.size, 50 + 1 + 5 + 3 + 3);
  const beyondTheStates = ['DC', 'AS', 'GU', 'MP', 'PR', 'VI', 'FM', 'MH', 'PW', 'AA', 'AE', 'AP'];
  for (const code of beyondTheStates) assert.ok(codes.has(code), code);
  for (const code of codes) assert.ok(isUsState(code));
});

for (const code of ['ca', 'Ca', '', 'UM', 'XX', 'CAL', 'toString']) {
  it(`'${code}' is no state code`, () => assert.ok(!isUsState(code)));
}
