import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailsOf } from './details.ts';

test('what an entry says besides its message is said in words', () => {
  const metadata = { version: 3, added: ['email', 'name'], removed: [], actor_id: null, limits: { most: 2 } };
  assert.equal(detailsOf(metadata), 'version: 3 · added: email, name · limits: {"most":2}');
  assert.equal(detailsOf({ public_key_sha256: 'ab12' }), 'public key sha256: ab12');
  assert.equal(detailsOf({}), '');
});
