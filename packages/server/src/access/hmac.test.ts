import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { HmacSha256 } from './hmac.ts';

test('gives the bytes of node:crypto for every key up to a block and every text', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 2000 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 64 }), texts, (bytes, several) => {
      const key = createSecretKey(bytes);
      const hmac = new HmacSha256(key);
      for (const text of several) {
        assert.equal(hmac.digest(text, 'hex'), createHmac('sha256', key).update(text).digest('hex'));
        assert.equal(
          hmac.digest(text, 'base64url'),
          createHmac('sha256', key).update(text).digest('base64url'),
        );
      }
    }),
  );
});

test('gives the second test vector of RFC 4231', () => {
  const hmac = new HmacSha256(createSecretKey(Buffer.from('Jefe')));
  assert.equal(
    hmac.digest('what do ya want for nothing?', 'hex'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('refuses a key that would have to be hashed first', () => {
  assert.throws(() => new HmacSha256(createSecretKey(Buffer.alloc(65))), RangeError);
});
