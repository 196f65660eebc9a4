import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressOf, codesIn } from './codes.ts';

describe('codes of a company and its service', () => {
  const bike = { company: 'K7M4XQ', service: 'BIKE' };
  for (const text of ['K7M4XQ/BIKE', 'k7m4xq bike', ' K7M4XQ · BIKE ', 'K7M4XQ-BIKE', 'K7M4XQ\nBIKE'])
    it(`are read from ${JSON.stringify(text)}`, () => assert.deepEqual(codesIn(text), bike));

  it('are read from the address that stands in a QR code', () => {
    assert.deepEqual(codesIn(`https://symbolon.example${addressOf(bike)}`), bike);
    assert.deepEqual(codesIn(`https://symbolon.example${addressOf(bike)}?from=poster`), bike);
    const key = '0123456789abcdef'.repeat(2);
    assert.deepEqual(codesIn(`https://symbolon.example${addressOf(bike)}#k=${key}`), { ...bike, key });
    for (const damaged of ['', 'a', key.slice(1), `${key}x`])
      assert.equal(codesIn(`https://symbolon.example${addressOf(bike)}#k=${damaged}`), undefined, damaged);
  });

  for (const text of ['', 'K7M4XQ', 'K7M4XQ/BIKE/NOW', '/connect/K7M4XQ'])
    it(`are not read from ${JSON.stringify(text)}`, () => assert.equal(codesIn(text), undefined));
});
