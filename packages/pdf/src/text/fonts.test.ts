import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDF } from '@libpdf/core';
import { createPdfWorker } from '../worker.ts';
import { Fonts } from './fonts.ts';

const ABSENT = '@symbolon/absent';
const NAME = [{ text: 'Ada', weight: 400 }] as const;

test('without the package of fonts, drawing text says what to install', async () => {
  await assert.rejects(new Fonts(() => import(ABSENT)).load(NAME), {
    code: 'fonts_missing',
    fault: 'platform',
    message: /npm install @symbolon\/fonts/,
  });
  // Another failure is not taken for a missing package.
  const broken = new Fonts(() => Promise.reject(new Error('The disk is gone.')));
  await assert.rejects(broken.load(NAME), /The disk is gone/);
});

test('inspecting draws no text', async (t) => {
  const load = t.mock.method(Fonts.prototype, 'load');
  const file = PDF.create();
  file.addPage();
  await createPdfWorker().inspect(await file.save());
  assert.equal(load.mock.callCount(), 0);
});
