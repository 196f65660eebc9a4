import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, SEALED_AT } from '@symbolon/testkit/pdf/facts';
import { Desk } from '@symbolon/testkit/pdf/judges';
import { createPki } from '@symbolon/testkit/pdf/pki';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { without } from '@symbolon/testkit/tools';
import { Sealer } from '../sealer.ts';
import { createPdfWorker } from '../worker.ts';
import type { Act } from './facts.ts';

const desk = new Desk();
const skip = without('pdftotext', 'pdftoppm', 'qpdf');
const pki = createPki();
const sealer = new Sealer({ signer: pki.signer, worker: createPdfWorker() });

const act = (name: string, changes: Partial<Act> = {}): Act => ({
  action: 'signed',
  name,
  nameVerified: false,
  method: 'twofa',
  at: SEALED_AT,
  ...changes,
});

async function sealed(names: readonly string[], box = '/MediaBox[0 0 595 842]', language?: string) {
  const pdf = plainPdf({ box });
  const acts = names.map((name) => act(name, language ? { language } : {}));
  return (await sealer.seal(pdf, factsOf(pdf, { acts }))).bytes;
}

/** The text of all pages of signatures, and how many there are. */
function read(bytes: Uint8Array) {
  const pages = desk
    .must('pdftotext', '-f', '2', '-layout', desk.file('names.pdf', bytes), '-')
    .split('\f')
    .slice(0, -1);
  return { text: pages.join('\n').normalize('NFC'), pages: pages.length };
}

const LEFT_TO_RIGHT = [
  'Łukasz Żółć',
  'Þórdís Ægisdóttir',
  'Nguyễn Thị Hồng',
  'Αλέξανδρος',
  'Дмитрий Иванович',
  'გიორგი',
  'Արամ',
  'नरेन्द्र मोदी',
  'কাজী নজরুল ইসলাম',
  'தமிழ்ச்செல்வன்',
  'ਗੁਰਪ੍ਰੀਤ',
  'శ్రీనివాస్',
  'ಶ್ರೀನಿವಾಸ',
  'ശ്രീനിവാസൻ',
  'ગુજરાતી',
  'ශ්‍රී',
  'สมชาย ใจดี',
  '王小明',
  '田中さくら',
  '김민준',
];

test('names in the scripts of Europe, India and East Asia read as they are', { skip }, async () => {
  const bytes = await sealed(LEFT_TO_RIGHT);
  const { text } = read(bytes);
  for (const name of LEFT_TO_RIGHT) assert.ok(text.includes(name.normalize('NFC')), `${name}\n${text}`);
  assert.deepEqual(desk.qpdf(bytes), []);
});

test('Arabic is joined, and Hebrew runs from right to left', { skip }, async () => {
  const { text } = read(await sealed(['محمد', 'דוד']));
  const plain = text.replaceAll(/[\u200b-\u200f\u202a-\u202e]/g, '');
  // A reader turns them round again, or leaves them as they stand on the page.
  for (const name of ['محمد', 'דוד']) {
    const turned = Array.from(name).reverse().join('');
    assert.ok(plain.includes(name) || plain.includes(turned), `${name}\n${plain}`);
  }
  // Joined letters take less room than each one alone: U+200C keeps them apart.
  const [joined, apart] = await Promise.all(['سسسس', 'س\u200cس\u200cس\u200cس'].map((name) => inkWidth(name)));
  assert.ok(joined! < apart!, `${joined} ${apart}`);
});

test('Han characters take the form of the language', { skip }, async () => {
  const [japanese, chinese, traditional] = await Promise.all(
    ['ja', 'zh-Hans', 'zh-Hant'].map((language) => picture('直骨', language)),
  );
  assert.ok(!japanese!.equals(chinese!));
  assert.ok(!traditional!.equals(chinese!));
  assert.ok((await picture('直骨', 'ja')).equals(japanese!));
  // Side by side on one page, too: the text reads the same, the fonts differ.
  const fontsFor = async (...languages: string[]) => {
    const pdf = plainPdf();
    const acts = languages.map((language) => act('直骨', { language }));
    const { bytes } = await sealer.seal(pdf, factsOf(pdf, { acts }));
    return desk.must('pdffonts', '-f', '2', desk.file('side.pdf', bytes)).match(/NotoSans/g)?.length ?? 0;
  };
  assert.ok((await fontsFor('ja', 'zh-Hans')) > (await fontsFor('ja', 'ja')));
});

test('a small page takes few lines: the rest flows on, nothing leaves the page', { skip }, async () => {
  for (const box of [
    '/MediaBox[0 0 420 160]',
    '/MediaBox[0 0 160 420]',
    '/MediaBox[0 0 72 72]',
    '/MediaBox[0 0 14400 14400]',
  ]) {
    const names = ['Ada Lovelace', 'Grace Hopper', 'Katherine Johnson'];
    const bytes = await sealed(names, box);
    const words = desk.must('pdftotext', '-bbox', '-f', '2', desk.file('boxes.pdf', bytes), '-');
    const [, width = 0, height = 0] = (/<page width="([\d.]+)" height="([\d.]+)"/.exec(words) ?? []).map(
      Number,
    );
    const found = [
      ...words.matchAll(/<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)/g),
    ];
    assert.ok(found.length > 50);
    for (const [, xMin, yMin, xMax, yMax, word] of found) {
      const inside =
        Number(xMin) >= 0 && Number(yMin) >= 0 && Number(xMax) <= width + 0.5 && Number(yMax) <= height + 0.5;
      assert.ok(inside, `${box}: ${word} at ${xMin} ${yMin} ${xMax} ${yMax}`);
    }
    const footers = /Signatures,page\d+of\d+|\d+\/\d+/g;
    const text = found
      .map(([, , , , , word]) => word)
      .join('')
      .replaceAll(footers, '');
    for (const name of names) assert.ok(text.includes(name.replaceAll(' ', '')), `${box}: ${name}`);
  }
});

test('forty signers flow over pages; a heading does not stand alone', { skip }, async () => {
  const names = Array.from({ length: 40 }, (_, index) => `Signer Number${index}`);
  const { text, pages } = read(await sealed(names));
  assert.ok(pages > 4);
  for (const name of names) assert.ok(text.includes(name));
  for (const page of text.split(/Signatures, page \d+ of \d+/))
    assert.doesNotMatch(page.trimEnd(), /Signer Number\d+$/);
});

test('what could change how a page reads is left out', { skip }, async () => {
  const { text } = read(
    await sealed(['Ada\u202eecalevoL', 'Eve\n\nSigned 2020-01-01\u0000', '\u2066\u2069', 'x'.repeat(5000)]),
  );
  assert.match(text, /AdaecalevoL/);
  assert.match(text, /Eve Signed 2020-01-01/);
  assert.match(text, /–/);
  assert.doesNotMatch(text, /x{501}/);
});

test('characters without a glyph are boxes that read as what they stand for', { skip }, async () => {
  const { text } = read(await sealed(['Ada 𓀀 🎉 Lovelace', '𓀀𓀁']));
  assert.match(text, /Ada 𓀀 🎉 Lovelace/);
  assert.match(text, /^𓀀𓀁$/m);
  assert.ok((await inkWidth('𓀀𓀁')) > 8);
});

/** The first page of signatures as a picture, black and white. */
async function picture(name: string, language?: string): Promise<Buffer> {
  const bytes = await sealed([name], '/MediaBox[0 0 595 842]', language);
  desk.must('pdftoppm', '-f', '2', '-l', '2', '-r', '72', '-gray', desk.file('drawn.pdf', bytes), 'drawn');
  return desk.read('drawn-2.pgm');
}

/** How many columns of the picture the name covers: its line is the only one that differs from an empty name's. */
async function inkWidth(name: string): Promise<number> {
  const [drawn, empty] = [await picture(name), await picture(' ')];
  const [, width = 0, height = 0] = (/^P5\s+(\d+)\s+(\d+)/.exec(drawn.toString('latin1', 0, 40)) ?? []).map(
    Number,
  );
  const start = drawn.length - width * height;
  const differs = (x: number, y: number) => drawn[start + y * width + x] !== empty[start + y * width + x];
  const columns = Array.from({ length: width }, (_, x) => x);
  return columns.filter((x) => Array.from({ length: height }, (_, y) => y).some((y) => differs(x, y))).length;
}
