import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareInReaders } from './readers.ts';

const white = { width: 8, height: 8, grey: new Uint8Array(64).fill(255) };
const black = { ...white, grey: new Uint8Array(64) };
const striped = { ...white, grey: Uint8Array.from({ length: 64 }, (_, index) => (index % 2) * 255) };

/** Two readers of three pages. */
const readers = (draw: (page: number) => typeof white) => ({
  pdfium: { open: () => ({ pages: 3, draw, [Symbol.dispose]: () => undefined }) },
  openInPdfjs: async () => ({
    ...{ pages: 3, draw: async () => white, textWithoutFont: async () => [] },
    [Symbol.asyncDispose]: async () => undefined,
  }),
});

test('of a file that took all of its time to open a page is compared, and says how many', async () => {
  const bounds = { isOver: () => true };
  const alike = await compareInReaders(
    readers(() => white),
    new Uint8Array(),
    bounds,
  );
  assert.deepEqual(alike, { compared: 1, pages: 3 });
  const told: number[] = [];
  const whole = { isOver: () => false, report: ({ compared }: { compared: number }) => told.push(compared) };
  assert.deepEqual(
    await compareInReaders(
      readers(() => black),
      new Uint8Array(),
      whole,
    ),
    {
      ...{ compared: 3, pages: 3 },
    },
  );
  assert.deepEqual(told, [0, 1, 2, 3]);
  const other = { ...striped, width: 4, height: 16 };
  await assert.rejects(
    compareInReaders(
      readers(() => other),
      new Uint8Array(),
      bounds,
    ),
    { code: 'ambiguous' },
  );
});

test('a reader without memory says nothing about the file, one that ends by another error does', async () => {
  const failing = (message: string) =>
    compareInReaders(
      readers(() => {
        throw new RangeError(message);
      }),
      new Uint8Array(),
      { isOver: () => false },
    );
  await assert.rejects(failing('Array buffer allocation failed'), { code: 'memory' });
  await assert.rejects(failing('Maximum call stack size exceeded'), { code: 'ambiguous' });
});
