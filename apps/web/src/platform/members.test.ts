import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRegistry } from '@symbolon/field-types';
import { membersOf } from './members.ts';

const members = (text: string, type: string) => membersOf(text, systemRegistry.resolve(type), 'en');

test('members come in the order of their type, as people write them, and say which are secret', () => {
  assert.deepEqual(members('{"country":"SE","street":"Storgatan","city":""}', 'address'), [
    { key: 'street', text: 'Storgatan', isSecret: false },
    { key: 'country', text: 'Sweden', isSecret: false },
  ]);
  assert.deepEqual(
    members('{"account_number":"DE02120300000000202051","bank_name":"Bank"}', 'bank').map(
      ({ key, isSecret }) => [key, isSecret],
    ),
    [
      ['account_number', true],
      ['bank_name', false],
    ],
  );
});

test('a value of one part, and one that is broken, has no members', () => {
  assert.deepEqual(members('Ada', 'text'), []);
  for (const odd of ['', 'null', '"text"']) assert.deepEqual(members(odd, 'address'), [], odd);
});
