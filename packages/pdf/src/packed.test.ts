import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { inRows, PACKED_ALIKE, PACKED_APART, STRUCTURED_APART } from '@symbolon/testkit/pdf/packed-apart';
import { readWarnings } from './file/contents.ts';
import { createPdfWorker } from './worker.ts';

const worker = createPdfWorker();

for (const [name, make] of Object.entries(PACKED_APART))
  test(`${name}: ambiguous, to the seal and to who reads it`, async () => {
    const pdf = make();
    await assert.rejects(worker.inspect(pdf), { code: 'ambiguous' });
    await assert.rejects(readWarnings(pdf), { code: 'ambiguous' });
  });

for (const [name, make] of Object.entries(PACKED_ALIKE))
  test(`${name}, as all readers take it: taken`, async () => {
    const pdf = make();
    assert.deepEqual((await worker.inspect(pdf)).warnings, []);
    assert.deepEqual(await readWarnings(pdf), []);
  });

for (const [name, make] of Object.entries(STRUCTURED_APART))
  test(`${name}: damaged, to the seal and to who reads it`, async () => {
    const pdf = make();
    await assert.rejects(worker.inspect(pdf), { code: 'damaged' });
    await assert.rejects(readWarnings(pdf), { code: 'damaged' });
  });

test('objects in rows as writers make them are read', async () => {
  assert.deepEqual((await worker.inspect(inRows())).warnings, []);
  assert.deepEqual(await readWarnings(inRows()), []);
});

test('more rows of cross-references than any file has objects are refused before they are kept', async () => {
  const pdf = inRows();
  const head = `9999 0 obj\n<</Type/XRef/W[1 1 0]/Index[0 8000000]/Size 8000000/Root 1 0 R`;
  const rows = deflateSync(Buffer.alloc(16_000_000));
  const section = Buffer.concat([
    Buffer.from(`${head}/Filter/FlateDecode/Length ${rows.length}>>\nstream\n`),
    rows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${pdf.length}\n%%EOF\n`),
  ]);
  await assert.rejects(readWarnings(Buffer.concat([pdf, section])), { code: 'damaged' });
});
