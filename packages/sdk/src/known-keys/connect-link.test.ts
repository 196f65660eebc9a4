import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectLink, readConnectLink } from './connect-link.ts';

const SHA256 = '0123456789abcdef'.repeat(4);

test('a link carries the codes, and behind the # the beginning of the fingerprint', () => {
  const codes = { companyCode: 'ACME', serviceCode: 'SHOP' };
  const link = connectLink('https://symbolon.example/', { ...codes, fingerprint: SHA256.toUpperCase() });
  assert.equal(link, `https://symbolon.example/connect/ACME/SHOP#k=${SHA256.slice(0, 32)}`);
  assert.deepEqual(readConnectLink(` ${link}\n`), { ...codes, keyPrefix: SHA256.slice(0, 32) });
  assert.deepEqual(readConnectLink(link.split('#')[0] ?? ''), codes);
  assert.deepEqual(readConnectLink(`https://x.example/a/connect/A%20B/S/#k=${SHA256}`), {
    companyCode: 'A B',
    serviceCode: 'S',
    keyPrefix: SHA256,
  });
});

test('a link that is damaged is refused, and never read as one without a fingerprint', () => {
  const link = 'https://symbolon.example/connect/ACME/SHOP';
  for (const broken of [
    '',
    'nonsense',
    'https://symbolon.example/connect/ACME',
    'https://symbolon.example/connect/%E0/SHOP',
    `${link}#k=`,
    `${link}#k=${SHA256.slice(0, 31)}`,
    `${link}#k=${SHA256}0`,
    `${link}#k=${'x'.repeat(32)}`,
  ]) {
    assert.throws(() => readConnectLink(broken), { errorKey: 'sdk.link_invalid' }, broken);
  }
  const codes = { companyCode: 'ACME', serviceCode: 'SHOP' };
  assert.throws(() => connectLink('https://x.example', { ...codes, fingerprint: 'ab' }), {
    errorKey: 'sdk.link_invalid',
  });
});
