import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDF } from '@libpdf/core';
import { jbig2, jpeg2000 } from '@symbolon/testkit/pdf/pictures-apart';
import { checkPacked } from './packed-picture.ts';

const check = (filter: string, data: Uint8Array, components: number | undefined, bits = 8) =>
  checkPacked(
    filter,
    data,
    { width: 8, height: 8, bits, components },
    { pdf: PDF.create(), parameters: undefined, walks: () => true },
  );

test('a picture by JPEG 2000 has the colours that the file says, or those that all readers know by their number', () => {
  check('JPXDecode', jpeg2000(1), 1);
  check('JPXDecode', jpeg2000(3), undefined);
  assert.throws(() => check('JPXDecode', jpeg2000(2), 1), /other colours/);
  assert.throws(() => check('JPXDecode', jpeg2000(4), undefined), /other colours/);
});

test('a picture by JBIG2 ends with its page', () => {
  check('JBIG2Decode', jbig2(48, 38), 1, 1);
  check('JBIG2Decode', jbig2(48, 38, 49, 51), 1, 1);
  assert.throws(() => check('JBIG2Decode', jbig2(48, 49, 38), 1, 1), /behind its end/);
  assert.throws(() => check('JBIG2Decode', jbig2(48, 51, 49), 1, 1), /behind its end/);
});
