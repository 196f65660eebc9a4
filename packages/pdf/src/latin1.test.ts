import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, latin1Of } from './latin1.ts';

test('bytes are the same text in browsers, which have no buffers, and come back', async () => {
  const all = Uint8Array.from({ length: 70_001 }, (_, index) => index + 254);
  const inBrowsers = await withoutBuffer(
    (): Promise<typeof import('./latin1.ts')> => import(`${'./latin1.ts'}?browsers`),
  );
  for (const [from, to] of [[0], [1], [2, 5], [69_000, 80_000], [80_000, 90_000]] as const) {
    const text = String.fromCharCode(...all.subarray(from, to));
    assert.equal(latin1Of(all, from, to), text);
    assert.equal(inBrowsers.latin1Of(all, from, to), text);
    assert.deepEqual(bytesOf(text), all.slice(from, to));
  }
});

async function withoutBuffer<T>(act: () => Promise<T>): Promise<T> {
  const kept = Object.getOwnPropertyDescriptor(globalThis, 'Buffer') as PropertyDescriptor;
  Reflect.deleteProperty(globalThis, 'Buffer');
  try {
    return await act();
  } finally {
    Object.defineProperty(globalThis, 'Buffer', kept);
  }
}
