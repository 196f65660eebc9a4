import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfPortal } from './of-portal.ts';

test('pages of the portal are told from those of people', () => {
  for (const path of ['/portal', '/portal/sign-in']) assert.ok(isOfPortal(path), path);
  for (const path of ['/', '/me', '/portals', '/auth']) assert.ok(!isOfPortal(path), path);
});
