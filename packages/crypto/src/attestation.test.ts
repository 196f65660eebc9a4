import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createAttestation, matchesAttestation } from './attestation.ts';
import { equalTexts } from './bytes.ts';

test('an attestation is the SHA-256 of the text of the salt followed by the plaintext', async () => {
  const { verified_salt, verified_hash } = await createAttestation('Zürich');
  assert.match(verified_salt, /^[0-9a-f]{32}$/);
  assert.equal(verified_hash, createHash('sha256').update(`${verified_salt}Zürich`, 'utf8').digest('hex'));
});

test('an attestation matches only its own plaintext', async () => {
  const { verified_salt: salt, verified_hash: hash } = await createAttestation('Zürich');
  assert.equal(await matchesAttestation('Zürich', salt, hash), true);
  assert.equal(await matchesAttestation('zürich', salt, hash), false);
  assert.equal(await matchesAttestation('Zürich', salt.replace(/./, 'x'), hash), false);
});

test('an attestation with a malformed hash matches nothing', async () => {
  const { verified_salt: salt, verified_hash: hash } = await createAttestation('x');
  for (const other of ['', hash.slice(1), `${hash}0`, hash + hash, hash.toUpperCase()]) {
    assert.equal(await matchesAttestation('x', salt, other), false);
  }
});

test('the constant-time comparison tells equal from different texts', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => equalTexts(left, right) === (left === right)),
  );
  fc.assert(fc.property(fc.string(), (text) => equalTexts(text, text)));
});
