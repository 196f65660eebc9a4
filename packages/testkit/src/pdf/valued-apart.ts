import { file, form, PLUS, RENT } from './drawn-apart.ts';
import { curve, formula, lights, profile, table, tableInParts } from './profiles.ts';
import { WIDTHS, written } from './programs-apart.ts';
import { stream } from './samples.ts';

/*
 * Files whose values, fonts, looks and colours each reader takes in its own way, although every one of them finds them at the same place.
 */

const FONTS = '/Font<</F1 3 0 R/F2 4 0 R>>';
const FORM = `/Type/XObject/Subtype/Form/BBox[0 0 300 200]/Resources<<${FONTS}>>`;
const MARK =
  '/Type/Annot/Subtype/Underline/F 4/Rect[20 50 220 80]/QuadPoints[20 80 220 80 20 50 220 50]/C[0 0 0]';
const AMOUNT = 'BT /F1 18 Tf 20 100 Td (RENT) Tj ET BT /F2 18 Tf 90 100 Td (900) Tj ET';

type More = readonly (readonly [number, string | Buffer])[];

const page = (content: string, more: More = [], { resources = '', entries = '', catalog = '' } = {}) =>
  file({
    ...{ content, entries, catalog, resources: `${FONTS}${resources}` },
    more: [[4, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'], ...more],
  });
const withFont = (font: string, more: More = [], content = AMOUNT) => page(content, [[4, font], ...more]);
const annotated = (annotations: readonly string[], more: More = [], catalog = '') =>
  page(RENT, [...annotations.map((each, index) => [20 + index, `<<${each}>>`] as const), ...more], {
    entries: `/Annots[${annotations.map((_, index) => `${20 + index} 0 R`).join(' ')}]`,
    catalog,
  });
const coloured = (space: string, paint: string, more: More = []) =>
  page(`${RENT} q /CS cs ${paint} ${PLUS} Q`, more, { resources: `/ColorSpace<</CS ${space}>>` });
/** With a table of other lines, and content behind the listed one that is not in it. */
const ownTable =
  (row: (line: string) => string, unlisted = '') =>
  () => {
    const made = page(RENT)().toString('latin1');
    const [, before = '', table = '', start = ''] = /^(.*?)(xref\n0 .*startxref\n)(\d+)/s.exec(made) ?? [];
    const rows = table.replace(/\d{10} \d{5} [nf] ?\r?\n/g, row);
    return Buffer.from(`${before}${unlisted}${rows}${Number(start) + unlisted.length}\n%%EOF\n`, 'latin1');
  };
const LATER = `11 0 obj\n<</Length ${PLUS.length}>>\nstream\n${PLUS}\nendstream\nendobj\n`;
const composite = (entries: string, encoding = '/Identity-H') =>
  withFont(
    `<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding${encoding}/DescendantFonts[7 0 R]>>`,
    [
      [
        7,
        `<</Type/Font/Subtype/CIDFontType2/BaseFont/Own/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 5 0 R${entries}>>`,
      ],
      [5, '<</Type/FontDescriptor/FontName/Own/Flags 4>>'],
    ],
    `${RENT} BT /F2 18 Tf 20 60 Td <0001> Tj ET`,
  );
/** A font whose program begins so. */
const programmed = (subtype: string, key: string, begin: string) =>
  written(key, Buffer.from(begin.padEnd(64, '\0'), 'latin1'), '', subtype);
const GLYPH = '600 0 0 0 600 700 d1 50 0 500 700 re f';
const drawnGlyphs = (widths: string, entries = '/Encoding<</Differences[48/zero 57/nine]>>', glyph = GLYPH) =>
  withFont(
    `<</Type/Font/Subtype/Type3/FontBBox[0 0 600 700]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 48/LastChar 57/Widths[${widths}]${entries}/CharProcs<</zero 20 0 R/nine 20 0 R>>/Resources<<>>>>`,
    [[20, stream(Buffer.from(glyph))]],
  );

/** A page in the colours of a profile of greys. */
const ofGreys = (between: string, ...parts: Parameters<typeof profile>[2]) =>
  coloured('[/ICCBased 22 0 R]', '0 scn', [
    [22, stream(profile('GRAY', between, parts), '/N 1/Alternate/DeviceGray')],
  ]);
const greys = (...points: readonly number[]) => ofGreys('XYZ ', ['kTRC', curve(...points)]);
const ofScreen = (between: string, ...parts: Parameters<typeof profile>[2]) =>
  coloured('[/ICCBased 22 0 R]', '0 0 0 scn', [
    [22, stream(profile('RGB ', between, parts), '/N 3/Alternate/DeviceRGB')],
  ]);
/** With the lights of red, green and blue. */
const ofLights = (...values: readonly number[]) =>
  ofScreen(
    'XYZ ',
    ...['r', 'g', 'b'].map((name): [string, Buffer] => [`${name}TRC`, curve(563)]),
    ...['r', 'g', 'b'].map((name, index): [string, Buffer] => [`${name}XYZ`, lights(values[index] ?? 0)]),
  );
const LIGHTER = [0, 90, 150, 205, 255];
/** A table of red, green and blue, by how light they are together. @param change of one colour in it */
const cube = (change: (node: number) => number | undefined = () => undefined) =>
  Array.from({ length: 125 }, (_, node) => {
    const [red, green, blue] = [Math.floor(node / 25), Math.floor(node / 5) % 5, node % 5];
    return change(node) ?? LIGHTER[Math.round(0.3 * red + 0.6 * green + 0.1 * blue)] ?? 0;
  });
const DARK_NODE = 31;
/** Spaces that share one large profile. */
function sharing(count: number) {
  const names = Array.from({ length: count }, (_, index) => `/C${index}`);
  const large = Buffer.concat([profile('GRAY', 'XYZ ', [['kTRC', curve(563)]]), Buffer.alloc(1 << 20)]);
  return page(
    `${RENT} ${names.map((name) => `${name} cs 0 scn`).join(' ')}`,
    [[22, stream(large, '/N 1/Alternate/DeviceGray')]],
    { resources: `/ColorSpace<<${names.map((name) => `${name}[/ICCBased 22 0 R]`).join('')}>>` },
  );
}

const STAMP = '/Type/Annot/Subtype/Stamp/Rect[20 50 220 80]/AP<</N 30 0 R>>';
const look: More = [[30, form(PLUS, FORM)]];
const FIELD = '/Type/Annot/Subtype/Widget/FT/Tx/T(a)/Ff 1/F 4/Rect[20 50 220 80]';
const SQUARE = '/Type/Annot/Subtype/Square/F 4/C[1 1 1]/AP<</N 31 0 R>>';
const fields = '/AcroForm<</Fields[20 0 R]>>';
const covers: More = [...look, [31, form('1 g 0 0 300 200 re f', FORM)]];

/** Each is refused: `damaged`, or `ambiguous` where what is drawn says so. */
export const VALUED_APART: Readonly<Record<string, () => Buffer>> = {
  'an appearance by a reference with a point': annotated([`${MARK}/AP<</N 30.0 0 R>>`], look),
  'an appearance by a generation with a point': annotated([`${MARK}/AP<</N 30 0.0 R>>`], look),
  'an encoding by a reference with a point': withFont(
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding 7.0 0 R>>',
    [[7, '<</Type/Encoding/Differences[57/four]>>']],
  ),
  'a layer that is off by a reference with a point': page(
    `${RENT} /OC /L BDC ${PLUS} EMC`,
    [[30, '<</Type/OCG/Name(x)>>']],
    {
      resources: '/Properties<</L 30 0 R>>',
      catalog: '/OCProperties<</OCGs[30 0 R]/D<</Order[30 0 R]/OFF[30.0 0 R]>>>>',
    },
  ),
  'a value that is no word': annotated([`${MARK}/X maybe/AP<</N 30 0 R>>`], look),
  'flags with a point behind a reference': annotated([`${STAMP}/F 8 0 R`], [...look, [8, '2.0']]),
  'a code of differences with a point': withFont(
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding/Differences[57.0/four]>>>>',
  ),
  'differences with a point behind a reference': withFont(
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding/Differences 8 0 R>>>>',
    [[8, '[57.0/four]']],
  ),
  'a code of differences with a point behind a reference': withFont(
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding/Differences[8 0 R/four]>>>>',
    [[8, '57.0']],
  ),
  'flags with a point and a comment': annotated([`${STAMP}/F 2.0%\n`], look),
  'flags with a point that something else names as a list': annotated(
    [`${STAMP}/F 8 0 R`, `${MARK}/AP<</N 30 0 R>>/Index 8 0 R`],
    [...look, [8, '2.0']],
  ),
  'a table that ends with a point behind a reference': coloured('[/Indexed/DeviceGray 8 0 R<00FF>]', '0 sc', [
    [8, '1.0'],
  ]),
  'a word behind a list in a reference': annotated([`${MARK}/X[30 0[]R]/AP<</N 30 0 R>>`], look),
  'colours of a profile with a point': coloured('[/ICCBased 22 0 R]', '1 1 1 scn', [
    [22, stream(Buffer.from('none'), '/N 3.0/Alternate/DeviceRGB')],
  ]),
  'samples of an ink with a point': coloured('[/Separation/Own/DeviceGray 22 0 R]', '0 scn', [
    [
      22,
      stream(Buffer.of(255, 0), '/FunctionType 0/Domain[0 1]/Range[0 1]/Size[2.0]/BitsPerSample 8', false),
    ],
  ]),
  'a shift by two signs behind a reference': page(
    `${RENT} /X Do`,
    [
      [8, '--30'],
      [20, form(PLUS, `${FORM}/Matrix[1 0 0 1 0 8 0 R]`)],
    ],
    { resources: '/XObject<</X 20 0 R>>' },
  ),
  'a table of colours with a digit that is none': coloured('[/Indexed/DeviceGray 1<gFFF>]', '0 sc'),
  'lines of 19 bytes in the table': ownTable((line) => `${line.trimEnd()}\n`, LATER),
  'lines of 22 bytes in the table': ownTable((line) => `${line.trimEnd()}   \n`, LATER),
  'a font under an empty name': page(AMOUNT.replace('/F2', '/'), [], {
    resources: '/Font<</F1 3 0 R/ 4 0 R>>',
  }),
  'a field below a white square': annotated(
    [`${FIELD}/AP<</N 30 0 R>>`, `${SQUARE}/Rect[20 45 220 85]`],
    covers,
    fields,
  ),
  'a pattern without resources': page(
    `${RENT} /Pattern cs /P scn 0 0 300 200 re f`,
    [
      [
        20,
        stream(
          Buffer.from(PLUS),
          '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 300 200]/XStep 300/YStep 200',
        ),
      ],
    ],
    { resources: '/Pattern<</P 20 0 R>>' },
  ),
  'a window with an appearance': annotated(
    ['/Type/Annot/Subtype/Popup/F 4/Rect[90 98 101 112]/AP<</N 30 0 R>>'],
    look,
  ),
  'a note without an appearance over a digit': annotated([
    '/Type/Annot/Subtype/Text/F 4/Rect[90 98 101 112]',
  ]),
  'an attached file without an appearance over a digit': annotated([
    '/Type/Annot/Subtype/FileAttachment/F 4/Rect[90 98 101 112]',
  ]),
  'a field with a wide border and no appearance': annotated(
    [`${FIELD}/MK<</BC[1 1 1]>>/BS<</W 9>>`],
    [],
    fields,
  ),
  'a button with words and no appearance': annotated(
    ['/Type/Annot/Subtype/Widget/FT/Btn/Ff 65536/T(a)/F 4/Rect[20 50 220 80]/MK<</CA(PLUS 5000)>>'],
    [],
    fields,
  ),
  'a ticked box without an appearance': annotated(
    ['/Type/Annot/Subtype/Widget/FT/Btn/T(a)/V/Yes/AS/Yes/F 4/Rect[20 50 40 70]'],
    [],
    fields,
  ),
  'an encoding that not all readers know': withFont(
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/MacExpertEncoding>>',
  ),
  'a table of characters of an unknown name': composite('/DW 600', '/Foo-H'),
  'characters of a font that is nowhere': composite('/DW 600'),
  'a program of TrueType under the key of others': programmed('TrueType', 'FontFile3', '\0\x01\0\0'),
  'a program of TrueType in a font of Type 1': programmed('Type1', 'FontFile2', '\0\x01\0\0'),
  'a program behind a byte': programmed('Type1', 'FontFile3', '\0\x01\0\x04\x01'),
  'a program that begins in another way': programmed('Type1', 'FontFile', '%!X'),
  'a font of a graphics state': page('/GS gs BT 20 100 Td (RENT 900) Tj ET', [], {
    resources: '/ExtGState<</GS<</Font[4 0 R 18]>>>>',
  }),
  'glyphs of content without an encoding': drawnGlyphs(WIDTHS, ''),
  'a glyph that is wider than its font tells': drawnGlyphs(`0 ${WIDTHS.slice(4)}`),
  'a profile of other colours than are said': coloured('[/ICCBased 22 0 R]', '0 0 0 scn', [
    [22, stream(profile('GRAY', 'XYZ ', [['kTRC', curve(65_535, 0)]]), '/N 3/Alternate/DeviceRGB')],
  ]),
  'a profile that does not say that it is one': coloured('[/ICCBased 22 0 R]', '0 scn', [
    [
      22,
      stream(
        Buffer.from(
          profile('GRAY', 'XYZ ', [['kTRC', curve(563)]])
            .toString('latin1')
            .replace('acsp', 'none'),
          'latin1',
        ),
        '/N 1/Alternate/DeviceGray',
      ),
    ],
  ]),
  'a profile that turns light to dark': greys(65_535, 0),
  'a profile that is light too early': greys(0, 65_535, 65_535, 65_535, 65_535),
  'a profile by a formula that falls': ofGreys('XYZ ', ['kTRC', formula(1, 1, -1, 1)]),
  'a profile by no power': ofGreys('XYZ ', ['kTRC', curve(0)]),
  'a profile whose curve is cut': ofGreys('XYZ ', ['kTRC', curve(0, 65_535).subarray(0, 14)]),
  'a profile whose green gives no light': ofLights(1, 0, 0),
  'a table of a profile that turns light to dark': ofGreys('Lab ', ['A2B0', table(1, 2, [255, 0])]),
  'a table of a profile with one colour that is white': ofScreen('Lab ', [
    'A2B1',
    table(
      3,
      5,
      cube((node) => (node === DARK_NODE ? 255 : undefined)),
    ),
  ]),
  'a table in parts with one colour that is white': ofScreen('Lab ', [
    'A2B0',
    tableInParts(
      3,
      5,
      cube((node) => (node === DARK_NODE ? 255 : undefined)),
    ),
  ]),
  'a table in parts whose last curve falls': ofScreen('Lab ', [
    'A2B0',
    tableInParts(3, 5, cube(), { last: curve(65_535, 0) }),
  ]),
  'a table of another number of colours': ofScreen('Lab ', ['A2B0', table(1, 2, [0, 255])]),
  'a table of a profile twice': ofGreys(
    'Lab ',
    ['A2B0', table(1, 2, [0, 255])],
    ['A2B0', table(1, 2, [0, 255])],
  ),
  'a table of a newer kind': ofGreys('XYZ ', ['kTRC', curve(563)], ['D2B0', Buffer.from('mpet')]),
};

/** Near to these, and the same to every reader. */
export const VALUED_ALIKE: Readonly<Record<string, () => Buffer>> = {
  'a mark with an appearance': annotated([`${MARK}/AP<</N 30 0 R>>/M(D:2026)/X true`], look),
  'a note with an appearance': annotated(
    ['/Type/Annot/Subtype/Text/F 4/Rect[20 50 220 80]/AP<</N 30 0 R>>'],
    look,
  ),
  'a note that is hidden': annotated(['/Type/Annot/Subtype/Text/F 2/Rect[90 98 101 112]']),
  'flags behind a reference': annotated([`${STAMP}/F 8 0 R`], [...look, [8, '4']]),
  'flags with a comment': annotated([`${STAMP}/F 4%\n`], look),
  'a table that ends behind a reference': coloured('[/Indexed/DeviceGray 8 0 R<00FF>]', '0 sc', [[8, '1']]),
  'short lines in a table that has all objects': ownTable((line) => `${line.trimEnd()}\n`),
  'a list of differences behind a reference': withFont(
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding/Differences 8 0 R>>>>',
    [[8, '[57/nine]']],
  ),
  'a square beside a field': annotated(
    [`${FIELD}/AP<</N 30 0 R>>`, `${SQUARE}/Rect[20 5 220 25]`],
    covers,
    fields,
  ),
  'glyphs of content': drawnGlyphs(WIDTHS),
  'a profile of greys': greys(0, 13_000, 65_535),
  'a profile by a formula': ofGreys('XYZ ', [
    'kTRC',
    formula(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045),
  ]),
  'a profile of a screen': ofLights(0.22, 0.71, 0.07),
  'a profile of three numbers for greys': coloured('[/ICCBased 22 0 R]', '0 scn', [
    [22, stream(profile('RGB ', 'XYZ ', []), '/N 1/Alternate/DeviceGray')],
  ]),
  'a table of greys': ofGreys('Lab ', ['A2B0', table(1, 2, [0, 255])]),
  'a table of a screen': ofScreen('Lab ', ['A2B0', table(3, 5, cube())], ['A2B1', table(3, 5, cube())]),
  'a table in parts': ofScreen('Lab ', ['A2B0', tableInParts(3, 5, cube(), { first: curve(0, 65_535) })]),
  'a large profile that many spaces share': sharing(300),
};
