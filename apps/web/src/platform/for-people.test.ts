import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForPeople } from './for-people.ts';

test('pages for people and those of the portal and the operator are distinguished', () => {
  for (const path of ['/', '/me', '/portals', '/operators', '/auth']) assert.ok(isForPeople(path), path);
  for (const path of ['/portal', '/portal/sign-in', '/operator', '/operator/companies'])
    assert.ok(!isForPeople(path), path);
});
