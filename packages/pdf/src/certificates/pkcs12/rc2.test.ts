import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptRc2 } from './rc2.ts';

/** RFC 2268 section 5: key, bits, plain, encrypted. */
const EXAMPLES = [
  ['0000000000000000', 63, '0000000000000000', 'ebb773f993278eff'],
  ['ffffffffffffffff', 64, 'ffffffffffffffff', '278b27e42e2f0d49'],
  ['3000000000000000', 64, '1000000000000001', '30649edf9be7d2c2'],
  ['88', 64, '0000000000000000', '61a8a244adacccf0'],
  ['88bca90e90875a', 64, '0000000000000000', '6ccf4308974c267f'],
  ['88bca90e90875a7f0f79c384627bafb2', 64, '0000000000000000', '1a807d272bbe5db1'],
  ['88bca90e90875a7f0f79c384627bafb2', 128, '0000000000000000', '2269552ab0f85ca6'],
] as const;

test('RC2 decrypts the examples of its standard', () => {
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  for (const [key, bits, plain, encrypted] of EXAMPLES) {
    assert.equal(decryptRc2(bytes(encrypted), bytes(key), Buffer.alloc(8), bits).toString('hex'), plain);
    // A second block is combined with the first one as it came.
    const both = decryptRc2(bytes(encrypted.repeat(2)), bytes(key), Buffer.alloc(8), bits);
    const [first, last] = [both.readBigUInt64BE(), both.readBigUInt64BE(8)];
    assert.equal(first ^ last, BigInt(`0x${encrypted}`));
  }
});
