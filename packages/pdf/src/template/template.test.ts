import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { factsOf } from '@symbolon/testkit/pdf/facts';
import { Desk } from '@symbolon/testkit/pdf/judges';
import { createPki } from '@symbolon/testkit/pdf/pki';
import { objectsOf, plainPdf, stream, writeStreams, writeTable } from '@symbolon/testkit/pdf/samples';
import { without } from '@symbolon/testkit/tools';
import { PdfError } from '../errors.ts';
import { PdfRunner } from '../runner/pdf-runner.ts';
import { Sealer } from '../sealer.ts';
import { verifyPdf } from '../verify/index.ts';
import { createPdfWorker } from '../worker.ts';
import type { TemplateAnalysis } from './analysis.ts';

const desk = new Desk();
const skip = without('pdftotext', 'pdftoppm', 'qpdf');
const worker = createPdfWorker();

const line = (y: number, show: string, font = '/F1 12 Tf') => `BT ${font} 50 ${y} Td ${show} ET`;

/** Each way in which programs write text, with a tag of its own. */
const LINES = [
  line(780, '(Dear {{one}}, welcome) Tj'),
  line(760, '(Split {) Tj ({tw) Tj (o}} here) Tj'),
  line(740, '[(Kerned {) -30 ({thr) 20 (ee}) 15 (} end)] TJ'),
  line(720, '<7b 7b 66 6f 75 72 7d7d> Tj'),
  line(700, '14 TL (first) Tj (second {{five}}) \' 2 1 (third {{ six }} spaced) " 0 Tw 0 Tc'),
  line(640, `/F1 12 Tf ${[...'{{seven}}'].map((letter) => `(${letter}) Tj 9 0 Td`).join(' ')}`),
  'BT /F1 12 Tf 0.866 0.5 -0.5 0.866 60 500 Tm (turned {{eight}} too) Tj ET',
  line(480, '(from {{nine}} to {{ten}} on one line) Tj'),
  line(460, '(before {{eleven}}) Tj 0 -20 Td (broken {{twel) Tj 0 -14 Td (ve}} here) Tj'),
  line(400, '80 Tz (narrow {{thirteen}}) Tj 100 Tz 3 Ts (lifted {{fourteen}}) Tj 0 Ts'),
  'q 1 0 0 1 0 20 cm /X1 Do Q',
  `${line(340, '(cell {{a.b}}) Tj')} 48 334 140 18 re S ${line(340, '150 0 Td (beside) Tj')}`,
  `${line(320, '({{one}} and ) Tj', '/F1 12 Tf')} ${line(300, '(Bold {{two}} text) Tj', '/F2 12 Tf')}`,
  `/Span<</ActualText(read {{one}})>>BDC ${line(280, '(read {{one}}) Tj')} EMC`,
];
const KEYS = [
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  ...['thirteen', 'fourteen', 'fifteen', 'a.b'],
];

function sample(lines = LINES, page = ''): Buffer {
  const objects = objectsOf();
  const resources = '/Resources<</Font<</F1 3 0 R/F2 4 0 R>>/XObject<</X1 5 0 R>>>>';
  objects.set(4, '<</Type/Font/Subtype/Type1/BaseFont/Times-Bold/Encoding/WinAnsiEncoding>>');
  objects.set(
    5,
    stream(
      Buffer.from(line(350, '(form {{fifteen}} too) Tj')),
      '/Type/XObject/Subtype/Form/BBox[0 0 600 900]',
    ),
  );
  objects.set(10, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${resources}/Contents 11 0 R${page}>>`);
  objects.set(11, stream(Buffer.from(lines.join('\n'))));
  return writeTable(objects);
}

const chromium = readFileSync(new URL('../../../testkit/src/pdf/files/chromium.pdf', import.meta.url));
const cairo = readFileSync(new URL('../../../testkit/src/pdf/files/cairo.pdf', import.meta.url));

const textOf = (pdf: Uint8Array) => desk.must('pdftotext', '-layout', desk.file('filled.pdf', pdf), '-');
const valuesOf = ({ tags }: TemplateAnalysis, value: (key: string) => string) =>
  Object.fromEntries(tags.map(({ key }) => [key, value(key)]));

async function filledWith(pdf: Uint8Array, value: (key: string) => string) {
  const analysis = await worker.analyseTemplate(pdf);
  const values = valuesOf(analysis, value);
  return worker.fillTemplate(pdf, { values, plan: structuredClone(analysis.plan) });
}

test('tags are found however the file writes them', async () => {
  for (const pdf of [sample(), sample(LINES, '/Rotate 90')]) {
    const { tags, problems, pages } = await worker.analyseTemplate(pdf);
    assert.deepEqual([...new Set(tags.map(({ key }) => key))].sort(), [...KEYS].sort());
    assert.deepEqual(problems, []);
    assert.equal(pages, 1);
    for (const tag of tags) {
      assert.ok(tag.page === 1 && tag.width > 5 && tag.free_width >= tag.width - 0.01, JSON.stringify(tag));
    }
  }
  const found = async (pdf: Uint8Array) => (await worker.analyseTemplate(pdf)).tags.map(({ key }) => key);
  const places = ['client_name', 'company.name', 'client_city', 'client_name', 'amount', 'rotated'];
  assert.deepEqual(await found(chromium), places);
  assert.deepEqual(await found(cairo), ['client_name', 'rotated']);
});

test('values stand where tags stood, and no tag is left', { skip }, async () => {
  for (const pdf of [sample(), chromium, cairo]) {
    const { bytes, over } = await filledWith(pdf, (key) => `v ${key.slice(0, 4)}`);
    assert.deepEqual(over, []);
    assert.deepEqual(desk.qpdf(bytes), []);
    const text = textOf(bytes);
    assert.doesNotMatch(text, /[{}]/);
    if (pdf === chromium) assert.match(text, /Between v clie and/);
    if (pdf === cairo) assert.match(text, /Dear v clie, welcome\./);
  }
  const { bytes } = await filledWith(sample(), (key) => `v ${key.slice(0, 4)}`);
  const text = textOf(bytes).replaceAll(/ +/g, ' ');
  for (const expected of [
    'Dear v one, welcome',
    'Split v two here',
    'Kerned v thre end',
    'v four',
    'second v five',
    'third v six spaced',
    'v seve',
    'from v nine to v ten on one line',
    'before v elev',
    'broken v twel',
    'here',
    'narrow v thir',
    'lifted v four',
    'form v fift too',
    'cell v a.b',
    'Bold v two text',
    'read v one',
  ]) {
    assert.ok(text.includes(expected), `${expected}\n${text}`);
  }
});

test('a tag that is replaced by its own text changes no pixel', { skip }, async () => {
  const plain = LINES.filter((each) => !KERNED.some((kerned) => each.includes(kerned)));
  for (const [name, pdf] of Object.entries({ plain: sample(plain), cairo })) {
    const { bytes } = await filledWith(pdf, (key) => `{{${key}}}`);
    const differing = difference(picture(pdf, 'before'), picture(bytes, 'after'));
    assert.equal(differing, 0, `${name}: ${differing} pixels`);
  }
});
/** Tags that do not stand in the widths of their font, have blanks or go over two lines. */
const KERNED = ['Kerned', '(s) Tj', 'twel', ' six '];

/** The first page at 100 dpi. */
function picture(pdf: Uint8Array, name: string): Buffer {
  desk.must('pdftoppm', '-r', '100', '-gray', '-f', '1', '-l', '1', desk.file(`${name}.pdf`, pdf), name);
  return desk.read(`${name}-1.pgm`);
}

function difference(one: Buffer, other: Buffer): number {
  assert.equal(one.length, other.length);
  return one.reduce((sum, byte, at) => sum + (byte === other[at] ? 0 : 1), 0);
}

interface Word {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function wordsOf(pdf: Uint8Array): Word[] {
  const boxes = desk.must('pdftotext', '-bbox', desk.file('boxes.pdf', pdf), '-');
  const found = boxes.matchAll(
    /<word xMin="([-\d.]+)" yMin="[-\d.]+" xMax="([-\d.]+)" yMax="[-\d.]+">([^<]*)/g,
  );
  return [...found].map(([, from, to, text = '']) => ({ from: Number(from), to: Number(to), text }));
}

test('a value that is too long is condensed, then made smaller, then reported', { skip }, async () => {
  const { tags, plan } = await worker.analyseTemplate(sample());
  const cell = tags.find(({ key }) => key === 'a.b');
  const own = tags.find(({ key }) => key === 'nine');
  assert.ok(cell && own);
  assert.ok(cell.free_width < 120, `the box ends at 188: ${cell.free_width}`);
  assert.ok(own.free_width > 200, `the line has room: ${own.free_width}`);
  const fill = (value: string) =>
    worker.fillTemplate(sample(), { values: { 'a.b': value, nine: 'Ada' }, plan });
  const widths: number[] = [];
  for (const [length, reported] of [
    [9, []],
    [12, []],
    [17, []],
    [90, [{ key: 'a.b', page: 1 }]],
  ] as const) {
    const { bytes, over } = await fill('m'.repeat(length));
    assert.deepEqual(over, reported, `${length} letters`);
    const words = wordsOf(bytes);
    const value = words.find(({ text }) => text.startsWith('mmm'));
    const beside = words.find(({ text }) => text === 'beside');
    assert.ok(value && beside);
    assert.ok(value.to < 188 && Math.abs(beside.from - 200) < 0.5, `${length}: ${value.to} ${beside.from}`);
    widths.push(value.to - value.from);
    // A tag without a value is blank, and what stands behind one moves.
    const text = textOf(bytes).replaceAll(/ +/g, ' ');
    assert.match(text, /from Ada to on one line/);
  }
  assert.ok(widths[1]! > widths[0]!);
});

test('values of other scripts read as they are', { skip }, async () => {
  const names = ['Łukasz Żółć', 'Дмитрий', 'नरेन्द्र मोदी', '王小明', 'Nguyễn Thị'];
  const { bytes } = await worker.fillTemplate(sample(), {
    values: Object.fromEntries(names.map((name, index) => [KEYS[index]!, name])),
  });
  const text = textOf(bytes).normalize('NFC');
  for (const name of names) assert.ok(text.includes(name.normalize('NFC')), `${name}\n${text}`);
  assert.deepEqual(desk.qpdf(bytes), []);
});

test('a value is never read again, and a page mark in it stays text', { skip }, async () => {
  const { bytes } = await worker.fillTemplate(sample(), {
    values: { one: '{{two}}', two: '(x) Tj ET\u0000 <</A', __proto__: 'no', four: 'line\nbreak\u202e' },
  });
  const text = textOf(bytes);
  assert.match(text, /Dear \{\{two\}\}, welcome/);
  assert.match(text, /Split \(x\) Tj ET <<\/A here/);
  assert.match(text, /line break/);
  assert.deepEqual(desk.qpdf(bytes), []);
});

const FIELDS = [
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(client_name)/Rect[50 600 250 620]/DA(/Helv 12 Tf 0 0 1 rg)/F 4/MK<</BC[0]/BG[0.9]>>/P 10 0 R>>',
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(notes)/Ff 4096/Rect[50 500 250 580]/DA(/Helv 0 Tf 0 g)/F 4/P 10 0 R>>',
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(code)/Ff 16777216/MaxLen 6/Rect[50 460 170 480]/F 4/P 10 0 R>>',
  '<</Type/Annot/Subtype/Widget/FT/Btn/T(agreed)/Rect[50 430 62 442]/AS/Off/AP<</N<</Yes 40 0 R/Off 41 0 R>>>>/F 4/P 10 0 R>>',
  '<</Type/Annot/Subtype/Widget/FT/Ch/Ff 131072/T(size)/Opt[(small)(large)]/Rect[50 400 150 416]/DA(/Helv 10 Tf 0 g)/F 4/P 10 0 R>>',
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(tagged)/V(By {{client_name}})/Rect[50 370 250 386]/DA(/Helv 10 Tf 0 g)/F 4/P 10 0 R>>',
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(tiny)/Rect[50 340 60 352]/DA(/Helv 12 Tf 0 g)/F 4/P 10 0 R>>',
];

function formPdf(): Buffer {
  const refs = FIELDS.map((_, index) => `${20 + index} 0 R`).join(' ');
  const objects = objectsOf({ catalog: `/AcroForm<</Fields[${refs}]/NeedAppearances true>>` });
  for (const [index, field] of FIELDS.entries()) objects.set(20 + index, field);
  const box = '/Type/XObject/Subtype/Form/BBox[0 0 12 12]';
  objects.set(40, stream(Buffer.from('0 g 2 2 8 8 re f'), box));
  objects.set(41, stream(Buffer.from('0 G 1 1 10 10 re S'), box));
  objects.set(10, String(objects.get(10)).replace('/Contents', `/Annots[${refs}]/Contents`));
  return writeTable(objects);
}

test('form fields are filled with appearances of their own', { skip }, async () => {
  const { fields, tags } = await worker.analyseTemplate(formPdf());
  assert.deepEqual(tags, []);
  assert.deepEqual(
    fields.map(({ name, type, page, options }) => [name, type, page, options]),
    [
      ['client_name', 'text', 1, undefined],
      ['notes', 'text', 1, undefined],
      ['code', 'text', 1, undefined],
      ['agreed', 'checkbox', 1, ['Yes']],
      ['size', 'choice', 1, ['small', 'large']],
      ['tagged', 'text', 1, undefined],
      ['tiny', 'text', 1, undefined],
    ],
  );
  const { bytes, over } = await worker.fillTemplate(formPdf(), {
    values: {
      client_name: 'Łukasz Żółć 王小明',
      notes: 'first line\nsecond line that is so long that it does not fit on one line of the field',
      code: '12345',
      agreed: 'true',
      size: 'large',
      tiny: 'far too long for so small a field',
    },
  });
  assert.deepEqual(over, [{ key: 'tiny', page: 1 }]);
  assert.deepEqual(desk.qpdf(bytes), []);
  const text = textOf(bytes).normalize('NFC');
  for (const part of ['Łukasz Żółć 王小明', 'first line', 'second line that', 'large', 'By Łukasz Żółć']) {
    assert.ok(text.includes(part.normalize('NFC')), `${part}\n${text}`);
  }
  assert.match(text.replaceAll(/\s/g, ''), /12345/);
  const raw = Buffer.from(bytes).toString('latin1');
  assert.match(raw, /\/AS \/Yes/);
  assert.match(raw, /\/NeedAppearances false/);
});

test('images stand in place of their tags', { skip }, async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
    'base64',
  );
  const pdf = sample([line(700, '(Photo {{photo}}) Tj'), line(600, '(below {{one}}) Tj')]);
  // A value whose font comes new, so that the resources change twice.
  const { bytes } = await worker.fillTemplate(pdf, { values: { one: '王' }, images: { photo: png } });
  await worker.inspect(bytes);
  assert.deepEqual(desk.qpdf(bytes), []);
  const dark = picture(bytes, 'image').filter((byte) => byte < 40).length;
  assert.ok(dark > 10_000, `${dark} dark pixels`);
  assert.match(textOf(bytes), /Photo/);
  const blank = await worker.fillTemplate(pdf, { values: {} });
  assert.doesNotMatch(textOf(blank.bytes), /photo\}/);
  const broken = worker.fillTemplate(pdf, { values: {}, images: { photo: Buffer.from('no image') } });
  await assert.rejects(broken, { code: 'image_unreadable' });
});

test('a plan of another file counts for nothing', async () => {
  const { plan } = await worker.analyseTemplate(plainPdf());
  const { bytes } = await worker.fillTemplate(sample(), { values: { one: 'Ada' }, plan });
  const { tags } = await worker.analyseTemplate(bytes);
  assert.deepEqual(tags, []);
});

test('a signed file is not filled; a filled one is sealed', async () => {
  const pki = createPki();
  const sealer = new Sealer({ signer: pki.signer, worker });
  const { bytes: filled } = await worker.fillTemplate(sample(), { values: { one: 'Ada' } });
  const sealed = (await sealer.seal(filled, factsOf(filled))).bytes;
  const { verdict, originalIntact } = await verifyPdf(sealed, { roots: [pki.root.certificate.raw] });
  assert.deepEqual([verdict, originalIntact], ['sealed', true]);
  await assert.rejects(worker.fillTemplate(sealed, { values: {} }), { code: 'certified', fault: 'file' });
  // Our own seal allows no change at all.
  await assert.rejects(worker.analyseTemplate(sealed), { code: 'certified', fault: 'file' });
});

test('what cannot be read is reported, and stays as it is', { skip }, async () => {
  // Text without a size has no place.
  const pdf = sample([line(700, '(a {{one}}) Tj', '/F1 0 Tf'), line(600, '(b {{two}}) Tj')]);
  const { problems, tags } = await worker.analyseTemplate(pdf);
  const keys = tags.map(({ key }) => key);
  assert.deepEqual([problems, keys], [[{ code: 'text_unreadable', page: 1 }], ['two']]);
  const { bytes, ...told } = await worker.fillTemplate(pdf, { values: { one: 'Ada', two: 'Bo' } });
  assert.deepEqual(told, { over: [], problems });
  assert.match(textOf(bytes), /b Bo/);
  assert.deepEqual((await worker.analyseTemplate(bytes)).problems, problems);
});

test('mutated templates are filled or refused with a reason', async () => {
  await using runner = new PdfRunner({ memory: 400 << 20, deadline: 5000 });
  const samples = [sample(), writeStreams(objectsOf()), formPdf()];
  const counts: Record<string, number> = {};
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  for (let round = 0; round < 24; round++) {
    const pdf = Buffer.from(samples[round % samples.length]!);
    for (let edit = 0; edit < round % 4; edit++) {
      const at = random(pdf.length - 8);
      pdf.fill(random(256), at, at + 1 + random(6));
    }
    const outcome = await runner.fillTemplate(pdf, { values: { one: 'Ada', client_name: 'Ada' } }).then(
      () => 'filled',
      (error: unknown) => {
        assert.ok(error instanceof PdfError && error.fault === 'file', `round ${round}: ${error}`);
        return error.code;
      },
    );
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  assert.ok((counts.filled ?? 0) > 0, JSON.stringify(counts));
});
