import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { base64Length, decodeBase64, decodeInScript, encodeBase64, encodeInScript } from './base64.ts';

const bytes = fc.uint8Array({ maxLength: 200 });

test('base64 is encoded and decoded as in Node', () => {
  fc.assert(
    fc.property(bytes, (value) => {
      const text = Buffer.from(value).toString('base64');
      assert.equal(encodeBase64(value), text);
      assert.equal(encodeInScript(value), text);
      assert.deepEqual(decodeBase64(text), value);
      assert.deepEqual(decodeInScript(text), value);
      assert.equal(base64Length(text), value.length);
    }),
  );
});

test('base64 accepts exactly one text for each sequence of bytes', () => {
  const nearlyBase64 = fc.string({ unit: fc.constantFrom(...'ABQgw019+/=-_ \n'), maxLength: 12 });
  fc.assert(
    fc.property(nearlyBase64, (text) => {
      const canonical = Buffer.from(text, 'base64').toString('base64') === text;
      assert.equal(decodeInScript(text) !== undefined, canonical);
      assert.equal(base64Length(text) !== undefined, canonical);
    }),
    { numRuns: 3000 },
  );
});

for (const text of [
  'QQ',
  'QQ=',
  'QR==',
  'QUJ=',
  'Q===',
  '====',
  'QQ==QQ==',
  'QQ==\n',
  'Q Q=',
  '-_-_',
  'QUI\u{1f511}',
]) {
  test(`the base64 decoder refuses ${JSON.stringify(text)}`, () => {
    assert.throws(() => decodeBase64(text), { code: 'base64_invalid' });
  });
}

const native = 'fromBase64' in Uint8Array;
test('base64 is as strict with the native functions of newer runtimes', {
  skip: native && 'all tests ran over it',
}, () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ['--js-base-64', fileURLToPath(import.meta.url)];
  const { status, stdout } = spawnSync(process.execPath, args, { env });
  assert.equal(status, 0, stdout.toString());
});
