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

/** Other reasons are no matter of what people see. */
const SEEN_BY_PAGES: ReadonlySet<string> = new Set(['ambiguous', 'damaged', 'layers', 'xfa']);
/** By the second reader, which sees other content in the file than in its copy; on that page, where it is drawn. */
const SEEN_IN_DRAWINGS: ReadonlySet<string> = new Set([
  'an entry that leads to another object',
  'content of another generation',
]);

async function outcomeOf(name: string, pdf: Buffer): Promise<string> {
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
    if (SEEN_BY_PAGES.has(error.code) && !SEEN_IN_DRAWINGS.has(name))
      await assert.rejects(readWarnings(pdf), { code: error.code }, 'and so does the page that shows it');
    return error.code;
  }
  await readWarnings(pdf);
  const [before, after] = [await readings(pdf), await readings(sealed)];
  for (const [reader, pages] of Object.entries(before)) {
    const now = after[reader as keyof typeof after] ?? [];
    assert.deepEqual(now.slice(0, pages.length), pages, `${reader} reads other pages after sealing`);
    assert.equal(now.length, pages.length + 1, `${reader} finds one more page`);
    assert.match(now.at(-1) ?? '', /Signatures/, `${reader} finds the page of signatures last`);
  }
  return 'sealed';
}

/** Odd, but every reader makes the same of them, as of those whose name says so. All others are refused. */
const ODD: ReadonlySet<string> = new Set([
  'a page behind HTML',
  'inherited boxes that hide what is added',
  'an object above the size',
]);

for (const [name, make] of Object.entries({ ...HOSTILE, ...DRAWN_APART, ...PICTURES_APART })) {
  const isAlike = ODD.has(name) || name.endsWith(', not hostile');
  const expected = isAlike ? 'the same to every reader before and after' : 'refused';
  test(`${name}: ${expected}`, { skip }, async () => {
    const outcome = await outcomeOf(name, make());
    assert.equal(outcome === 'sealed', isAlike, outcome);
  });
}
