import assert from 'node:assert/strict';
import { createECDH, createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { encryptPush } from './encrypt.ts';
import { newVapidKeys, vapidHeader } from './vapid-token.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('a message is encrypted as RFC 8291 shows it (section 5)', () => {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const message = 'When I grow up, I want to be a watermelon';
  assert.equal(
    encryptPush(keys, message, { pair, salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') }).toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  assert.notDeepEqual(encryptPush(keys, message), encryptPush(keys, message));
});

test('the token is signed by the key that it names, for this push service alone (RFC 8292)', () => {
  const keys = newVapidKeys();
  assert.deepEqual([bytes(keys.publicKey).length, bytes(keys.privateKey).length], [65, 32]);
  const header = vapidHeader('https://push.example.net:444/p/1?x=1', 'mailto:a@example.com', keys, 1_500_500);
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
  assert.equal(key, keys.publicKey);
  const [head = '', claims = '', signature = ''] = token.split('.');
  assert.deepEqual(JSON.parse(bytes(head).toString()), { typ: 'JWT', alg: 'ES256' });
  assert.deepEqual(JSON.parse(bytes(claims).toString()), {
    aud: 'https://push.example.net:444',
    exp: 1_500 + 12 * 3600,
    sub: 'mailto:a@example.com',
  });
  const point = bytes(keys.publicKey);
  const x = point.toString('base64url', 1, 33);
  const y = point.toString('base64url', 33);
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  assert.ok(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes(signature)));
});
