import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DRAWN_APART } from '@symbolon/testkit/pdf/drawn-apart';
import { factsOf } from '@symbolon/testkit/pdf/facts';
import { HOSTILE } from '@symbolon/testkit/pdf/hostile';
import { Desk } from '@symbolon/testkit/pdf/judges';
import { PICTURES_APART } from '@symbolon/testkit/pdf/pictures-apart';
import { createPki } from '@symbolon/testkit/pdf/pki';
import { findTool, without } from '@symbolon/testkit/tools';
import { PdfError } from './errors.ts';
import { readWarnings } from './file/contents.ts';
import { Sealer } from './sealer.ts';
import { createPdfWorker } from './worker.ts';

const desk = new Desk();
const skip = without('pdftotext');
const hasMupdf = findTool('mutool') !== undefined;
const pki = createPki();
const worker = createPdfWorker();
const sealer = new Sealer({ signer: pki.signer, worker });

/** The text of each page, as readers of others find it. */
const READERS: Record<string, (pdf: Uint8Array) => string[]> = {
  poppler: (pdf) =>
    desk.run('pdftotext', '-layout', desk.file('read.pdf', pdf), '-').stdout.split('\f').slice(0, -1),
  ...(hasMupdf && {
    mupdf: (pdf: Uint8Array) =>
      desk
        .run('mutool', 'draw', '-q', '-F', 'txt', desk.file('read.pdf', pdf))
        .stdout.split('\f')
        .slice(0, -1),
  }),
};

async function pagesByPdfjs(pdf: Uint8Array): Promise<string[]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({ data: Uint8Array.from(pdf), verbosity: 0 });
  const document = await task.promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  await task.destroy();
  return pages;
}

const readings = async (pdf: Uint8Array) => ({
  ...Object.fromEntries(Object.entries(READERS).map(([name, read]) => [name, read(pdf)])),
  pdfjs: await pagesByPdfjs(pdf),
});

async function outcomeOf(pdf: Buffer): Promise<string> {
  let sealed: Uint8Array;
  try {
    const { kind, ...rest } = await sealer.seal(pdf, factsOf(pdf));
    sealed = rest.bytes;
  } catch (error) {
    assert.ok(error instanceof PdfError && error.fault === 'file', String(error));
    const before = await worker.inspect(pdf).then(
      () => 'nothing is found',
      (found: unknown) => (found instanceof PdfError ? found.code : String(found)),
    );
    assert.equal(before, error.code, 'the look before sending finds the same');
    if (error.code === 'ambiguous')
      await assert.rejects(readWarnings(pdf), { code: 'ambiguous' }, 'and so does the page that shows it');
    return error.code;
  }
  const [before, after] = [await readings(pdf), await readings(sealed)];
  for (const [name, pages] of Object.entries(before)) {
    const now = after[name as keyof typeof after] ?? [];
    assert.deepEqual(now.slice(0, pages.length), pages, `${name} reads other pages after sealing`);
    assert.equal(now.length, pages.length + 1, `${name} finds one more page`);
    assert.match(now.at(-1) ?? '', /Signatures/, `${name} finds the page of signatures last`);
  }
  return 'sealed';
}

/** Odd, but every reader makes the same of them. All others are refused. */
const ALIKE: ReadonlySet<string> = new Set([
  'a page behind HTML',
  'inherited boxes that hide what is added',
  'an object above the size',
  'objects in streams, not hostile',
  'plain objects, not hostile',
  'a hybrid file that disagrees about nothing that is shown, not hostile',
  'a hybrid file as writers make it, not hostile',
  'an annotation whose window is not there, not hostile',
  'inline images that end themselves, not hostile',
  'colours of every kind, not hostile',
  'a colour of a measured space, not hostile',
  'two inks, not hostile',
  'text that clips, not hostile',
  'a layer in a pattern, all of them shown, not hostile',
  'a glyph in its box, not hostile',
  'a shading by points, not hostile',
  'a font with widths of characters, not hostile',
  'words by LZW, not hostile',
  'a page with one box twice, not hostile',
  'a page with a text of nothing, not hostile',
  'an inline image with a table of colours, not hostile',
  'a link with the border that readers give it, not hostile',
  'links with a border in lines that touch, not hostile',
  'an inline image in digits, not hostile',
  'an inline image by JPEG, not hostile',
  'a mask with a ground, not hostile',
  'an ink by a table of two values, not hostile',
  'a picture by CCITT, not hostile',
  'a picture by JPEG, not hostile',
  'a picture of one bit that is turned, not hostile',
  'a shading that is painted, not hostile',
  'a picture by JPEG in colours, not hostile',
  'a picture by CCITT of group 3, not hostile',
  'a choice of one layer, not hostile',
  'a font with a table of codes, not hostile',
  'a font whose tables are in it, not hostile',
  'a line below text at its place, not hostile',
  'a hidden layer around text, not hostile',
  'a function with ways, moves and whole numbers, not hostile',
  'a function that rounds, compares and has roots, not hostile',
  'a function in its range, not hostile',
  'a font with glyphs by their usual names, not hostile',
  'characters that have glyphs, not hostile',
  'a file that is repaired, not hostile',
  'a font whose tables of codes lead to the same glyphs, not hostile',
  'a font of symbols that has their codes, not hostile',
  'a font whose tables and names agree, not hostile',
  'glyphs of content that are hidden, not hostile',
  'a glyph with lines in the colour of areas, not hostile',
  'a glyph with lines in a colour of its own, not hostile',
  'text of a form that tells how it is set, not hostile',
  'a pattern in a colour of its own, not hostile',
  'text of a pattern in a way of its own, not hostile',
  'dots with round ends, not hostile',
  'dashes of a form that tells them, not hostile',
  'dashes and dots as writers make them, not hostile',
  'points with round ends in one path, not hostile',
  'a point that a curve leaves, not hostile',
  'a point that is a line with round ends, not hostile',
  'a group whose parts hide each other, with none that shines through, not hostile',
  'a group whose parts shine through, not hostile',
  'circles inside of each other that go on, not hostile',
  'circles that touch inside, not hostile',
  'a measured space as cameras have it, not hostile',
]);

for (const [name, make] of Object.entries({ ...HOSTILE, ...DRAWN_APART, ...PICTURES_APART })) {
  const expected = ALIKE.has(name) ? 'the same to every reader before and after' : 'refused';
  test(`${name}: ${expected}`, { skip }, async () => {
    const outcome = await outcomeOf(make());
    assert.equal(outcome === 'sealed', ALIKE.has(name), outcome);
  });
}
