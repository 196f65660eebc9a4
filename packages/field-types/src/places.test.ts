import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countries, isCountryCode } from './countries.ts';
import { isUsState, usStates } from './us-states.ts';

it('has the 249 officially assigned countries, each once and by code', () => {
  const codes = countries.map(({ code }) => code);
  assert.equal(new Set(codes).size, 249);
  assert.deepEqual(codes, codes.toSorted());
  assert.equal(new Set(countries.map(({ name }) => name)).size, 249);
  assert.ok(countries.every(({ code, name }) => isCountryCode(code) && name.trim() === name && name !== ''));
});

it('has names for its codes that the platform knows as regions', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  for (const { code } of countries) assert.ok(names.of(code), code);
});

for (const code of ['nl', 'Nl', 'NLD', '', 'XX', 'UK', 'EU', 'XK', 'AN', 'ZZ', 'constructor', '__proto__']) {
  it(`knows no country '${code}'`, () => assert.ok(!isCountryCode(code)));
}

it('has the 50 states, DC, five territories, three associated states and three military codes', () => {
  const codes = new Set(usStates.map(({ code }) => code));
  assert.equal(codes.size, 50 + 1 + 5 + 3 + 3);
  const beyondTheStates = ['DC', 'AS', 'GU', 'MP', 'PR', 'VI', 'FM', 'MH', 'PW', 'AA', 'AE', 'AP'];
  for (const code of beyondTheStates) assert.ok(codes.has(code), code);
  for (const code of codes) assert.ok(isUsState(code));
});

for (const code of ['ca', 'Ca', '', 'UM', 'XX', 'CAL', 'toString']) {
  it(`knows no state '${code}'`, () => assert.ok(!isUsState(code)));
}
