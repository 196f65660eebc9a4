import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonical } from './canonical.ts';

test('a decision has one text, whatever the order of its members', () => {
  const one = { decisions: [], claims: [{ name: 'email', field_id: 'f', wrapper: '{"_enc":1}' }] };
  const other = { claims: [{ wrapper: '{"_enc":1}', field_id: 'f', name: 'email' }], decisions: [] };
  assert.equal(canonical(one), canonical(other));
  assert.equal(
    canonical(one),
    '{"claims":[{"field_id":"f","name":"email","wrapper":"{\\"_enc\\":1}"}],"decisions":[]}',
  );
  assert.equal(canonical({ b: undefined, a: [true, null, 1] }), '{"a":[true,null,1]}');
  assert.notEqual(canonical(one), canonical({ ...one, claims: [] }));
});
