import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MISREAD_APART, READ_ALIKE } from '@symbolon/testkit/pdf/misread-apart';
import { PROGRAMS_ALIKE, PROGRAMS_APART } from '@symbolon/testkit/pdf/programs-apart';
import { VALUED_ALIKE, VALUED_APART } from '@symbolon/testkit/pdf/valued-apart';
import { readWarnings } from './file/contents.ts';
import { createPdfWorker } from './worker.ts';

const worker = createPdfWorker();
const outcomeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'taken',
    (error: { code?: string }) => error.code ?? String(error),
  );

for (const [name, make] of Object.entries({ ...MISREAD_APART, ...VALUED_APART, ...PROGRAMS_APART }))
  test(`${name}: refused, by the seal and by the page alike`, async () => {
    const pdf = make();
    const bySeal = await outcomeOf(worker.inspect(pdf));
    assert.ok(bySeal === 'damaged' || bySeal === 'ambiguous', bySeal);
    assert.equal(await outcomeOf(readWarnings(pdf)), bySeal);
  });

for (const [name, make] of Object.entries({ ...READ_ALIKE, ...VALUED_ALIKE, ...PROGRAMS_ALIKE }))
  test(`${name}: taken`, async () => {
    const pdf = make();
    assert.equal(await outcomeOf(worker.inspect(pdf)), 'taken');
    assert.equal(await outcomeOf(readWarnings(pdf)), 'taken');
  });
