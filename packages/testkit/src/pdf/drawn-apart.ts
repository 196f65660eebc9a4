import { deflateSync, gzipSync } from 'node:zlib';
import { type Objects, objectsOf, stream, writeStreams, writeTable } from './samples.ts';

/*
 * Files that readers of different makes draw in different ways, or that show something else in print, after a while or after the seal.
 */

const FONTS = '/Font<</F1 3 0 R>>';
export const RENT = 'BT /F1 18 Tf 20 100 Td (RENT 900) Tj ET';
export const PLUS = 'BT /F1 18 Tf 20 60 Td (PLUS 5000) Tj ET';
const IMAGE = '/Subtype/Image/Width 1/Height 1/BitsPerComponent 8';
const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 200 40]';

interface Page {
  readonly content?: string | Buffer;
  readonly resources?: string;
  readonly entries?: string;
  readonly catalog?: string;
  readonly more?: readonly (readonly [number, string | Buffer])[];
}

/** One page with this content, in which `X` is object 20, `GS` 21 and `CS` 22. */
function objects({ content = RENT, resources = '', entries = '', catalog = '', more = [] }: Page): Objects {
  const all = objectsOf({ catalog });
  const box = entries.includes('/MediaBox') ? '' : '/MediaBox[0 0 595 842]';
  all.set(
    10,
    `<</Type/Page/Parent 2 0 R${box}/Resources<<${resources.includes('/Font') ? '' : FONTS}${resources}>>/Contents 11 0 R${entries}>>`,
  );
  all.set(11, stream(Buffer.from(content as string, 'latin1')));
  for (const [number, body] of more) all.set(number, body);
  return all;
}

export const file = (page: Page) => () => writeTable(objects(page));
const drawn = (content: string | Buffer) => file({ content });
export const form = (content: string, entries = `${FORM}/Resources<<${FONTS}>>`) =>
  stream(Buffer.from(content), entries);
const annotated = (entries: string, more: Page['more'] = [], catalog = '') =>
  file({
    entries: '/Annots[20 0 R]',
    catalog,
    more: [[20, `<</Type/Annot/Rect[20 60 220 100]${entries}>>`], [21, form(PLUS)], ...more],
  });
/** Eight links with a border in colour, each at its place. */
const bordered = (place: (index: number) => number[]) => {
  const numbers = Array.from({ length: 8 }, (_, index) => 20 + index);
  return file({
    entries: `/Annots[${numbers.map((number) => `${number} 0 R`).join(' ')}]`,
    more: numbers.map((number, index) => [
      number,
      `<</Type/Annot/Subtype/Link/F 4/Border[0 0 1]/C[1 0 0]/Rect[${place(index).join(' ')}]>>`,
    ]),
  });
};
const listed = '/AcroForm<</Fields[20 0 R]>>';
const state = (entries: string) =>
  file({ content: `/GS gs ${RENT}`, resources: '/ExtGState<</GS 21 0 R>>', more: [[21, `<<${entries}>>`]] });

/** A page of its own, with the font behind another object. */
const behindTwo: Page = {
  resources: '/Font<</F1 15 0 R>>',
  more: [
    [3, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
    [15, '3 0 R'],
  ],
};
const withEndInside: Page = {
  more: [[11, stream(Buffer.from(`${RENT} % endstream \n${PLUS}`), '', false)]],
};
/** A file whose table readers have to make themselves. */
const misled = (page: Page) => () =>
  changed(file(page)(), (text) => text.replace(/startxref\n\d+/, 'startxref\n7'));
/** The same, whose table leaves out the second part of the content; with a row that not all readers can read. */
const hidden = (change = (text: string) => text) =>
  changed(
    misled({
      more: [
        [10, pageWith('/MediaBox[0 0 595 842]', '[11 0 R 15 0 R]')],
        [15, stream(Buffer.from(PLUS))],
      ],
    })(),
    (text) => change(text.replace(/\d{10} 00000 n \ntrailer/, '0000000000 00001 f \ntrailer')),
  );
const changed = (pdf: Buffer, change: (text: string) => string) =>
  Buffer.from(change(pdf.toString('latin1')), 'latin1');
/** More than the length tells, in content whose length stands in another object. */
const cutContent = Buffer.from(`<</Length 15 0 R>>\nstream\n${RENT} ${PLUS}\nendstream`);
const pageWith = (entries: string, contents = '11 0 R') =>
  `<</Type/Page/Parent 2 0 R/Resources<<${FONTS}>>/Contents ${contents}${entries}>>`;

const layered = (layer: string) =>
  file({
    content: `${RENT} /X Do`,
    resources: '/XObject<</X 20 0 R>>',
    more: [
      [20, form(PLUS, `${FORM}/OC ${layer}/Resources<<${FONTS}>>`)],
      [23, 'null'],
    ],
  });

/** A picture in the content, whose data have a word in them. */
const inline = (data: string, behind = '\nQ\n') =>
  Buffer.from(
    `q 9 0 0 9 0 0 cm BI /W ${data.length} /H 1 /BPC 8 /CS /G ID ${data} EI${behind}${RENT}`,
    'latin1',
  );

const dotted = (entries: string, dots = 64, more: Page['more'] = []) =>
  file({
    content: `${RENT} q 300 0 0 90 0 0 cm /X Do Q`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, stream(Buffer.alloc(dots, 200), `/Subtype/Image/Width 8/Height 8${entries}`)], ...more],
  });
const packedPicture = (filter: string, data: Buffer) =>
  file({
    content: `${RENT} q 300 0 0 90 0 0 cm /X Do Q`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, stream(data, `/Subtype/Image/Width 8/Height 8${GREY}/Filter${filter}`, false)]],
  })();
export const GREY = '/BitsPerComponent 8/ColorSpace/DeviceGray';
const coloured = (space: string, paint: string, more: Page['more'] = []) =>
  file({
    content: `${RENT} ${PLUS} ${paint} 0 0 300 90 re f`,
    resources: `/ColorSpace<</CS ${space}>>/Pattern<</P 20 0 R>>`,
    more: [
      [20, stream(Buffer.from('1 g 0 0 9 9 re f'), `${TILED}/PaintType 1/BBox[0 0 9 9]/XStep 9/YStep 9`)],
      [22, '<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>'],
      ...more,
    ],
  });
/** A box over the clause, painted where overprint is on. */
const overprinted = (paint: string, entries = '/OP true/OPM 1', content = `0 1 1 0 k ${PLUS}`) =>
  file({
    content: `0 g ${RENT} ${content} /GS gs ${paint} 0 50 300 30 re f`,
    resources: [
      '/ExtGState<</GS 21 0 R/M<</SMask<</S/Alpha/G 24 0 R>>>>>>/XObject<</X 20 0 R>>/Pattern<</P 23 0 R/T 25 0 R>>',
      '/ColorSpace<</CS[/Separation/Gold/DeviceCMYK 22 0 R]/L[/Lab<</WhitePoint[0.95 1 1.09]>>]>>',
    ].join(''),
    more: [
      [20, stream(Buffer.from('0 50 300 30 re f'), '/Type/XObject/Subtype/Form/BBox[0 0 595 842]')],
      [21, `<<${entries}>>`],
      [22, '<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0 1 0]/N 1>>'],
      [
        23,
        '<</PatternType 2/Shading<</ShadingType 2/ColorSpace[/Separation/Gold/DeviceCMYK 22 0 R]/Coords[0 0 300 0]/Function<</FunctionType 2/Domain[0 1]/C0[0]/C1[0]/N 1>>>>>>',
      ],
      [24, form('0 50 300 30 re f', `${FORM}/Group<</S/Transparency>>/Resources<<>>`)],
      [
        25,
        stream(Buffer.from('0 0 0 0 k 0 0 9 9 re f'), `${TILED}/PaintType 1/BBox[0 0 9 9]/XStep 9/YStep 9`),
      ],
    ],
  });
/** A function of one ink, by a program. */
const calculated = (program: string) =>
  file({
    content: `${RENT} ${PLUS} /CS cs 1 scn 0 0 300 90 re f`,
    resources: '/ColorSpace<</CS[/Separation/A/DeviceGray 22 0 R]>>',
    more: [[22, stream(Buffer.from(program), '/FunctionType 4/Domain[0 1]/Range[0 1]')]],
  });
/** A form that is drawn in the state of these operators. */
const inForm = (around: string, content: string) =>
  file({
    content: `${RENT} q ${around} /X Do Q`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, form(content)]],
  });
const powered = (entries: string, paint = '0') =>
  coloured(`[/Separation/A/DeviceGray<</FunctionType 2/Domain[0 1]${entries}>>]`, `/CS cs ${paint} scn`);
const TILED = '/PatternType 1/TilingType 1/Resources<<>>';
/** A letter of a font whose glyphs are content. */
const lettered = (
  glyph: string,
  entries = '/FirstChar 65/LastChar 65/Widths[10]/Resources<</XObject<</X 22 0 R>>>>',
  differences = '65/a',
  before = '',
) =>
  file({
    content: `${RENT} ${before} BT /T3 18 Tf 20 60 Td (A) Tj ET`,
    resources: '/Font<</T3 20 0 R/F1 3 0 R>>/XObject<</X 22 0 R>>',
    more: [
      [
        20,
        `<</Type/Font/Subtype/Type3/FontBBox[0 0 10 10]/FontMatrix[.1 0 0 .1 0 0]/CharProcs<</a 21 0 R>>/Encoding<</Differences[${differences}]>>${entries}>>`,
      ],
      [21, stream(Buffer.from(glyph))],
      [22, stream(Buffer.from('0 0 90 90 re f'), '/Subtype/Form/BBox[0 0 90 90]')],
    ],
  });
const fonted = (entries: string) =>
  file({ more: [[3, `<</Type/Font/Subtype/Type1/BaseFont/Helvetica${entries}>>`]] });

const patterned = (entries: string) =>
  file({
    content: `${RENT} /Pattern cs /P scn 0 0 300 90 re f`,
    resources: '/Pattern<</P 20 0 R>>',
    more: [
      [
        20,
        stream(
          Buffer.from('1 g 0 0 300 300 re f'),
          `/PatternType 1/PaintType 1/TilingType 1/Resources<<>>${entries}`,
        ),
      ],
    ],
  });
const shaded = (entries: string, place = '[0 0 300 0]') =>
  file({
    content: `${RENT} /S sh`,
    resources: `/Shading<</S<<${entries}/ColorSpace/DeviceGray/Coords${place}>>>>`,
  });
interface Program {
  readonly glyphs?: number;
  readonly last?: number;
  readonly cut?: number;
  readonly without?: string;
  readonly kind?: number;
  readonly codes?: string;
  readonly names?: string;
}
/** The program of a font that has four glyphs of nothing. */
function programOf(program: Program): Buffer {
  const { glyphs = 4, last = 0, cut = 0, without = '', kind = 1, codes = '', names = '' } = program;
  const tables: Record<string, Buffer> = { head: Buffer.alloc(54), maxp: Buffer.of(0, 1, 0, 0, 0, glyphs) };
  Object.assign(tables, { hhea: Buffer.alloc(36), hmtx: Buffer.alloc(16), glyf: Buffer.alloc(8) });
  tables.loca = Buffer.of(0, 0, 0, 0, 0, 0, 0, 0, 0, last);
  if (codes) tables.cmap = codesOf(codes);
  if (names) tables.post = namesOf(names);
  const kept = Object.entries(tables).filter(([name]) => name !== without);
  let at = 12 + kept.length * 16;
  const directory = kept.map(([name, { length }]) => {
    const entry = Buffer.alloc(16);
    entry.write(name);
    entry.writeUInt32BE(at, 8);
    entry.writeUInt32BE(length, 12);
    at += length;
    return entry;
  });
  const head = Buffer.from([0, kind, 0, 0, 0, kept.length, 0, 0, 0, 0, 0, 0]);
  const font = Buffer.concat([head, ...directory, ...kept.map(([, table]) => table)]);
  return font.subarray(0, font.length - cut);
}
const described = (flags: number, program: Program = {}): readonly (readonly [number, string | Buffer])[] => [
  [
    23,
    `<</Type/FontDescriptor/FontName/Helvetica/Flags ${flags}/FontBBox[0 0 9 9]/ItalicAngle 0/FontFile2 24 0 R>>`,
  ],
  [24, stream(programOf(program))],
];
/** A font in the file. */
const embedded = ({ entries = '', flags = 32, ...program }: Program & { entries?: string; flags?: number }) =>
  file({
    more: [
      [3, `<</Type/Font/Subtype/TrueType/BaseFont/Helvetica/FontDescriptor 23 0 R${entries}>>`],
      ...described(flags, program),
    ],
  });
/** Triangles, each point of which is a flag, two numbers and a grey, a byte each. */
const meshed = (decode: string, data: readonly number[]) =>
  file({
    content: `${RENT} /S sh`,
    resources: '/Shading<</S 20 0 R>>',
    more: [
      [
        20,
        stream(
          Buffer.from(data),
          `/ShadingType 4/ColorSpace/DeviceGray/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8/Decode${decode}`,
        ),
      ],
    ],
  });
const composite = (entries: string, encoding = '/Identity-H') =>
  file({
    content: `${RENT} BT /F2 18 Tf 20 60 Td <00010002> Tj ET`,
    resources: `/Font<</F1 3 0 R/F2<</Type/Font/Subtype/Type0/BaseFont/A/Encoding${encoding}/DescendantFonts[20 0 R]>>>>`,
    more: [
      [
        20,
        `<</Type/Font/Subtype/CIDFontType2/BaseFont/A/FontDescriptor 23 0 R/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>${entries}>>`,
      ],
      ...described(4),
    ],
  });
/** A character of a font whose table of glyphs has this length. */
const mapped = (bytes: number, text: string) =>
  file({
    content: `${RENT} q BT /F2 18 Tf 20 60 Td ${text} Tj ET Q`,
    resources:
      '/Font<</F1 3 0 R/F2<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[20 0 R]>>>>',
    more: [
      [
        20,
        '<</Type/Font/Subtype/CIDFontType2/BaseFont/A/FontDescriptor 23 0 R/CIDToGIDMap 21 0 R/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>',
      ],
      [21, stream(Buffer.alloc(bytes))],
      ...described(4),
    ],
  });
/** A font with a table of codes in the file. @param glyphs bytes of its table of glyphs, where it has one */
const coded = (lines: string, glyphs = 0) =>
  file({
    content: `${RENT} BT /F2 18 Tf 20 60 Td <00010002> Tj ET`,
    resources:
      '/Font<</F1 3 0 R/F2<</Type/Font/Subtype/Type0/BaseFont/A/Encoding 21 0 R/DescendantFonts[20 0 R]>>>>',
    more: [
      [
        20,
        `<</Type/Font/Subtype/CIDFontType2/BaseFont/A/FontDescriptor 23 0 R/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>${glyphs > 0 ? '/CIDToGIDMap 25 0 R' : ''}>>`,
      ],
      ...described(4),
      [25, stream(Buffer.alloc(glyphs))],
      [
        21,
        stream(
          Buffer.from(`/CIDInit/ProcSet findresource begin begincmap\n${lines}\nendcmap end`),
          '/Type/CMap/CMapName/A',
        ),
      ],
    ],
  });
/** Tables that lead from codes to glyphs: of each its platform, its encoding, its first code and the glyphs from there on. */
function codesOf(tables: string): Buffer {
  const all = tables.split(' ').map((table) => table.split(',').map(Number));
  const bodies = all.map(([, , first = 0, ...glyphs]) => {
    const words = [6, 10 + glyphs.length * 2, 0, first, glyphs.length, ...glyphs];
    return Buffer.from(words.flatMap((word) => [word >> 8, word & 255]));
  });
  let at = 4 + all.length * 8;
  const heads = all.map(([platform = 0, encoding = 0], index) => {
    const head = Buffer.of(0, platform, 0, encoding, 0, 0, at >> 8, at & 255);
    at += bodies[index]?.length ?? 0;
    return head;
  });
  return Buffer.concat([Buffer.of(0, 0, 0, all.length), ...heads, ...bodies]);
}
/** A table that names the glyphs of a font. */
function namesOf(names: string): Buffer {
  const words = names.split(' ');
  const head = Buffer.alloc(34 + words.length * 2);
  head.writeUInt32BE(0x20000);
  head.writeUInt16BE(words.length, 32);
  for (const glyph of words.keys()) head.writeUInt16BE(258 + glyph, 34 + glyph * 2);
  return Buffer.concat([
    head,
    ...words.map((word) => Buffer.from(`${String.fromCharCode(word.length)}${word}`)),
  ]);
}
const CODES = '1 begincodespacerange <0000> <FFFF> endcodespacerange';
const pictured = (entries: string) =>
  file({
    content: `${RENT} q 300 0 0 90 0 0 cm /X Do Q`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, stream(Buffer.from([255]), `/Subtype/Image${entries}`)]],
  });

/** A picture of eight rows that is packed, some words, and a picture in which the other one may end too. */
const packed = (how: string, data: string) =>
  drawn(
    Buffer.from(
      `q BI /W 8 /H 8 /BPC 1 /IM true ${how} ID ${data}\nEI\nQ\n${PLUS}\nq BI /W 1 /H 1 /BPC 8 /CS /G ID a EI\nQ\n${RENT}`,
      'latin1',
    ),
  );

/** Each byte by a code of its own, with a clear of the table before it can grow. */
function lzwOf(text: string): Buffer {
  const codes = [...text].flatMap((letter, index) => [
    ...(index % 100 === 0 ? [256] : []),
    letter.charCodeAt(0),
  ]);
  const bits = [...codes, 257].map((code) => code.toString(2).padStart(9, '0')).join('');
  return bytesOf(bits.padEnd(Math.ceil(bits.length / 8) * 8, '0'));
}

const bytesOf = (bits: string) =>
  Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);

/** Forms, each of which draws the next one. The page draws the innermost first, so that each is known when the one around it is read. */
function nested(depth: number): Buffer {
  const all = Array.from({ length: depth }, (_, index) => 20 + index);
  const names = all.map((number) => `/X${number} ${number} 0 R`).join('');
  return file({
    content: [RENT, ...[...all].reverse().map((number) => `/X${number} Do`)].join(' '),
    resources: `/XObject<<${names}>>`,
    more: all.map((number, index) => [
      number,
      index === depth - 1
        ? form(PLUS)
        : form('/F Do', `${FORM}/Resources<</XObject<</F ${number + 1} 0 R>>>>`),
    ]),
  })();
}

/** Letters by LZW, each code a byte longer than the one before: 7 million bytes for each table of codes. */
function lettersByLzw(tables: number): Buffer {
  let bits = '';
  for (let table = 0; table < tables; table++) {
    bits += (256).toString(2).padStart(9, '0') + (97).toString(2).padStart(9, '0');
    for (let code = 258; code < 4094; code++)
      bits += code.toString(2).padStart(Math.floor(Math.log2(code + 1)) + 1, '0');
  }
  return bytesOf(bits);
}
const GROUP_FOUR = '/F/CCF/DP<</K -1/Columns 8>>';

/** A form drawn by content, with another one as a pattern. */
const formed = (content: string, inside: string) =>
  file({
    content: `${RENT} ${content}`,
    resources: '/XObject<</X 20 0 R>>/Pattern<</P 21 0 R>>',
    more: [
      [20, form(inside)],
      [
        21,
        stream(
          Buffer.from(inside),
          `/PatternType 1/TilingType 1/PaintType 1/BBox[0 0 300 200]/XStep 300/YStep 200/Resources<<${FONTS}>>`,
        ),
      ],
    ],
  });
/** A group with these entries, which has an opacity of a half at hand. */
const grouped = (entries: string, content: string) =>
  file({
    content: `${RENT} /X Do`,
    resources: '/XObject<</X 20 0 R>>',
    more: [
      [
        20,
        form(
          content,
          `${FORM}/Group<</S/Transparency${entries}>>/Resources<<${FONTS}/ExtGState<</GS 21 0 R>>>>`,
        ),
      ],
      [21, '<</ca .5>>'],
    ],
  });
const SPOKEN = '10 0 d0 2 w 0 5 m 10 5 l S';
/** The letter in another way, or behind other colours. */
const inWay = (way: string, glyph?: string) =>
  lettered(glyph ?? '10 0 0 0 10 10 d1 0 0 10 10 re f', undefined, undefined, way);

/** By name. Made when asked for. */
export const DRAWN_APART: Readonly<Record<string, () => Buffer>> = {
  'an inline image whose data look like its end': drawn(inline(`ab EI Q ${PLUS} `)),
  'an inline image with less data than it says': drawn(`BI /W 90 /H 9 /BPC 8 /CS /G ID abc EI ${RENT}`),
  'an inline image that is not followed by text': drawn(inline('abcd', '\nQ (\x80\x81\x82) \x00 Tj')),
  'an inline image packed in a way that nobody knows': drawn(
    `BI /W 1 /H 1 /BPC 8 /CS /G /F /Own ID a EI ${RENT}`,
  ),
  'an inline image by JPEG without an end': packed('/F/DCT', '\xff\xd8\xff\xda\x00\x02abc'),
  'an inline image by JPEG with more behind its end': packed('/F/DCT', '\xff\xd8\xff\xd9abcabc'),
  'an inline image by LZW without an end': packed('/F/LZW', '\x80\x0a\x05\x02'),
  'an inline image by CCITT with rows that are missing': packed(GROUP_FOUR, '\xe0\x02\x00\x20'),
  'an inline image by CCITT that goes astray before its end': packed(GROUP_FOUR, '\xff\x20\x02\x00\x20'),
  'an inline image by CCITT that does not tell its end': packed('/F/CCF', 'abcdef'),
  'inline images that end themselves, not hostile': drawn(
    Buffer.from(
      [
        [GROUP_FOUR, '\xff\x00\x10\x01'],
        ['/F/LZW', '\x80\x0a\x05\x02\x81\x40\xa0\x50\x28\x14\x40\x40'],
      ]
        .map(([how, data]) => `q 9 0 0 9 0 0 cm BI /W 8 /H 8 /BPC 1 /IM true ${how} ID ${data}\nEI\nQ\n`)
        .join('') + RENT,
      'latin1',
    ),
  ),
  'an inline image with two widths': drawn(`BI /W 1 /Width 2 /H 1 /BPC 8 /CS /G ID a\nEI ${RENT}`),
  'an inline image with a width twice': drawn(`BI /W 2 /W 1 /H 1 /BPC 8 /CS /G ID a\nEI ${RENT}`),
  'a clip without a path': drawn(`${RENT} W n ${PLUS}`),
  'text in a way that nobody knows': drawn(`${RENT} 9 Tr ${PLUS}`),
  'an opacity below nothing': state('/ca -1'),
  'a mask of no kind': file({
    content: `/GS gs ${RENT}`,
    resources: '/ExtGState<</GS<</SMask<</G 20 0 R>>>>>>',
    more: [[20, form('', `${FORM}/Group<</S/Transparency/CS/DeviceGray>>`)]],
  }),
  'a pattern without steps': patterned('/BBox[0 0 300 300]/XStep 0/YStep 0'),
  'a pattern without a box': patterned('/XStep 300/YStep 300'),
  'a shading of no kind': shaded('/ShadingType 9'),
  'a shading without a function': shaded('/ShadingType 2'),
  'a picture without colours': pictured('/Width 1/Height 1/BitsPerComponent 8'),
  'a picture with colours that nobody knows': pictured('/Width 1/Height 1/BitsPerComponent 8/ColorSpace/Own'),
  'a picture that does not tell its bits': pictured('/Width 1/Height 1/ColorSpace/DeviceGray'),
  'a picture of a negative width': pictured('/Width -1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray'),
  'a mask with many bits': pictured('/Width 1/Height 1/BitsPerComponent 8/ImageMask true'),
  'a picture with half of its data': dotted(GREY, 32),
  'a picture without data': dotted(GREY, 0),
  'a picture with a second width': dotted(`${GREY}/W 4`),
  'a picture with parameters under a short name': dotted(`${GREY}/DP<</Predictor 12/Columns 8>>`),
  'a picture in three bits': dotted('/BitsPerComponent 3/ColorSpace/DeviceGray'),
  'a picture that may be a mask': dotted(`${GREY}/ImageMask 1`),
  'a picture of patterns': dotted('/BitsPerComponent 8/ColorSpace[/Pattern]'),
  'a picture with half of its values': dotted(`${GREY}/Decode[1]`),
  'a picture whose values are names': dotted(`${GREY}/Decode[/a/b]`),
  'a mask with other values': dotted('/ImageMask true/Decode[2 0]', 8),
  'a picture whose mask is no picture': dotted(`${GREY}/SMask<<>>`),
  'a picture whose mask has too few data': dotted(`${GREY}/SMask 21 0 R`, 64, [
    [21, stream(Buffer.alloc(3), `/Subtype/Image/Width 8/Height 8${GREY}`)],
  ]),
  'a picture whose mask is a list of one': dotted(`${GREY}/Mask[200]`),
  'a picture with more colours than its table': dotted(
    '/BitsPerComponent 8/ColorSpace[/Indexed/DeviceGray 1<00FF>]',
  ),
  'a picture with more colours than its table, and the values that it has anyway': dotted(
    '/BitsPerComponent 8/ColorSpace[/Indexed/DeviceGray 1<00FF>]/Decode[0 255]',
  ),
  'a picture with values between the colours of its table': dotted(
    '/BitsPerComponent 8/ColorSpace[/Indexed/DeviceGray 255 20 0 R]/Decode[0 9]',
  ),
  'a picture with rows of a negative length': dotted(`${GREY}/DecodeParms<</Predictor 12/Columns -8>>`, 72),
  'a picture with more dots than are drawn': pictured('/Width 20000/Height 20000/ImageMask true'),
  'a picture by LZW that expands too far': () => packedPicture('/LZWDecode', lettersByLzw(40)),
  'a picture whose runs hold no packed data': () =>
    packedPicture('[/RunLengthDecode/FlateDecode]', Buffer.of(0, 0x78, 128)),
  'words by LZW, not hostile': file({
    entries: '',
    more: [[11, stream(lzwOf(RENT), '/Filter/LZWDecode', false)]],
  }),
  'a picture that is packed in two ways at once': dotted(`${GREY}/Filter/LZWDecode`),
  'words drawn in a way that has a point': drawn(`${RENT} BT /F1 18 Tf 20 60 Td 3.0 Tr (PLUS) Tj ET`),
  'a stamp hidden by a number with a point': annotated('/Subtype/Stamp/F 2.0/AP<</N 21 0 R>>'),
  'a page turned by a number with a point': file({ entries: '/Rotate 90.0' }),
  'a picture whose bits have a point': dotted('/BitsPerComponent 8.0/ColorSpace/DeviceGray'),
  'black that another space makes white': file({
    resources: '/ColorSpace<</DefaultGray[/CalGray<</WhitePoint[1 1 1]/Gamma 0>>]>>',
  }),
  'an inline image that unpacks to too few data': drawn(
    Buffer.concat([
      Buffer.from('q 90 0 0 90 0 0 cm BI /W 8 /H 8 /BPC 8 /CS /G /F /Fl ID '),
      deflateSync(Buffer.alloc(3)),
      Buffer.from(`\nEI\nQ\n${RENT}\n`),
    ]),
  ),
  'inline images that unpack to much, many of them': () => {
    const many = Buffer.concat([
      Buffer.from('q BI /W 4000 /H 4000 /BPC 8 /CS /G /F /Fl ID '),
      deflateSync(Buffer.alloc(16_000_000)),
      Buffer.from('\nEI\nQ 1 0 0 1 0 0 cm\n'),
    ]);
    return drawn(Buffer.concat(Array.from({ length: 20 }, () => many)))();
  },
  'an inline image with half of its values': drawn(`BI /W 1 /H 1 /BPC 8 /CS /G /D [1] ID a\nEI\n${RENT}`),
  'an inline mask with values between': drawn(`BI /W 1 /H 1 /IM true /D [0 .5] ID a\nEI\n${RENT}`),
  'an inline image of a size below nothing': drawn(`BI /W -1 /H -1 /BPC 8 /CS /G ID a\nEI\n${RENT}`),
  'a stack of links whose borders cover text': bordered((index) => [20, 60 + index * 2, 220, 80 + index * 2]),
  'a link that is little more than its border': bordered((index) => [
    20,
    60 + index * 3,
    220,
    62 + index * 3,
  ]),
  'links with a border in lines that touch, not hostile': bordered((index) => [
    20,
    60 + index * 9,
    220,
    70 + index * 9,
  ]),
  'an inline image with bits that no picture has': drawn(`BI /W 1 /H 1 /BPC 3 /CS /G ID a\nEI\n${RENT}`),
  'an unknown word among those for newer readers': drawn(`${RENT} BX 0 0 300 90 re fq EX`),
  'a picture in the middle of a path': file({
    content: `${RENT} 0 0 300 90 re /X Do f`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, stream(Buffer.alloc(64, 200), `/Subtype/Image/Width 8/Height 8${GREY}`)]],
  }),
  'a form that leaves a path behind': file({
    content: `${RENT} /X Do`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, form('0 0 90 40 re')]],
  }),
  'a form that ends what marks the page': file({
    content: `/P BMC ${RENT} /X Do`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, form('EMC')]],
  }),
  'a mark that does not end': drawn(`${RENT} /P BMC ${PLUS}`),
  'a number that is too large': drawn(`q 4294967297 0 0 4294967297 0 0 cm Q ${RENT}`),
  'forms that nest too deep, the innermost first': () => nested(30),
  'words of a space that stands for four': file({
    more: [
      [11, stream(deflateSync(Buffer.alloc(20 << 20, 'z')), '/Filter[/FlateDecode/ASCII85Decode]', false)],
    ],
  }),
  'a link with a wide border that is not seen': annotated('/Subtype/Link/Border[0 0 3]/C[1 1 1]'),
  'a dictionary that is told apart by the end of a comment': file({
    entries: '/X[11 0 R %\n12 0 R %\n]/X[11 0 R % 12 0 R %\n]',
  }),
  'a page with two contents': file({
    entries: '/Contents 20 0 R',
    more: [[20, stream(Buffer.from(PLUS))]],
  }),
  'a page with two boxes by two spellings of the name': file({
    entries: '/MediaBox[0 0 595 842]/Media#42ox[0 0 595 100]',
  }),
  'a page with one box twice, not hostile': file({
    entries: '/MediaBox[0 0 595 842]/MediaBox[0 0 595  842]',
  }),
  'a table of colours that is too short': dotted(
    '/BitsPerComponent 8/ColorSpace[/Indexed/DeviceGray 255<FF>]',
  ),
  'a table of colours without an end': dotted('/BitsPerComponent 8/ColorSpace[/Indexed/DeviceGray -1<>]'),
  'a colour that is not in its table': coloured('[/Indexed/DeviceGray 1<00FF>]', '/CS cs 9 sc'),
  'a short name that only inline images have': coloured('/DeviceGray', '/RGB cs 1 1 1 sc'),
  'a pattern in a space of colours': coloured('/DeviceGray', '/DeviceRGB cs /P scn'),
  'a pattern that was not chosen': coloured('/DeviceGray', '/Pattern cs'),
  'a pattern in a colour without a space': coloured('[/Pattern]', '/CS cs 1 /P scn'),
  'a colour with numbers that are too many': coloured('/DeviceGray', '/DeviceRGB cs 0 1 1 1 scn'),
  'a colour with numbers that are too few': coloured('/DeviceGray', '/DeviceRGB cs 1 1 sc'),
  'an ink without a function': coloured('[/Separation/Red/DeviceGray]', '/CS cs 0 scn'),
  'an ink whose function has other values': coloured('[/Separation/Red/DeviceRGB 22 0 R]', '/CS cs 0 scn'),
  'two inks whose function takes one': coloured('[/DeviceN[/A/B]/DeviceGray 22 0 R]', '/CS cs 0 0 scn'),
  'inks of which one is none': coloured('[/DeviceN[/A/None]/DeviceGray 23 0 R]', '/CS cs 0 1 scn', [
    [23, stream(Buffer.from('{ exch pop 1 exch sub }'), '/FunctionType 4/Domain[0 1 0 1]/Range[0 1]')],
  ]),
  'two inks, not hostile': coloured('[/DeviceN[/A/B]/DeviceGray 23 0 R]', '/CS cs 0 1 scn', [
    [23, stream(Buffer.from('{ add 2 div }'), '/FunctionType 4/Domain[0 1 0 1]/Range[0 1]')],
  ]),
  'white that is printed over': overprinted('0 0 0 0 k'),
  'white that is printed over, by areas alone': overprinted('0 0 0 0 k', '/op true/OPM 1'),
  'white lines that are printed over': overprinted('0 0 0 0 K 60 w 0 60 m 300 60 l S'),
  'white text that is printed over': overprinted('0 0 0 0 k BT /F1 60 Tf 10 50 Td (MMMMMM) Tj ET'),
  'white in a form that is printed over': overprinted('0 0 0 0 k /X Do 1 g'),
  'grey that is printed over': overprinted('0 0 0 0.1 k'),
  'a light ink that is printed over': overprinted('0.2 0 0 0 k'),
  'an ink of its own that is printed over': overprinted('/CS cs 0 scn', '/OP true'),
  'a picture of an ink that is printed over': overprinted(
    'q 300 0 0 30 0 50 cm BI /W 1 /H 1 /BPC 8 /CS /CS /F /AHx ID 00> EI Q 1 g',
    '/OP true',
  ),
  'white over an ink that stays': overprinted('1 g', '/OP true', `/CS cs 1 scn ${PLUS}`),
  'a white picture over an ink that stays': overprinted(
    'q 300 0 0 30 0 50 cm BI /W 1 /H 1 /BPC 8 /CS /G /F /AHx ID FF> EI Q 0 g',
    '/OP true',
    `/CS cs 1 scn ${PLUS} 0 g`,
  ),
  'a shading of an ink that is printed over': overprinted('/Pattern cs /P scn', '/OP true'),
  'less than no ink that is printed over': overprinted('-1 -1 -1 -1 k'),
  'overprint that is on by a number': overprinted('0 0 0 0 k', '/OP 1/OPM 1'),
  'a mode of overprint with a point': overprinted('0 0 0 0 k', '/OP true/OPM 1.0'),
  'a mode of overprint that is unknown': overprinted('0 0 0 1 k', '/OP true/OPM 2'),
  'a pattern of content that is printed over': overprinted('/Pattern cs /T scn', '/OP true/op false/OPM 1'),
  'a blue that is dark by its first number': overprinted(
    '/L cs 0 -100 -100 scn',
    '/OP true',
    `/CS cs 1 scn ${PLUS}`,
  ),
  'a mask where colours are printed over others': overprinted('/M gs 0 g'),
  'hidden text that is printed over, not hostile': overprinted('0 0 0 0 k BT 3 Tr /F1 9 Tf (x) Tj ET 0 g'),
  'all inks that are printed over, not hostile': overprinted('0.01 0.01 0.01 0.01 k'),
  'white in the mode that covers, not hostile': overprinted('0 0 0 0 k', '/OP true'),
  'black that is printed over, not hostile': overprinted('0 0 0 1 k'),
  'white behind the end of overprint, not hostile': overprinted('0 0 0 0 k', '/OP true/op false/OPM 1'),
  'white behind what was printed over, not hostile': overprinted('Q 0 0 0 0 k', '/OP true/OPM 1', 'q'),
  'a corner that goes across the page': drawn(
    `${RENT} ${PLUS} 1 G 30 w 100000 M 0 j 20 400 m 300 66 l 21 400 l S`,
  ),
  'a corner that a state lets go across the page': state('/ML 500'),
  'a corner as writers have it, not hostile': drawn(`${RENT} 2 w 10 M 0 j 20 400 m 300 200 l 60 400 l S`),
  'text that is larger than some readers draw': drawn(
    `${RENT} ${PLUS} 1 g BT /F1 3000 Tf -900 -900 Td (M) Tj ET`,
  ),
  'text that is too large by its matrix': drawn(
    `${RENT} ${PLUS} 1 g BT /F1 1 Tf 3000 0 0 3000 -900 -900 Tm (M) Tj ET`,
  ),
  'text that is too large by what is around it': drawn(
    `${RENT} ${PLUS} 1 g q 100 0 0 100 0 0 cm BT /F1 30 Tf -9 -9 Td (M) Tj ET Q`,
  ),
  'a picture that is larger than some readers draw': drawn(
    `${RENT} ${PLUS} q 100000 0 0 100000 -50000 -50000 cm BI /W 1 /H 1 /BPC 8 /CS /G /F /AHx ID FF> EI Q`,
  ),
  'a mask that is larger than some readers draw': drawn(
    `${RENT} ${PLUS} 1 g q 100000 0 0 100000 -50000 -50000 cm BI /W 1 /H 1 /IM true /F /AHx ID 00> EI Q`,
  ),
  'large text, not hostile': drawn(`${RENT} 0.9 g q 4 0 0 4 0 0 cm BT /F1 200 Tf 9 50 Td (M) Tj ET Q`),
  'text by lines of no width': drawn(`${RENT} q 1 Tr 0 w ${PLUS} Q`),
  'text by lines that its matrix makes thin': drawn(
    `${RENT} q 0.01 0 0 0.01 0 0 cm 1 Tr 1 w BT /F1 1800 Tf 2000 6000 Td (PLUS 5000) Tj ET Q`,
  ),
  'text by thin lines around white': drawn(`${RENT} q 2 Tr 1 g 0.01 w ${PLUS} Q`),
  'text by lines that a form makes thin': file({
    content: `${RENT} q 1 Tr /X Do Q`,
    resources: '/XObject<</X 20 0 R>>',
    more: [
      [
        20,
        form(
          'BT /F1 1800 Tf 2000 6000 Td (PLUS 5000) Tj ET',
          `/Type/XObject/Subtype/Form/BBox[0 0 59500 84200]/Matrix[0.01 0 0 0.01 0 0]/Resources<<${FONTS}>>`,
        ),
      ],
    ],
  }),
  'text of a form by lines that are thin where it is drawn again': file({
    content: `${RENT} 1 Tr q 2 w /X Do Q q 0.01 w 1 0 0 1 0 -40 cm /X Do Q`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, form(PLUS, `/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<<${FONTS}>>`)]],
  }),
  'text by lines, not hostile': drawn(`${RENT} q 1 Tr ${PLUS} Q`),
  'text with thin lines of its own colour, not hostile': drawn(`${RENT} q 2 Tr 0.01 w ${PLUS} Q`),
  'a pattern of one colour with lines and a matrix, not hostile': file({
    content: `${RENT} /CS cs 0 0 1 /P scn 0 0 300 90 re f`,
    resources: '/ColorSpace<</CS[/Pattern/DeviceRGB]>>/Pattern<</P 20 0 R>>',
    more: [
      [
        20,
        stream(
          Buffer.from('q 2 0 0 2 0 0 cm 1 w 0 2 m 4 2 l S Q'),
          `${TILED}/PaintType 2/BBox[0 0 9 9]/XStep 9/YStep 9`,
        ),
      ],
    ],
  }),
  'inks that are none': coloured('[/DeviceN[/None]/DeviceGray 22 0 R]', '/CS cs 0 scn'),
  'a space of colours that tells nothing': coloured('[/CalRGB]', '/CS cs 1 1 1 scn'),
  'a space that does not tell its colour': coloured('/DeviceGray', '1 g /DeviceGray cs'),
  'a picture in a colour that was not chosen': drawn(
    `${RENT} 1 g /DeviceGray cs q 300 0 0 90 0 0 cm BI /W 1 /H 1 /IM true ID \0\nEI Q`,
  ),
  'a space that has the name of a plain one': file({
    content: `${RENT} /DeviceGray cs 1 scn 0 0 300 90 re f`,
    resources: '/ColorSpace<</DeviceGray/DeviceCMYK>>',
  }),
  'a plain space that tells more': coloured('[/DeviceRGB<<>>]', '/CS cs 1 1 1 scn'),
  'a table of colours that tells more': coloured('[/Indexed/DeviceGray 1<00FF>5]', '/CS cs 1 scn'),
  'a measured space by its name alone': coloured('/CalRGB', '/CS cs 1 1 1 scn'),
  'a measured space whose white is not light': coloured(
    '[/Lab<</WhitePoint[.5 .5 .5]>>]',
    '/CS cs 50 0 0 scn',
  ),
  'a colour beyond what its space has': coloured(
    '[/Lab<</WhitePoint[.95 1 1.09]/Range[0 1 0 1]>>]',
    '/CS cs 100 90 90 scn',
  ),
  'a colour of a measured space, not hostile': coloured(
    '[/Lab<</WhitePoint[.95 1 1.09]>>]',
    '/CS cs 50 90 -90 scn',
  ),
  'a measured space of an odd exponent': coloured(
    '[/CalGray<</WhitePoint[.95 1 1.08]/Gamma 0>>]',
    '/CS cs .1 scn',
  ),
  'a measured space whose matrix is too short': coloured(
    '[/CalRGB<</WhitePoint[.95 1 1.08]/Matrix[0 0 0]>>]',
    '/CS cs 1 1 1 scn',
  ),
  'a profile with other colours in its place': file({
    content: `${RENT} /CS cs 1 1 1 scn 0 0 300 90 re f`,
    resources: '/ColorSpace<</CS[/ICCBased 20 0 R]>>',
    more: [[20, stream(Buffer.alloc(0), '/N 3/Alternate/DeviceCMYK')]],
  }),
  'an ink in a list': coloured('[/Separation[/A]/DeviceGray 22 0 R]', '/CS cs 1 scn'),
  'inks that are no list': coloured('[/DeviceN/A/DeviceGray 22 0 R]', '/CS cs 1 scn'),
  'an ink made of a table': coloured('[/Separation/A[/Indexed/DeviceGray 1<FF00>]22 0 R]', '/CS cs 1 scn'),
  'black ink that is white': coloured(
    '[/Separation/Black/DeviceGray<</FunctionType 2/Domain[0 1]/C0[1]/C1[1]/N 1>>]',
    '/CS cs 1 scn',
  ),
  'an ink by a table of one value': file({
    content: `${RENT} /CS cs .5 scn 0 0 300 90 re f`,
    resources: '/ColorSpace<</CS[/Separation/A/DeviceGray 22 0 R]>>',
    more: [[22, stream(Buffer.of(200), '/FunctionType 0/Domain[0 1]/Range[0 1]/Size[1]/BitsPerSample 8')]],
  }),
  'an ink by a table of two values, not hostile': file({
    content: `${RENT} /CS cs .5 scn 0 0 300 90 re f`,
    resources: '/ColorSpace<</CS[/Separation/A/DeviceGray 22 0 R]>>',
    more: [[22, stream(Buffer.of(255, 0), '/FunctionType 0/Domain[0 1]/Range[0 1]/Size[2]/BitsPerSample 8')]],
  }),
  'an ink whose function takes none of it': coloured(
    '[/Separation/A/DeviceGray<</FunctionType 2/Domain[2 3]/C0[1]/C1[0]/N 1>>]',
    '/CS cs 0 scn',
  ),
  'an ink whose function takes one value': coloured(
    '[/Separation/A/DeviceGray<</FunctionType 2/Domain[0 0]/C0[1]/C1[0]/N 1>>]',
    '/CS cs 1 scn',
  ),
  'a pattern of one colour that has others': file({
    content: `${RENT} /CS cs 0 /P scn 0 0 300 90 re f`,
    resources: '/ColorSpace<</CS[/Pattern/DeviceGray]>>/Pattern<</P 20 0 R>>',
    more: [
      [20, stream(Buffer.from('1 g 0 0 9 9 re f'), `${TILED}/PaintType 2/BBox[0 0 9 9]/XStep 9/YStep 9`)],
    ],
  }),
  'a shading with a background of other colours': shaded(
    '/ShadingType 2/Background(a)/Function<</FunctionType 2/Domain[0 1]/N 1>>',
  ),
  'a shading between two points of no size': shaded(
    '/ShadingType 3/Extend[true true]/Function<</FunctionType 2/Domain[0 1]/N 1>>',
    '[0 0 0 300 0 0]',
  ),
  'a shading without points': shaded(
    '/ShadingType 4/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8/Decode[0 500 0 500 0 1]',
  ),
  'a shading with a point that is cut': meshed(
    '[0 500 0 500 0 1]',
    [0, 20, 20, 0, 0, 200, 20, 0, 0, 20, 200],
  ),
  'a shading that does not tell the values of its points': meshed(
    '[0 500 0 500]',
    [0, 20, 20, 0, 0, 200, 20, 0, 0, 20, 200, 0],
  ),
  'a shading by points, not hostile': meshed(
    '[0 500 0 500 0 1]',
    [0, 20, 20, 0, 0, 200, 20, 0, 0, 20, 200, 0],
  ),
  'a mask that is no group': file({
    content: `/GS gs ${RENT}`,
    resources: '/ExtGState<</GS<</SMask<</S/Luminosity/G 20 0 R>>>>>>',
    more: [[20, form('1 g 0 0 200 40 re f')]],
  }),
  'a font of a state that is no object of its own': state(
    '/Font[<</Type/Font/Subtype/Type1/BaseFont/Helvetica>> 18]',
  ),
  'corners that reach no way': drawn(`${RENT} 0 M 40 w 50 60 m 250 90 l 50 120 l S`),
  'corners of a state that reach no way': state('/ML -5'),
  'ends of a line by a number with a point': state('/LC 2.0'),
  'a font without a name': file({ more: [[3, '<</Type/Font/Subtype/Type1>>']] }),
  'a font without characters': file({
    more: [[3, '<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H>>']],
  }),
  'a font with widths that are cut': composite('/W[16 90]'),
  'a font that tells the widths of all characters again and again': composite(
    `/W[${'0 65535 500 '.repeat(100_000)}]`,
  ),
  'a font with two widths for a character': composite('/W[16 90 900 16 90 400]'),
  'a font whose width is a name': composite('/DW/a'),
  'a font of characters that nobody knows': composite('', '/WinAnsiEncoding'),
  'a font with widths of characters, not hostile': composite('/DW 500/W[16[900 400]20 90 600]'),
  'a font whose glyphs are cut': mapped(3, '<0000>'),
  'a character behind the glyphs of its font': mapped(4, '<00000002>'),
  'a character behind the glyphs of its font, by octal digits': mapped(4, '(\\000\\002)'),
  'characters that have glyphs, not hostile': mapped(4, '(\\000\\001)'),
  'a font whose codes have no length': coded('1 begincidrange <0000> <FFFF> 0 endcidrange'),
  'a font whose codes have two lengths': coded(
    `2 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange 1 begincidrange <00> <7F> 0 endcidrange`,
  ),
  'a font whose codes are no characters': coded(CODES),
  'a font whose codes go backwards': coded(`${CODES} 1 begincidrange <FFFF> <0000> 0 endcidrange`),
  'a font whose codes are text': coded(`${CODES} 1 beginbfrange <0000> <FFFF> <0000> endbfrange`),
  'a font whose codes are those of another table': coded(
    `/Identity-H usecmap ${CODES} 1 begincidchar <0035> 9 endcidchar`,
  ),
  'a font whose characters have a point': coded(`${CODES} 1 begincidrange <0000> <FFFF> 0.0 endcidrange`),
  'a font whose glyphs end before its codes, behind a comment': coded(
    `${CODES} 1 begincidrange %a\n<0000> <FFFF> 0 endcidrange`,
    6,
  ),
  'a font with glyphs for its codes, not hostile': coded(
    `${CODES} 1 begincidrange %a\n<0001> <0002> 1 endcidrange`,
    6,
  ),
  'a font with a table of codes, not hostile': coded(
    `${CODES} 1 begincidrange <0000> <FFFF> 0 endcidrange 1 begincidchar <0035> 53 endcidchar`,
  ),
  'a font that ends before its tables': embedded({ cut: 4 }),
  'a font with glyphs beyond their table': embedded({ last: 90 }),
  'a font with fewer glyphs than it says': embedded({ glyphs: 9 }),
  'a font without widths of its glyphs': embedded({ without: 'hmtx' }),
  'a font whose tables of codes lead to different glyphs': embedded({ codes: '1,0,65,1,2 3,1,65,2,1' }),
  'a font whose symbols are other glyphs than its characters': embedded({
    ...{ codes: '3,0,61505,1,2 3,1,65,2,1', entries: '/Encoding/WinAnsiEncoding', flags: 4 },
  }),
  'a font of characters with codes of symbols alone': embedded({
    ...{ codes: '3,0,61505,1,2', entries: '/Encoding/WinAnsiEncoding' },
  }),
  'a font of symbols that tells other characters': embedded({
    ...{ codes: '1,0,65,1,2 3,1,65,1,2', entries: '/Encoding<</Differences[65/B/A]>>', flags: 4 },
  }),
  'a font whose tables of codes lead to the same glyphs, not hostile': embedded({
    ...{ codes: '1,0,65,1,2 3,0,61505,1,2 3,1,65,1,2', entries: '/Encoding/WinAnsiEncoding' },
  }),
  'a font of symbols that has their codes, not hostile': embedded({ codes: '3,0,61505,1,2', flags: 4 }),
  'a font whose codes of Unicode lead to other glyphs': embedded({ codes: '0,3,65,2 1,0,65,1' }),
  'a font with two tables of one kind that lead to different glyphs': embedded({
    codes: '1,0,65,1 1,0,65,2',
    flags: 4,
  }),
  'a font with a character in one of its tables alone': embedded({ codes: '0,3,65,1,2 3,1,65,1' }),
  'a font with codes of a rare kind alone': embedded({ codes: '3,2,65,1', flags: 4 }),
  'a font whose names lead to other glyphs than its codes': embedded({
    codes: '1,0,65,1',
    names: '.notdef B A',
    entries: '/Encoding/WinAnsiEncoding',
  }),
  'a font whose own names lead to other glyphs than its codes': embedded({
    codes: '3,1,65,2',
    names: '.notdef g1 g2',
    entries: '/Encoding<</Differences[65/g1]>>',
  }),
  'a font without a glyph by a name, and with one by its code': embedded({
    codes: '1,0,65,1',
    entries: '/Encoding<</Differences[65/g9]>>',
  }),
  'a font of symbols with another character than its code': embedded({
    codes: '3,1,65,1,2',
    entries: '/Encoding<</Differences[65/B]>>',
    flags: 4,
  }),
  'a font whose tables and names agree, not hostile': embedded({
    codes: '0,3,65,1,2 1,0,65,1,2 3,1,65,1,2',
    names: '.notdef A B',
    entries: '/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[66/A]>>',
  }),
  'a font in an unknown form': embedded({ kind: 9 }),
  'a font whose tables are in it, not hostile': embedded({}),
  'a font of glyphs without widths': lettered('10 0 d0 0 0 8 8 re f', '/Resources<<>>'),
  'colours of every kind, not hostile': coloured(
    '[/Indexed/DeviceGray 1<00FF>]',
    '/CS cs 1 sc 0 0 5 5 re f q /Pattern cs /P scn Q 1 sc [3 2] 1 d 0 w 0 J 1 0 0 rg',
  ),
  'a negative dash': drawn(`${RENT} [-5 5] 0 d 8 w 0 60 m 300 60 l S`),
  'dashes of no length': drawn(`${RENT} [0 0] 0 d 8 w 0 60 m 300 60 l S`),
  'dashes that are names': drawn(`${RENT} [/a 5] 0 d 8 w 0 60 m 300 60 l S`),
  'dashes that begin before the line': drawn(`${RENT} [100 50] -60 d 8 w 0 60 m 300 60 l S`),
  'dashes of a state that do not tell where they begin': state('/D[[50 50]]'),
  'a negative dash of a state': state('/D[[-5 5]0]'),
  'a line of negative width': drawn(`${RENT} -8 w 0 60 m 300 60 l S`),
  'a line of negative width of a state': state('/LW -8'),
  'a line whose ends nobody knows': drawn(`${RENT} 9 J 40 w 50 60 m 250 60 l S`),
  'a font of a state without a size': state('/Font[3 0 R]'),
  'a pattern with negative steps': patterned('/BBox[0 0 300 300]/XStep -300/YStep -300'),
  'a pattern whose box has no area': patterned('/BBox[0 0 0 300]/XStep 300/YStep 300'),
  'a pattern whose box is turned round': patterned('/BBox[300 300 0 0]/XStep 300/YStep 300'),
  'a function that takes more than there is': calculated('{ pop pop }'),
  'a function that leaves nothing': calculated('{ pop }'),
  'a function that leaves too much': calculated('{ 0 1 }'),
  'a function that keeps too much': calculated(`{ ${'dup '.repeat(120)}${'pop '.repeat(120)}}`),
  'a function that leaves a truth': calculated('{ pop true }'),
  'a function that adds to a truth': calculated('{ pop true 1 add }'),
  'a function that shifts a number with a point': calculated('{ 2 bitshift }'),
  'a function that shifts a number': calculated('{ cvi 40 bitshift }'),
  'a function that turns the bits of a number': calculated('{ pop 5 not neg 8 div }'),
  'a function that divides by nothing': calculated('{ 0 div }'),
  'a function that moves more than there is': calculated('{ 0 5 1 roll pop }'),
  'a function that copies what comes in': calculated('{ cvi copy 1 }'),
  'a function whose choice has one way': calculated('{ .5 gt { 1 } ifelse }'),
  'a function whose ways leave other numbers': calculated('{ .5 gt { 1 } { } ifelse }'),
  'a function with parts that are too deep': calculated(
    `{ ${'true { '.repeat(60)}${'} if '.repeat(60)}pop 1 }`,
  ),
  'a function that rounds half a number below nothing': calculated('{ pop -0.5 round neg }'),
  'a function that compares what is rounded': calculated('{ pop .1 .2 add .3 eq { 0 } { 1 } ifelse }'),
  'a function that adds whole numbers that are too large': calculated(
    '{ pop 2000000000 2000000000 add 0 gt { 0 } { 1 } ifelse }',
  ),
  'a function that makes a whole number of one that is too large': calculated(
    '{ pop 99999999999.0 cvi 0 gt { 0 } { 1 } ifelse }',
  ),
  'a function with a root of a number below nothing': calculated('{ 2 sub sqrt abs }'),
  'a function with a logarithm of a number below nothing': calculated('{ 2 sub ln abs }'),
  'a function with a power of a number below nothing': calculated(
    '{ 9 sub .333 exp abs 0 gt { 0 } { 1 } ifelse }',
  ),
  'a function that rounds, compares and has roots, not hostile': calculated(
    '{ dup 255 mul round cvi 128 eq { pop .5 } { dup 1 exch sub dup mul sqrt exch 2.2 exp mul } ifelse }',
  ),
  'a function with ways, moves and whole numbers, not hostile': calculated(
    '{ dup .5 gt { 1 exch sub } { 2 mul } ifelse dup cvi 3 and 1 eq { dup mul } { 0 2 1 roll pop } ifelse 1 copy 1 index sub add 90 mul sin abs }',
  ),
  'a function that readers do not hold to its range': powered('/Range[0 .1]/C0[1]/C1[1]/N 1'),
  'a function of parts that readers do not hold to its range': shaded(
    '/ShadingType 2/Function<</FunctionType 3/Domain[0 1]/Range[0 .1]/Bounds[]/Encode[0 1]/Functions[<</FunctionType 2/Domain[0 1]/C0[1]/C1[1]/N 1>>]>>',
  ),
  'a function that takes nothing by the power of nothing': powered('/C0[0]/C1[1]/N 0'),
  'a function in its range, not hostile': powered('/Range[0 1]/C0[1]/C1[0]/N 1', '1'),
  'a pattern whose copies are too many for a page': patterned(
    '/BBox[0 0 9 9]/XStep 9/YStep 9/Matrix[.001 0 0 .001 0 0]',
  ),
  'a pattern that is larger than readers draw': patterned('/BBox[0 0 90000 90000]/XStep 90000/YStep 90000'),
  'a pattern with steps that are too small': patterned('/BBox[0 0 300 300]/XStep .01/YStep .01'),
  'a shading whose function has no domain': shaded(
    '/ShadingType 2/Function<</FunctionType 2/C0[1]/C1[1]/N 1>>',
  ),
  'a shading whose function has other values': shaded(
    '/ShadingType 2/Function<</FunctionType 2/Domain[0 1]/C0[1 1 1]/C1[1 1 1]/N 1>>',
  ),
  'a shading whose function does not tell its parts': shaded(
    '/ShadingType 2/Function<</FunctionType 3/Domain[0 1]/Bounds[]/Encode[0 1]/Functions[22 0 R 22 0 R]>>',
  ),
  'a shading whose domain is no list': shaded(
    '/ShadingType 2/Domain/a/Function<</FunctionType 2/Domain[0 1]/C0[1]/C1[1]/N 1>>',
  ),
  'a pattern of a third kind': file({
    content: `${RENT} /Pattern cs /P scn 0 0 300 90 re f`,
    resources:
      '/Pattern<</P<</PatternType 3/Shading<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 300 0]/Function<</FunctionType 2/Domain[0 1]/C0[1]/C1[1]/N 1>>>>>>>>',
  }),
  'a shading from a point to itself': shaded(
    '/ShadingType 2/Extend[true true]/Function<</FunctionType 2/Domain[0 1]/C0[1]/C1[1]/N 1>>',
    '[9 9 9 9]',
  ),
  'text that is saved inside': drawn('BT /F1 18 Tf 20 100 Td q 1 0 0 1 20 40 Tm Q (RENT 900) Tj ET'),
  'a clip inside of text': drawn(`BT /F1 18 Tf 20 100 Td 0 0 300 50 re W (RENT 900) Tj n ET ${PLUS}`),
  'text in text': drawn('BT BT /F1 18 Tf 20 100 Td (RENT 900) Tj ET ET'),
  'an end of text without a beginning': drawn(`ET ${RENT}`),
  'more that is restored than saved': drawn(`${RENT} 1 0 0 1 0 -40 cm Q ${RENT}`),
  'blanks that clip': drawn(`q BT /F1 90 Tf 20 200 Td 7 Tr (  ) Tj ET 0 150 400 200 re f Q ${RENT}`),
  'text that clips and is drawn in another way at its end': drawn(
    `q BT /F1 90 Tf 20 200 Td 7 Tr (RENT) Tj 0 Tr ET 0 150 400 200 re f Q ${RENT}`,
  ),
  'text that clips, not hostile': drawn(
    `q BT /F1 90 Tf 20 200 Td 7 Tr (RENT ) Tj ET 0 150 400 200 re f Q ${RENT}`,
  ),
  'text that clips text beside it': drawn('BT /F1 18 Tf 7 Tr 20 60 Td (PLUS) Tj 0 Tr 20 40 Td (RENT) Tj ET'),
  'text with a name in it': drawn('BT /F1 18 Tf 20 100 Td [(RENT)/a(900)] TJ ET'),
  'a page that says it is a glyph': drawn(`1 0 0 0 1 1 d1 ${RENT} ${PLUS}`),
  'a glyph that reaches out of its box': lettered('10 0 0 0 2 2 d1 0 0 10 10 re f'),
  'a glyph far from its box': lettered('10 0 50 50 60 60 d1 0 0 10 10 re f'),
  'a glyph that tells its box late': lettered('1 g 10 0 0 0 10 10 d1 0 0 10 10 re f'),
  'a glyph with a line that is wider than its box': lettered('10 0 0 0 10 10 d1 60 w 0 5 m 10 5 l S'),
  'a glyph with a line that does not tell its width': lettered('10 0 0 0 10 10 d1 0 5 m 10 5 l S'),
  'a glyph with a form in its box': lettered('10 0 0 0 10 10 d1 /X Do'),
  'a glyph whose form the page has, and its font not': lettered(
    '10 0 d0 /X Do',
    '/FirstChar 65/LastChar 65/Widths[10]',
  ),
  'an inline image with a table of colours, not hostile': drawn(
    Buffer.from(
      `q 9 0 0 9 0 0 cm BI /W 1 /H 1 /BPC 8 /CS [/I /RGB 1 <000000FFFFFF>] ID \x01\nEI\nQ\n${RENT}`,
      'latin1',
    ),
  ),
  'a glyph in its box, not hostile': lettered(
    '10 0 0 0 10 10 d1 q 10 0 0 10 0 0 cm 0 0 1 1 re f Q 1 j 1 w 0 5 m 10 5 l S',
  ),
  'glyphs of content whose outlines are drawn': inWay('1 Tr'),
  'glyphs of content that clip': inWay('7 Tr'),
  'glyphs of content that clip, in a form': file({
    content: `${RENT} 7 Tr /X Do`,
    resources: '/XObject<</X 20 0 R>>',
    more: [
      [20, form('BT /T3 18 Tf 20 60 Td (A) Tj ET', `${FORM}/Resources<</Font<</T3 21 0 R>>>>`)],
      [
        21,
        '<</Type/Font/Subtype/Type3/FontBBox[0 0 10 10]/FontMatrix[.1 0 0 .1 0 0]/CharProcs<</a 22 0 R>>/Encoding<</Differences[65/a]>>/FirstChar 65/LastChar 65/Widths[10]/Resources<<>>>>',
      ],
      [22, stream(Buffer.from('10 0 d0 0 0 10 10 re f'))],
    ],
  }),
  'glyphs of content that are hidden, not hostile': inWay('3 Tr'),
  'a glyph with lines that are white to some': inWay('1 G', SPOKEN),
  'a glyph with lines in the colour of areas, not hostile': inWay('1 0 0 RG 1 0 0 rg', SPOKEN),
  'a glyph with lines in a colour of its own, not hostile': inWay('1 G', '10 0 d0 0 G 2 w 0 5 m 10 5 l S'),
  'text without a font': drawn('BT 20 60 Td (PLUS) Tj ET'),
  'text of a form as wide as the text around it': formed('50 Tz /X Do', 'BT /F1 18 Tf 9 9 Td (PLUS) Tj ET'),
  'text of a form as high as the text around it': formed('90 Ts /X Do', 'BT /F1 18 Tf 9 9 Td (PLUS) Tj ET'),
  'lines of a form at the distance of those around it': formed(
    '20 TL /X Do',
    'BT /F1 18 Tf 9 30 Td (PLUS) Tj T* (5000) Tj ET',
  ),
  'text of a form that tells how it is set, not hostile': formed(
    '50 Tz 9 Ts 20 TL /X Do',
    'BT /F1 18 Tf 100 Tz 0 Ts 9 TL 9 30 Td (PLUS) Tj T* (5000) Tj ET',
  ),
  'a pattern in the colour before it': formed('1 g /Pattern cs /P scn 0 0 300 200 re f', '0 0 90 90 re f'),
  'lines of a pattern in the colour of others': formed(
    '/Pattern cs /P scn 1 G 0 0 300 200 re f',
    '9 w 0 9 m 90 9 l S',
  ),
  'a pattern in a colour of its own, not hostile': formed(
    '1 g 1 G /Pattern cs /P scn 0 0 300 200 re f',
    '0 g 0 G 9 w 0 0 90 90 re b',
  ),
  'text of a pattern in the way of that around it': formed(
    '3 Tr /Pattern cs /P scn 0 0 300 200 re f',
    'BT /F1 18 Tf 9 9 Td (PLUS) Tj ET',
  ),
  'text of a pattern in a way of its own, not hostile': formed(
    '3 Tr /Pattern cs /P scn 0 0 300 200 re f',
    'BT /F1 18 Tf 0 Tr 9 9 Td (PLUS) Tj ET',
  ),
  'dashes of no length with square ends': drawn(`${RENT} 2 J [0 30] 0 d 8 w 0 60 m 300 60 l S`),
  'dashes of no length with square ends of a state': file({
    content: `/GS gs ${RENT} 8 w 0 60 m 300 60 l S`,
    resources: '/ExtGState<</GS 21 0 R>>',
    more: [[21, '<</LC 2/D[[0 30]0]>>']],
  }),
  'dashes that are far shorter than their line is wide': drawn(
    `${RENT} [.05 .15] 0 d 12 w 0 60 m 300 60 l S`,
  ),
  'dashes that are far shorter than their gaps': drawn(`${RENT} [.05 1] 0 d 1 w 0 60 m 300 60 l S`),
  'dashes of a state that are too short': file({
    content: `/GS gs ${RENT} 0 60 m 300 60 l S`,
    resources: '/ExtGState<</GS 21 0 R>>',
    more: [[21, '<</LW 12/D[[.05 .15]0]>>']],
  }),
  'dashes of a form in a line whose width is from around': inForm('12 w', '[.3 .6] 0 d 0 20 m 200 20 l S'),
  'dashes of a form that are from around': inForm('[.3 .6] 0 d', '12 w 0 20 m 200 20 l S'),
  'dashes of a form that tells them, not hostile': inForm('12 w [1] 0 d', '2 w [2 3] 0 d 0 20 m 200 20 l S'),
  'dashes and dots as writers make them, not hostile': drawn(
    `${RENT} [0 8] 0 d .2 w 0 50 m 300 50 l S [1 3] 0 d 6 w 0 60 m 300 60 l S 2 J .5 w [.001 2] 0 d 0 80 m 300 80 l S`,
  ),
  'points with square ends in one path': drawn(`${RENT} 2 J 8 w 90 60 m 90 60 l 120 60 m 120 60 l S`),
  'points with round ends in one path, not hostile': drawn(
    `${RENT} 1 J 2 w 90 60 m 90 60 l 120 60 m 120 60 l S`,
  ),
  'dots with round ends, not hostile': drawn(`${RENT} 1 J [0 30] 0 d 8 w 0 60 m 300 60 l S`),
  'a point that is a line with round ends, not hostile': drawn(`${RENT} 1 J 1 w 90 100 m 90 100 l S`),
  'a point that is a curve with round ends': drawn(`${RENT} 1 J 8 w 9 9 m 9 9 9 9 9 9 c 9 20 m 90 20 l S`),
  'a point that is a box with square ends': drawn(`${RENT} 2 J 8 w 90 100 0 0 re S`),
  'a point that a curve leaves, not hostile': drawn(
    `${RENT} 1 J 8 w 90 100 m 90 100 90 100 95 100 c S 9 9 m S`,
  ),
  'a group whose parts hide each other': grouped('/K true', `${PLUS} /GS gs 1 g 0 0 200 40 re f`),
  'a group whose parts hide each other, with none that shines through, not hostile': grouped(
    '/K true',
    `${PLUS} .5 g 0 0 200 10 re f`,
  ),
  'a group whose parts shine through, not hostile': grouped('/I true', `/GS gs 0 0 200 10 re f`),
  'a mask by opacity with a ground': file({
    content: `/GS gs ${RENT}`,
    resources: '/ExtGState<</GS<</SMask<</S/Alpha/G 20 0 R/BC[1]>>>>>>',
    more: [[20, form('0 0 200 40 re f', `${FORM}/Group<</S/Transparency/CS/DeviceGray>>/Resources<<>>`)]],
  }),
  'circles that touch inside, and go on': shaded(
    '/ShadingType 3/Extend[false true]/Function<</FunctionType 2/Domain[0 1]/N 1>>',
    '[100 80 60 120 80 40]',
  ),
  'circles that are alike, and go on': shaded(
    '/ShadingType 3/Extend[true true]/Function<</FunctionType 2/Domain[0 1]/N 1>>',
    '[80 80 40 200 80 40]',
  ),
  'circles inside of each other that go on, not hostile': shaded(
    '/ShadingType 3/Extend[true true]/Function<</FunctionType 2/Domain[0 1]/N 1>>',
    '[100 80 0 110 80 60]',
  ),
  'circles that touch inside, not hostile': shaded(
    '/ShadingType 3/Function<</FunctionType 2/Domain[0 1]/N 1>>',
    '[100 80 60 120 80 40]',
  ),
  'a measured space whose white is that of no light': coloured(
    '[/CalGray<</WhitePoint[.0001 1 .0001]>>]',
    '/CS cs 1 scn',
  ),
  'a measured space that makes all lighter': coloured(
    '[/CalRGB<</WhitePoint[.95 1 1.09]/Gamma[.5 .5 .5]>>]',
    '/CS cs .1 .1 .1 scn',
  ),
  'a measured space with a matrix beyond all colours': coloured(
    '[/CalRGB<</WhitePoint[.95 1 1.09]/Matrix[5 -5 0 -5 6 0 .95 0 1.09]>>]',
    '/CS cs 0 1 0 scn',
  ),
  'a measured space as cameras have it, not hostile': coloured(
    '[/CalRGB<</WhitePoint[.9505 1 1.089]/Gamma[2.2 2.2 2.2]/Matrix[.41 .21 .02 .36 .72 .12 .18 .07 .95]>>]',
    '/CS cs .1 .1 .1 scn',
  ),
  'a font with widths that are too many': fonted('/FirstChar 32/LastChar 33/Widths[900 900 900 900]'),
  'a font with widths of no code': fonted('/Widths[900 900]'),
  'a font with a negative width': fonted('/FirstChar 32/LastChar 33/Widths[-900 900]'),
  'a font whose glyphs nobody knows': fonted('/Encoding<</Differences[80/g65]>>'),
  'a font with glyphs by their usual names, not hostile': fonted(
    '/Encoding<</Differences[0/.notdef 80/P/Eacute/afii10017/uni0041/Euro]>>',
  ),
  'a font whose differences are words': fonted('/Encoding<</Differences[82(P)]>>'),
  'a page with units of no length': file({ entries: '/UserUnit 0' }),
  'a page with units that are a name': file({ entries: '/UserUnit/a' }),
  'a page that shows more than it has': file({ entries: '/MediaBox[0 0 300 200]/CropBox[0 90 300 500]' }),
  'a page that shows no box': file({ entries: '/CropBox[0 0/a 90]' }),
  'a link with a border that covers text': annotated('/Subtype/Link/F 4/Border[0 0 90]/C[1 1 1]'),
  'a link with the border that readers give it, not hostile': annotated('/Subtype/Link/F 4'),
  'a number that goes on': drawn(`1-200 0 0 1 0 0 cm ${RENT}`),
  'operands that are missing': drawn(`${RENT} 1 0 0 cm ${PLUS}`),
  'operands that are too many': drawn(`7 1 0 0 1 0 400 cm ${RENT}`),
  'text that three numbers move': drawn(`${RENT} BT /F1 18 Tf 20 60 900 Td (PLUS 5000) Tj ET`),
  'an operator that nobody knows': drawn(`${RENT} 1 hide ${PLUS}`),
  'a path without a beginning': drawn(`${'20 20 l '.repeat(15)} S ${RENT}`),
  'a string without an end': drawn(`${RENT} (`),
  'text outside of text': drawn(`${RENT} (PLUS 5000) Tj`),
  'content whose part ends in a comment': file({
    entries: '',
    more: [
      [10, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<${FONTS}>>/Contents[11 0 R 12 0 R]>>`],
      [11, stream(Buffer.from(`${RENT} % and`))],
      [12, stream(Buffer.from(PLUS))],
    ],
  }),
  'content whose part ends in a string': file({
    more: [
      [10, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<${FONTS}>>/Contents[11 0 R 12 0 R]>>`],
      [11, stream(Buffer.from('BT /F1 18 Tf 20 100 Td (RENT'))],
      [12, stream(Buffer.from(' 900) Tj ET'))],
    ],
  }),
  'content that is not there': file({ more: [[11, 'null']] }),
  'content that refers to nothing': () => {
    const all = objects({});
    all.delete(11);
    return writeTable(all);
  },
  'content of another generation': file({
    more: [[10, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<<${FONTS}>>/Contents 11 3 R>>`]],
  }),
  'a layer that is not there': layered('99 0 R'),
  'a layer that is null': layered('null'),
  'a layer that is an object of null': layered('23 0 R'),
  'an opacity that is not there': state('/ca 99 0 R'),
  'an opacity that is null': state('/ca null'),
  'a space of colours that is not there': file({
    content: `${RENT} q 90 0 0 90 20 150 cm /X Do Q`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, stream(Buffer.from([0]), `${IMAGE}/ColorSpace 99 0 R`)]],
  }),
  'widths of a font that are not there': file({
    more: [[3, '<</Type/Font/Subtype/TrueType/BaseFont/Arial/FirstChar 32/LastChar 33/Widths 99 0 R>>']],
  }),
  'a shading that is not there, named like what leads to another page': file({
    content: `/Pattern cs /P scn 20 20 200 200 re f ${RENT}`,
    resources: '/Pattern<</P<</PatternType 2/Shading 99 0 R>>>>',
  }),
  'an annotation whose window is not there, not hostile': annotated(
    '/Subtype/Stamp/F 4/AP<</N 21 0 R>>/Popup 99 0 R/P 98 0 R',
  ),
  'content packed by gzip': file({ more: [[11, stream(gzipSync(RENT), '/Filter/FlateDecode', false)]] }),
  'content packed in a way that nobody knows': file({
    more: [[11, stream(Buffer.from(RENT), '/Filter/Own', false)]],
  }),
  'content whose data are cut': file({
    more: [[11, stream(deflateSync(Buffer.from(RENT)).subarray(0, -6), '/Filter/FlateDecode', false)]],
  }),
  'hexadecimal content with other letters': file({
    more: [
      [11, stream(Buffer.from(`${Buffer.from(RENT).toString('hex')}xyz>`), '/Filter/ASCIIHexDecode', false)],
    ],
  }),
  'a stream with the word of its end inside': file({
    more: [[11, stream(Buffer.from(`${RENT} % endstream \n${PLUS}`), '', false)]],
  }),
  'a font that is not there': drawn('BT /F9 18 Tf 20 100 Td (RENT 900) Tj ET'),
  'a form that is not there': drawn(`${RENT} /X Do`),
  'a form without a box': file({
    content: `${RENT} /X Do`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, form(PLUS, `/Subtype/Form/Resources<<${FONTS}>>`)]],
  }),
  'a form that is drawn on itself': file({
    content: `${RENT} /X Do`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, form(`${PLUS} /X Do`, `${FORM}/Resources<<${FONTS}/XObject<</X 20 0 R>>>>`)]],
  }),
  'forms that nest too deep': file({
    content: `${RENT} /X Do`,
    resources: '/XObject<</X 50 0 R>>',
    more: Array.from({ length: 150 }, (_, index) => [
      50 + index,
      form(index === 149 ? PLUS : '/X Do', `${FORM}/Resources<<${FONTS}/XObject<</X ${51 + index} 0 R>>>>`),
    ]),
  }),
  'a form for a page of another file': file({
    content: `${RENT} /X Do`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, form(PLUS, `${FORM}/Ref<</F(other.pdf)/Page 0>>/Resources<<${FONTS}>>`)]],
  }),
  'a picture with another one for printing': file({
    content: `${RENT} /X Do`,
    resources: '/XObject<</X 20 0 R>>',
    more: [
      [
        20,
        stream(
          Buffer.from([0]),
          '/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Alternates[<</Image 23 0 R/DefaultForPrinting true>>]',
        ),
      ],
      [
        23,
        stream(Buffer.from([9]), '/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray'),
      ],
    ],
  }),
  'a picture in another file': file({
    content: `${RENT} /X Do`,
    resources: '/XObject<</X 20 0 R>>',
    more: [[20, stream(Buffer.from([0]), '/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/F(other.png)')]],
  }),
  'an ink that is none': file({
    content: `${RENT} /CS cs 0 scn 0 0 300 300 re f`,
    resources: '/ColorSpace<</CS[/Separation/None/DeviceGray 22 0 R]>>',
    more: [[22, '<</FunctionType 2/Domain[0 1]/C0[1]/C1[1]/N 1>>']],
  }),
  'a blend that nobody knows': state('/BM/Own'),
  'a box outside of the page': file({ entries: '/MediaBox[0 0 595 842]/CropBox[900 900 950 950]' }),
  'a page that is turned by ten degrees': file({ entries: '/Rotate 10' }),
  'a page whose parent is another node': () => {
    const all = objects({});
    all.set(2, '<</Type/Pages/Kids[5 0 R]/Count 1>>');
    all.set(5, '<</Type/Pages/Parent 2 0 R/Kids[10 0 R]/Count 1/Rotate 0>>');
    all.set(6, '<</Type/Pages/Parent 2 0 R/Kids[10 0 R]/Count 1/Rotate 180>>');
    all.set(10, String(all.get(10)).replace('/Parent 2 0 R', '/Parent 6 0 R'));
    return writeTable(all);
  },
  'an annotation of an unknown kind': annotated('/Subtype/Own/F 1/AP<</N 21 0 R>>'),
  'an annotation that is printed alone': annotated('/Subtype/Stamp/F 36/AP<</N 21 0 R>>'),
  'a watermark at a place of its own in print': annotated(
    '/Subtype/Watermark/F 4/FixedPrint<</Type/FixedPrint>>/AP<</N 21 0 R>>',
  ),
  'a text without an appearance': annotated('/Subtype/FreeText/F 4/Contents(PLUS 5000)/DA(/F1 18 Tf)'),
  'a field that is filled in without an appearance': annotated(
    '/Subtype/Widget/FT/Tx/F 4/V(OTHER 7000)',
    [],
    listed,
  ),
  'a field of no form that is filled in without an appearance': annotated(
    '/Subtype/Widget/FT/Tx/F 4/V(OTHER 7000)',
  ),
  'a field that readers draw again': annotated(
    '/Subtype/Widget/FT/Tx/F 4/V(OTHER 7000)/AP<</N 21 0 R>>',
    [],
    '/AcroForm<</Fields[20 0 R]/NeedAppearances true>>',
  ),
  'a box whose state is missing': annotated(
    '/Subtype/Widget/FT/Btn/F 4/V/Yes/AP<</N<</Yes 21 0 R>>>>',
    [],
    listed,
  ),
  'a box whose state is unknown': annotated(
    '/Subtype/Widget/FT/Btn/F 4/V/No/AS/No/AP<</N<</Yes 21 0 R>>>>',
    [],
    listed,
  ),
  'a box that is ticked and shown empty': annotated(
    '/Subtype/Widget/FT/Btn/F 4/V/Yes/AS/Off/AP<</N<</Yes 21 0 R/Off 21 0 R>>>>',
    [],
    listed,
  ),
  'an appearance without resources': annotated('/Subtype/Stamp/F 4/AP<</N 21 0 R>>', [
    [21, form(PLUS, FORM)],
  ]),
  'layers that change when the file is opened': file({
    catalog: '/OCProperties<</OCGs[30 0 R]/D<<>>>>/OpenAction<</S/SetOCGState/State[/OFF 30 0 R]>>',
    more: [[30, '<</Type/OCG/Name(a)>>']],
  }),
  'a collection that opens another file': file({ catalog: '/Collection<</D(other.pdf)/View/D>>' }),
  'an appearance that the seal would write': file({
    entries: `/Annots[${Array.from({ length: 40 }, (_, index) => `${30 + index} 0 R`).join(' ')}]`,
    more: Array.from({ length: 40 }, (_, index) => [
      30 + index,
      `<</Type/Annot/Subtype/Widget/FT/Tx/Ff 1/F 4/T(f${index})/Rect[0 0 500 500]/AP<</N ${70 + index} 0 R>>>>`,
    ]),
  }),
  'a stream of objects whose index disagrees': () => {
    const all = objects({ more: [[12, '<</Type/Annot>>']] });
    return swapped(all, '12', '13');
  },
  'a stream of objects that holds one twice': () =>
    swapped(objects({ more: [[12, '<</Type/Annot>>']] }), '12', '10'),
  'content whose length is less than there is': file({
    more: [
      [11, cutContent],
      [15, String(RENT.length)],
    ],
  }),
  'content whose length is less than there is, in a stream of objects': () =>
    writeStreams(
      objects({
        more: [
          [11, cutContent],
          [15, String(RENT.length)],
        ],
      }),
    ),
  'content of a length below nothing': file({
    more: [[11, `<</Length -5>>\nstream\n${RENT}\nendstream`]],
  }),
  'a stream of objects that counts with a point': () => {
    const honest = writeStreams(objects({}), { listsItself: false });
    return changed(honest, (text) =>
      text
        .replace(/(\/ObjStm\/N \d+)/, '$1.0')
        .replace(/(?<=startxref\n)\d+/, (start) => String(Number(start) + 2)),
    );
  },
  'an object of a generation that is too high': () =>
    changed(file({ more: [[10, pageWith('/MediaBox[0 0 595 842]', '11 70000 R')]] })(), (text) =>
      text
        .replace('\n11 0 obj', '\n11 70000 obj')
        .replace(' 00000 n \ntrailer', ' 70000 n \ntrailer')
        .replace(/(?<=startxref\n)\d+/, (start) => String(Number(start) + 4)),
    ),
  'a root of pages of another generation': file({ more: [[1, '<</Type/Catalog/Pages 2 1 R>>']] }),
  'a font behind two references': file(behindTwo),
  'a table that leaves out an object in a file that is repaired': () => hidden(),
  'a table that leaves out an object, and has a malformed row, in a file that is repaired': () =>
    hidden((text) => text.replace('0000000000 65535 f', '000000000 65535 f')),
  'two catalogs in a file that is repaired': () =>
    changed(misled({ more: [[20, '<</Pages 2 0 R>>']] })(), (text) => `${text}trailer\n<</Root 20 0 R>>\n`),
  'a name twice in a file that is repaired': misled({ entries: '/MediaBox[0 0 9 9]/MediaBox[0 0 595 842]' }),
  'a file that is repaired, not hostile': misled({}),
  'a font behind two references in a file that is repaired': misled(behindTwo),
  'a stream with the word of its end inside in a file that is repaired': misled(withEndInside),
  'a number of pages behind two references': file({
    more: [
      [2, '<</Type/Pages/Kids[10 0 R]/Count 15 0 R>>'],
      [15, '16 0 R'],
      [16, '1'],
    ],
  }),
  'a page whose kind is another one, behind a reference': file({
    more: [
      [10, pageWith('/MediaBox[0 0 595 842]').replace('/Type/Page', '/Type 15 0 R')],
      [15, '/Pages'],
    ],
  }),
  'a page with a value without a name': file({
    more: [[10, pageWith('/MediaBox[0 0 595 842]').replace('<<', '<<(x)')]],
  }),
  'a page with a text of nothing, not hostile': file({ entries: '/LastModified<>/X<</Y<>>>' }),
  'a page with two values of one name': file({ entries: '/Rotate 0 90' }),
  'a page whose box has a number with two signs': file({ entries: '/MediaBox[--40 0 400 400]' }),
  'a page whose box has a number that is too large': file({ entries: '/MediaBox[0 0 400 99999999999]' }),
  'a page that is turned by a number with letters': file({ entries: '/Rotate 90abc' }),
  'a font that is a stream': file({
    more: [[3, stream(Buffer.alloc(3), '/Type/Font/Subtype/Type1/BaseFont/Helvetica')]],
  }),
  'resources that are a stream': file({
    more: [
      [10, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources 15 0 R/Contents 11 0 R>>'],
      [15, stream(Buffer.alloc(3), FONTS)],
    ],
  }),
  'a linearisation of another first page': () => linearized('/O 999/N 1/E 9/T 9/H[9 9]'),
  'a linearisation of other pages': () => linearized('/O 10/N 2/E 9/T 9/H[9 9]'),
  'a linearisation whose hints are not there': () => linearized('/O 10/N 1/E 9/T 9/H[9 9]'),
  'a linearisation with an end of nothing': () => linearized('/O 10/N 1/E 0/T 9/H[9 9]'),
  'a linearisation behind a comment like an object': () =>
    linearized('/O 999/N 1/E 9/T 9/H[9 9]', { comment: '%1 0 obj\n' }),
  'a linearisation behind a long comment': () =>
    linearized('/O 999/N 1/E 9/T 9/H[9 9]', { comment: `%${'x'.repeat(20_000)}\n` }),
  'a linearisation that its dictionary says late': () =>
    linearized('/O 999/N 1/E 9/T 9/H[9 9]', { first: `/Pad(${'x'.repeat(20_000)})` }),
};

/** The objects in a stream, in whose head one number is another. */
function swapped(all: Objects, from: string, to: string): Buffer {
  const packed = [...all].filter(([, body]) => typeof body === 'string');
  const content = packed.map(([, body]) => `${body}\n`);
  let at = 0;
  const head = packed.map(([number, body]) => {
    const entry = `${String(number) === from ? to : number} ${at}`;
    at += `${body}\n`.length;
    return entry;
  });
  const first = `${head.join(' ')} `;
  const honest = writeStreams(all);
  // The honest file says where the objects are; its stream is packed again, in the room of the old one.
  const start = honest.indexOf('/Type/ObjStm');
  const open = honest.lastIndexOf('<<', start);
  const end = honest.indexOf('endstream', start);
  const body = stream(
    Buffer.from(first + content.join('')),
    `/Type/ObjStm/N ${packed.length}/First ${first.length}`,
  );
  const room = end + 'endstream'.length - open;
  const padded = Buffer.concat([body, Buffer.alloc(Math.max(0, room - body.length), 32)]);
  if (padded.length !== room) throw new Error('The stream has no room');
  return Buffer.concat([honest.subarray(0, open), padded, honest.subarray(open + room)]);
}

/** The dictionary of a linearisation in the first object, which tells the true length. @param first stands before that */
function linearized(entries: string, { comment = '', first = '' } = {}): Buffer {
  const dict = `<<${first}/Linearized 1/L 00000`;
  const all: Objects = new Map([[9, `${dict}>>`], ...objects({})]);
  const file = writeTable(
    new Map([[9, `${dict}${entries}>>`], ...[...all].filter(([number]) => number !== 9)]),
    '',
    comment,
  );
  return Buffer.from(
    file.toString('latin1').replace('/L 00000', `/L ${String(file.length).padStart(5, '0')}`),
    'latin1',
  );
}
