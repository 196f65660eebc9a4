import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DRAWN_APART } from '@symbolon/testkit/pdf/drawn-apart';
import { objectsOf, plainPdf, stream, writeTable } from '@symbolon/testkit/pdf/samples';
import { PdfRunner } from '../runner/pdf-runner.ts';
import { createPdfWorker } from '../worker.ts';
import { type Drawing, isDrawnApart } from './compare.ts';
import { compareDrawings } from './index.ts';

const worker = createPdfWorker();

/** One page whose content draws this, with more entries, resources and objects. */
function page(content: string, entries = '', resources = '', more: [number, string | Buffer][] = []): Buffer {
  const box = entries.includes('/MediaBox') ? '' : '/MediaBox[0 0 595 842]';
  const dict = `<</Type/Page/Parent 2 0 R${box}/Resources<</Font<</F1 3 0 R>>${resources}>>/Contents 11 0 R${entries}>>`;
  const all = objectsOf({ catalog: entries.includes('/Annots') ? '/AcroForm<</Fields[20 0 R]>>' : '' });
  for (const [number, body] of [[10, dict], [11, stream(Buffer.from(content))], ...more] as const)
    all.set(number, body);
  return writeTable(all);
}

const line = (words: string, y: number) => `BT /F1 10 Tf 60 ${y} Td (${words}) Tj ET `;
const LETTER = Array.from({ length: 30 }, (_, index) =>
  line('The tenant pays the rent in advance.', 700 - index * 12),
).join('');
const image = '/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray';

const ORDINARY: Record<string, () => Buffer> = {
  'a letter of many lines in a font that is not embedded': () => page(LETTER),
  'a page of odd shape, turned by a quarter': () => page(LETTER, '/MediaBox[0 0 595.5 841.7]/Rotate 90'),
  'a page of which a part is shown': () => page(LETTER, '/CropBox[40 300 500 800]'),
  'units that are larger than points': () => page(LETTER, '/UserUnit 2'),
  'a transparent picture': () =>
    page(`${LETTER} q 300 0 0 200 60 420 cm /X Do Q`, '', '/XObject<</X 20 0 R>>', [
      [20, stream(Buffer.from([0, 80, 160, 240]), `${image}/SMask 21 0 R`)],
      [21, stream(Buffer.from([40, 90, 160, 60]), image)],
    ]),
  'white text on a dark ground, and thin lines': () =>
    page(`0.1 g 50 300 450 420 re f 1 g ${LETTER} 0 w 60 200 m 500 200 l S 60 150 400 0.2 re f`),
  'a field with an appearance': () =>
    page(LETTER, '/Annots[20 0 R]', '', [
      [20, '<</Type/Annot/Subtype/Widget/FT/Tx/F 4/T(a)/V(Ada)/Rect[60 200 260 240]/AP<</N 21 0 R>>>>'],
      [
        21,
        stream(
          Buffer.from('BT /F1 18 Tf 4 10 Td (Ada) Tj ET'),
          '/Type/XObject/Subtype/Form/BBox[0 0 200 40]/Resources<</Font<</F1 3 0 R>>>>',
        ),
      ],
    ]),
  'a button of LibreOffice, whose empty text is moved by three numbers': () =>
    page(`${LETTER} q BT 0.3 g 11.05 0 0 Td ET Q 60 200 m 80 200 l 70 220 l f*`),
  'a link with a border': () =>
    page(LETTER, '/Annots[20 0 R]', '', [
      [
        20,
        '<</Type/Annot/Subtype/Link/F 4/Rect[60 200 260 240]/Border[0 0 3]/A<</S/URI/URI(https://example.com)>>>>',
      ],
    ]),
};

for (const [name, make] of Object.entries(ORDINARY)) {
  test(`${name}: two readers draw the same`, async () => {
    assert.equal((await worker.inspect(make())).drawn, 1);
  });
}

/** What a drawing alone tells, without the checks of the file and of its content. */
const SEEN = [
  'a box outside of the page',
  'a field that readers draw again',
  'a number that goes on',
  'a stream of objects that holds one twice',
  'a text without an appearance',
  'an ink that is none',
  'an inline image whose data look like its end',
  'an inline image with less data than it says',
  'content whose part ends in a comment',
  'operands that are missing',
];
for (const name of SEEN) {
  test(`${name}: seen in the drawing`, async () => {
    const pdf = DRAWN_APART[name]?.() ?? assert.fail('no such file');
    await assert.rejects(compareDrawings(pdf), { code: 'ambiguous' });
  });
}

/** Words as seven bars a letter, which are the areas of thin rectangles. */
function barred(words: readonly string[], y: number, thickness: number): string {
  const [width, height] = [6, 12];
  return words
    .map((bars, place) => {
      const left = 60 + place * 10;
      const at: Record<string, string> = {
        a: `${left} ${y + height} ${width} ${thickness}`,
        b: `${left + width} ${y + height / 2} ${thickness} ${height / 2}`,
        c: `${left + width} ${y} ${thickness} ${height / 2}`,
        d: `${left} ${y} ${width} ${thickness}`,
        e: `${left} ${y} ${thickness} ${height / 2}`,
        f: `${left} ${y + height / 2} ${thickness} ${height / 2}`,
        g: `${left} ${y + height / 2} ${width} ${thickness}`,
      };
      return [...bars].map((bar) => `${at[bar]} re f `).join('');
    })
    .join('');
}

/** "PAY 9000 EACH": some readers make a line as wide as a dot of each, others a shade of grey. */
const PAY = ['abefg', 'abcefg', 'bcdfg', '', 'abcdfg', 'abcdef', 'abcdef', 'abcdef', '', 'adefg', 'abcefg'];

for (const thickness of [0, 0.001, 0.01, 0.03]) {
  test(`words by areas of ${thickness} points are seen in the drawing`, async () => {
    const pdf = page(LETTER + barred(PAY, 200, thickness));
    await assert.rejects(worker.inspect(pdf), { code: 'ambiguous' });
  });
}

test('a table whose rules are areas of a quarter of a point is drawn alike', async () => {
  const rows = Array.from({ length: 20 }, (_, row) => `60 ${80 + row * 12} 400 0.25 re f `);
  const columns = Array.from({ length: 5 }, (_, column) => `${60 + column * 100} 80 0.25 228 re f `);
  assert.equal((await worker.inspect(page(LETTER + rows.join('') + columns.join('')))).drawn, 1);
});

/** Lines of letters, each a few pixels, as text in small print is drawn; one line may be missing. */
function lines(without?: number, shift = 0): Drawing {
  const [width, height] = [424, 600];
  const grey = new Uint8Array(width * height).fill(255);
  for (let row = 0; row < 40; row++) {
    if (row === without) continue;
    for (let letter = 0; letter < 60; letter++)
      for (let y = 0; y < 5; y++)
        for (let x = 0; x < 3; x++)
          grey[(40 + row * 9 + y) * width + 40 + shift + letter * 5 + x] = 60 + y * 9;
  }
  return { width, height, grey };
}

test('a line between others that one reader leaves out is a difference, in both directions', () => {
  assert.equal(isDrawnApart(lines(), lines(20)), true);
  assert.equal(isDrawnApart(lines(20), lines()), true);
});

test('a block whose edges stand between the cells of the comparison is a difference', () => {
  const white = { width: 400, height: 400, grey: new Uint8Array(400 * 400).fill(255) };
  const grey = white.grey.map((value, index) => {
    const [x, y] = [index % 400, Math.floor(index / 400)];
    return x >= 40 && x < 200 && y >= 40 && y < 80 ? 0 : value;
  });
  assert.equal(isDrawnApart({ ...white, grey }, white), true);
  assert.equal(isDrawnApart(white, { ...white, grey }), true);
});

test('what is shifted a little, or passed over, is none', () => {
  assert.equal(isDrawnApart(lines(), lines(undefined, 2)), false);
  assert.equal(
    isDrawnApart(lines(), lines(20), { passedOver: [{ x: 30, y: 210, width: 320, height: 20 }] }),
    false,
  );
  assert.equal(
    isDrawnApart(lines(20), lines(), { passedOver: [{ x: 30, y: 210, width: 320, height: 20 }] }),
    true,
  );
});

test('pages are drawn in a child process, which may load the canvas', async () => {
  await using runner = new PdfRunner({ deadline: 60_000 });
  const { pages, drawn } = await runner.inspect(plainPdf({ pages: 3 }));
  assert.deepEqual([pages, drawn], [3, 3]);
});
