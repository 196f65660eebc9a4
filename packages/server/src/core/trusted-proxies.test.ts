import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerAddress, readTrustedProxies, type TrustedProxies } from './trusted-proxies.ts';

const trusting = (text: string) => readTrustedProxies(text)?.proxies as TrustedProxies;

for (const [text, socket, header, address] of [
  // What the caller wrote stands to the left.
  ['true', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['1', '127.0.0.1', '10.9.8.7, 203.0.113.9', '203.0.113.9'],
  ['1', '127.0.0.1', '203.0.113.9,', '127.0.0.1'],
  ['1', '127.0.0.1', '<script>alert(1)</script>', '127.0.0.1'],
  ['1', '127.0.0.1', '1.1.1.1, unknown', '127.0.0.1'],
  ['1', '127.0.0.1', '', '127.0.0.1'],
  ['1', '127.0.0.1', 'fe80::1%eth0', '127.0.0.1'],
  ['1', '::1', '2001:db8::5', '2001:db8::5'],
  ['2', '127.0.0.1', '1.1.1.1, 203.0.113.9, 198.51.100.2', '203.0.113.9'],
  ['2', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['3', '127.0.0.1', '1.1.1.1, x, 203.0.113.9', '1.1.1.1'],
  ['10.0.0.0/8, 2001:db8::/32', '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.3.3.3, 2001:db8::7', '203.0.113.9'],
  ['10.0.0.0/8', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
  ['10.0.0.0/8', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['10.0.0.0/8', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['10.0.0.0/8', '10.0.0.1', 'forged, 10.0.0.2', '10.0.0.1'],
  ['10.0.0.1', '10.0.0.2', '203.0.113.9', '10.0.0.2'],
] as const) {
  test(`with ${text}, ${socket} that sends "${header}" is ${address}`, () => {
    assert.equal(callerAddress(socket, header, trusting(text)), address);
  });
}

test('a header of many entries costs no more than its length', () => {
  const header = Array.from({ length: 2_000 }, () => '10.0.0.1').join(',');
  assert.equal(callerAddress('10.0.0.2', header, trusting('10.0.0.0/8')), '10.0.0.1');
});

test('false and 0 trust no proxy; any other text is undefined', () => {
  for (const text of ['false', '0']) assert.deepEqual(readTrustedProxies(text), { proxies: undefined });
  for (const text of [
    '',
    'yes',
    '-1',
    '1.5',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    'a.example',
    '10.0.0.0/',
    '1,2',
  ])
    assert.equal(readTrustedProxies(text), undefined, text);
});
