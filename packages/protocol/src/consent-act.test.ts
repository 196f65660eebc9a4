import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consentDecisionText } from './consent-act.ts';

test('a decision has one text, whatever the order of its members', () => {
  const claim = { name: 'email', field_id: 'f', wrapper: '{"_enc":1}' };
  const turned = { wrapper: '{"_enc":1}', field_id: 'f', name: 'email' };
  const text = '{"claims":[{"field_id":"f","name":"email","wrapper":"{\\"_enc\\":1}"}],"decisions":[]}';
  assert.equal(consentDecisionText({ decisions: [], claims: [claim] }), text);
  assert.equal(consentDecisionText({ claims: [turned], decisions: [] }), text);
  assert.notEqual(consentDecisionText({ claims: [] }), text);
});

test('what is left out counts as empty, and a member that is undefined as left out', () => {
  assert.equal(consentDecisionText({}), '{"claims":[],"decisions":[]}');
  const claims = [{ b: undefined, a: [true, null, 1] }] as never;
  assert.equal(consentDecisionText({ claims }), '{"claims":[{"a":[true,null,1]}],"decisions":[]}');
});
