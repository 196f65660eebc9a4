import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, latin1Of } from './latin1.ts';

test('bytes are the same text in browsers, which have no buffers, and come back', async () => {
  const all = Uint8Array.from({ length: 70_001 }, (_, index) => index + 254);
  const { Buffer } = globalThis;
  Reflect.deleteProperty(globalThis, 'Buffer');
  const inBrowsers = (await import(`${'./latin1.ts'}?browsers`)) as typeof import('./latin1.ts');
  globalThis.Buffer = Buffer;
  for (const [from, to] of [[0], [1], [2, 5], [69_000, 80_000], [80_000, 90_000]] as const) {
    const text = String.fromCharCode(...all.subarray(from, to));
    assert.equal(latin1Of(all, from, to), text);
    assert.equal(inBrowsers.latin1Of(all, from, to), text);
    assert.deepEqual(bytesOf(text), all.slice(from, to));
  }
});
