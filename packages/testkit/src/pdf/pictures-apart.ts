import { file, form, GREY, PLUS, RENT } from './drawn-apart.ts';
import { plainPdf, stream } from './samples.ts';

/*
 * Pictures and annotations that readers of different makes draw in different ways.
 */

const DOTS = Buffer.from(Array.from({ length: 64 }, (_, index) => (index < 32 ? 40 : 220)));
const SIZE = '/Subtype/Image/Width 8/Height 8';
const BITS = '/BitsPerComponent 1/ColorSpace/DeviceGray';
const BLACK = Buffer.from('ff001001', 'hex'); // eight rows by ITU-T T.6

/** A picture of eight by eight dots, with one beside it as object 21. */
const picture = (entries: string, data = DOTS, beside?: Buffer) =>
  file({
    content: `${RENT} q 300 0 0 200 20 130 cm /X Do Q`,
    resources: '/XObject<</X 20 0 R>>',
    more: [
      [20, stream(data, `${SIZE}${entries}`, !entries.includes('/Filter'))],
      ...(beside ? ([[21, beside]] as const) : []),
    ],
  });
const masked = (entries: string, data = Buffer.alloc(64, 200)) =>
  picture(`${GREY}/SMask 21 0 R`, DOTS, stream(data, `${SIZE}${entries}`));
const fax = (entries: string, colours = BITS, data = BLACK) =>
  picture(
    `${colours}/Filter/CCITTFaxDecode/DecodeParms<<${entries.includes('/K') ? '' : '/K -1'}/Columns 8${entries}>>`,
    data,
  );
const inline = (entries: string, data: string) =>
  file({ content: `${RENT} q 90 0 0 90 20 150 cm BI /W 8 /H 8 ${entries} ID ${data}\nEI Q\n${RENT}` });

const painted = (entries: string) =>
  file({
    content: `/S sh ${RENT}`,
    resources: `/Shading<</S<</ShadingType 2/ColorSpace/DeviceGray/Coords[50 0 150 0]/Function<</FunctionType 2/Domain[0 1]/C0[.9]/C1[.8]/N 1>>${entries}>>>>`,
  });
const segment = (mark: number, ...bytes: readonly number[]) =>
  Buffer.of(0xff, mark, 0, bytes.length + 2, ...bytes);
/** Of each kind the shortest code, for a block that is even. */
const CODES = Buffer.concat([0, 16].map((kind) => segment(0xc4, kind, 1, ...new Array<number>(16).fill(0))));
const NO_MARKS: Buffer<ArrayBuffer> = Buffer.alloc(0);
/** The marks of a picture by JPEG: readers look no further before they decide what it is. */
const jpeg = ({ width = 8, height = 8, components = 1, bits = 8, marks = NO_MARKS, rows = Buffer.of(3) }) =>
  Buffer.concat([
    Buffer.of(0xff, 0xd8),
    marks,
    segment(
      0xc0,
      ...[bits, 0, height, 0, width, components],
      ...Array.from({ length: components }, (_, index) => [index + 1, 0x11, 0]).flat(),
    ),
    CODES,
    segment(
      0xda,
      ...[components, ...Array.from({ length: components }, (_, index) => [index + 1, 0]).flat()],
      ...[0, 63, 0],
    ),
    rows,
    Buffer.of(0xff, 0xd9),
  ]);
/** By the number of its frame. */
const kindOfJpeg = (kind: number) => {
  const data = Buffer.from(jpeg({}));
  data[data.indexOf(Buffer.of(0xff, 0xc0)) + 1] = kind;
  return data;
};
/** The beginning of a picture by JPEG 2000, of 8 by 8 dots. */
export function jpeg2000(components: number): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(42);
  head.writeUInt32BE(0xff4fff51);
  head.writeUInt32BE(8, 8);
  head.writeUInt32BE(8, 12);
  head.writeUInt16BE(components, 40);
  return head;
}
/** Parts of a picture by JBIG2, by their kinds: a page, its end, or something empty. */
export function jbig2(...kinds: readonly number[]): Buffer<ArrayBuffer> {
  const size = Buffer.alloc(19);
  size.writeUInt32BE(8);
  size.writeUInt32BE(8, 4);
  return Buffer.concat(
    kinds.map((kind, number) => {
      const data = kind === 48 ? size : NO_MARKS;
      return Buffer.concat([Buffer.of(0, 0, 0, number, kind, 0, 1, 0, 0, 0, data.length), data]);
    }),
  );
}
const byJpeg = (data: Buffer<ArrayBuffer>, colours = GREY) => picture(`${colours}/Filter/DCTDecode`, data);
const JFIF = segment(0xe0, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0);
const ADOBE = segment(0xee, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0);
const COLOURED = GREY.replace('Gray', 'RGB');

const annotated = (
  entries: string,
  more: readonly (readonly [number, string | Buffer])[] = [],
  catalog = '',
) =>
  file({
    entries: '/Annots[20 0 R]',
    catalog,
    more: [[20, `<</Type/Annot/Rect[20 60 220 100]${entries}>>`], [21, form(PLUS)], ...more],
  });
const field = (entries: string, form = '') =>
  annotated(`/Subtype/Widget/T(a)/F 4${entries}`, [], `/AcroForm<</Fields[20 0 R]${form}>>`);
const shown = '/F 4/AP<</N 21 0 R>>';

const layered = (layer: string) =>
  file({
    content: `/OC /L BDC ${RENT} EMC`,
    resources: `/Properties<</L ${layer}>>`,
    catalog: '/OCProperties<</OCGs[30 0 R 31 0 R]/D<</OFF[31 0 R]>>>>',
    more: [
      [30, '<</Type/OCG/Name(a)>>'],
      [31, '<</Type/OCG/Name(b)>>'],
    ],
  });

/** Layer B is hidden. */
const layeredText = (content: string) =>
  file({
    content,
    resources: '/Properties<</B 30 0 R>>',
    catalog: '/OCProperties<</OCGs[30 0 R]/D<</OFF[30 0 R]>>>>',
    more: [[30, '<</Type/OCG/Name(b)>>']],
  });

const inPattern = (content: string, hidden?: number) =>
  file({
    content: `${RENT} /Pattern cs /P scn 0 150 300 200 re f`,
    resources: '/Pattern<</P 20 0 R>>',
    catalog: `/OCProperties<</OCGs[30 0 R]/D<<${hidden ? `/OFF[${hidden} 0 R]` : ''}>>>>`,
    more: [
      [30, '<</Type/OCG/Name(b)>>'],
      [
        20,
        stream(
          Buffer.from(content),
          '/PatternType 1/TilingType 1/PaintType 1/BBox[0 0 10 10]/XStep 10/YStep 10/Resources<</Properties<</B 30 0 R>>>>',
        ),
      ],
    ],
  });

/** By name. Made when asked for. */
export const PICTURES_APART: Readonly<Record<string, () => Buffer>> = {
  'a mask that has a mask': masked(`${GREY}/Mask[200 200]`),
  'a mask of colours in a table': masked(
    `/BitsPerComponent 8/ColorSpace[/Indexed/DeviceGray 255<${'ff00'.repeat(128)}>]`,
  ),
  'a mask whose ground has other colours than its picture': masked(`${GREY}/Matte[1 1 1]`),
  'a mask with a ground, not hostile': masked(`${GREY}/Matte[1]`),
  'a stencil with a mask': picture('/ImageMask true/Mask[0 0]', Buffer.alloc(8, 15)),
  'a picture of two bytes a dot with colours that are left out': picture(
    '/BitsPerComponent 16/ColorSpace/DeviceGray/Mask[0 30000]',
    Buffer.alloc(128, 20),
  ),
  'a picture by a predictor that nobody knows': picture(`${GREY}/DecodeParms<</Predictor 5/Columns 8>>`),
  'a picture with rows that are told in an unknown way': picture(
    `${GREY}/DecodeParms<</Predictor 12/Columns 8>>`,
    Buffer.alloc(72, 9),
  ),
  'a picture of half bytes by the predictor of TIFF': picture(
    '/BitsPerComponent 4/ColorSpace/DeviceGray/DecodeParms<</Predictor 2/Columns 8/BitsPerComponent 4>>',
    Buffer.alloc(32, 0x31),
  ),
  'a picture by JPEG that is smaller than it says': byJpeg(jpeg({ width: 4 })),
  'a picture by JPEG that is coloured and says that it is grey': byJpeg(jpeg({ components: 3 })),
  'a picture by JPEG of other bits': byJpeg(jpeg({}), '/BitsPerComponent 1/ColorSpace/DeviceGray'),
  'a picture by JPEG whose marks tell two kinds of colours': byJpeg(
    jpeg({ components: 3, marks: Buffer.concat([JFIF, ADOBE]) }),
    COLOURED,
  ),
  'a picture by JPEG that does not tell its codes': byJpeg(
    Buffer.from(jpeg({}).toString('latin1').replace(CODES.toString('latin1'), ''), 'latin1'),
  ),
  'a table of colours that ends at a number with a point': picture(
    '/BitsPerComponent 8/ColorSpace[/Indexed/DeviceGray 255.0 21 0 R]',
    DOTS,
    stream(Buffer.alloc(256, 200)),
  ),
  'a picture of one bit between black and white': picture(`${BITS}/Decode[.6 .4]`),
  'a picture of one bit that is turned, not hostile': picture(`${BITS}/Decode[1 0]`, Buffer.alloc(8, 15)),
  'a shading that is painted with a ground': painted('/Background[0]'),
  'a shading that is painted, not hostile': painted(''),
  'a mask with a function': file({
    content: `/GS gs ${PLUS}`,
    resources: '/ExtGState<</GS 20 0 R>>',
    more: [
      [20, '<</SMask<</S/Luminosity/G 21 0 R/TR<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>>>>>'],
      [
        21,
        stream(
          Buffer.from('1 g 0 0 300 300 re f'),
          '/Subtype/Form/BBox[0 0 300 300]/Group<</S/Transparency/CS/DeviceGray>>/Resources<<>>',
        ),
      ],
    ],
  }),
  'a line below text that is drawn far from its place': annotated(
    '/Subtype/Underline/F 4/C[0 0 0]/QuadPoints[20 180 320 180 20 20 320 20]',
  ),
  'a line below text at its place, not hostile': annotated(
    '/Subtype/Underline/F 4/C[0 0 0]/QuadPoints[20 100 220 100 20 60 220 60]',
  ),
  'a hidden layer in text': layeredText(`BT /F1 18 Tf 20 100 Td (RENT) Tj /OC /B BDC (PLUS) Tj EMC ET`),
  'a hidden layer that ends in text': layeredText(
    `/OC /B BDC BT /F1 18 Tf 20 100 Td (RENT) Tj EMC (PLUS) Tj ET`,
  ),
  'a hidden layer in a pattern': inPattern('/OC /B BDC 0 0 9 9 re f EMC', 30),
  'a layer in a pattern, all of them shown, not hostile': inPattern('/OC /B BDC 0 0 9 9 re f EMC'),
  'a hidden layer around text, not hostile': layeredText(`/OC /B BDC ${PLUS} EMC ${RENT}`),
  'a picture by JPEG whose rows are missing': byJpeg(jpeg({ rows: NO_MARKS })),
  'a picture by JPEG, not hostile': byJpeg(jpeg({})),
  'a picture by JPEG in colours, not hostile': byJpeg(jpeg({ components: 3 }), COLOURED),
  'a picture by JPEG that has no end': byJpeg(jpeg({}).subarray(0, -2)),
  'a picture by JPEG that is packed again': picture(`${GREY}/Filter[/DCTDecode/FlateDecode]`, jpeg({})),
  'a picture by JPEG with arithmetic codes': byJpeg(kindOfJpeg(0xc9)),
  'a picture by JPEG without loss': byJpeg(kindOfJpeg(0xc3)),
  'a picture by JPEG 2000 with a mask in its data': picture(
    `${GREY}/SMaskInData 1/Filter/JPXDecode`,
    jpeg2000(1),
  ),
  'a picture by JPEG 2000 with more colours than it says': picture(`${GREY}/Filter/JPXDecode`, jpeg2000(2)),
  'a picture by JPEG 2000 of four colours that it does not name': picture('/Filter/JPXDecode', jpeg2000(4)),
  'a picture by JBIG2 that goes on behind its page': picture(`${BITS}/Filter/JBIG2Decode`, jbig2(48, 49, 38)),
  'a picture by JPEG 2000 that is none': picture('/Filter/JPXDecode', Buffer.from('none')),
  'a picture by JBIG2 that is none': picture(`${BITS}/Filter/JBIG2Decode`, Buffer.from('none')),
  'a picture by CCITT that is narrower than it says': picture(
    `${BITS}/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 4>>`,
    BLACK,
  ),
  'a picture by CCITT without data': fax('', BITS, Buffer.alloc(0)),
  'a picture by CCITT in bytes': fax('', GREY),
  'a picture by CCITT in colours': fax('', '/BitsPerComponent 1/ColorSpace/DeviceRGB'),
  'a picture by CCITT that is white by a number': fax('/BlackIs1 1'),
  'an inline mask with colours': inline('/IM true /CS /RGB', 'abcdefgh'),
  'an inline mask in bytes': inline('/IM true /BPC 8', 'abcdefgh'),
  'an inline image that may be a mask': inline('/IM 1 /BPC 1 /CS /G', 'abcdefgh'),
  'an inline image without colours': inline('/BPC 1 /F /AHx', '0102030405060708>'),
  'an inline image without bits': inline('/CS /G /F /AHx', `${'01'.repeat(64)}>`),
  'an inline image in digits with too few data': inline('/CS /G /BPC 8 /F /AHx', '0102>'),
  'an inline image in letters with too few data': inline('/CS /G /BPC 8 /F /A85', '5sd~>'),
  'an inline image in digits that hold no packed data': inline(
    '/CS /G /BPC 1 /F [/AHx /Fl]',
    '0102030405060708>',
  ),
  'an inline image by JPEG whose rows are missing': inline(
    '/CS /G /BPC 8 /F /DCT',
    jpeg({ rows: NO_MARKS }).toString('latin1'),
  ),
  'an inline image by JPEG that is narrower than it says': inline(
    '/CS /G /BPC 8 /F /DCT',
    jpeg({ width: 4 }).toString('latin1'),
  ),
  'an inline image by JPEG, not hostile': inline('/CS /G /BPC 8 /F /DCT', jpeg({}).toString('latin1')),
  'an inline image in digits, not hostile': inline('/CS /G /BPC 1 /F /AHx', '0102030405060708>'),
  'a picture by CCITT with rows that are missing': fax('', BITS, Buffer.from('e0020040', 'hex')),
  'a picture by CCITT of group 3 with rows that are missing': fax('/K 0', BITS, Buffer.from('9ce730', 'hex')),
  'a picture by CCITT that counts fewer rows': fax('/EndOfBlock false/Rows 4'),
  'a picture by CCITT, not hostile': fax(''),
  'a picture by CCITT of group 3, not hostile': fax('/K 0', BITS, Buffer.from('9ce739ce73', 'hex')),
  'a link with words': annotated(`/Subtype/Link/Border[0 0 0]${shown}`),
  'a window with words': annotated(`/Subtype/Popup${shown}`),
  'an attached file with words': annotated(`/Subtype/FileAttachment${shown}`),
  'a stamp for readers that do not know stamps': annotated('/Subtype/Stamp/F 5/AP<</N 21 0 R>>'),
  'a stamp with flags that are too many': annotated('/Subtype/Stamp/F 4294967298/AP<</N 21 0 R>>'),
  'a stamp in no area': annotated(`/Subtype/Stamp${shown}`, [
    [21, form(PLUS, '/Subtype/Form/BBox[0 0 200 0]')],
  ]),
  'a stamp with a state that is no look': annotated('/Subtype/Stamp/F 4/AS/Off/AP<</N<</On 21 0 R>>>>'),
  'a stamp that does not turn with its page': file({
    entries: '/Annots[20 0 R]/Rotate 90',
    more: [
      [20, '<</Type/Annot/Subtype/Stamp/Rect[20 60 220 100]/F 20/AP<</N 21 0 R>>>>'],
      [21, form(PLUS)],
    ],
  }),
  'a stamp in a layer that is hidden': annotated(
    `/Subtype/Stamp/OC 30 0 R${shown}`,
    [[30, '<</Type/OCG/Name(a)>>']],
    '/OCProperties<</OCGs[30 0 R]/D<</OFF[30 0 R]>>>>',
  ),
  'a button with a look and no appearance': field('/FT/Btn/Ff 65536/MK<</CA(OTHER)/BG[0]>>'),
  'a button that readers draw again': field(
    '/FT/Btn/Ff 65536/MK<</CA(OTHER)>>/AP<</N 21 0 R>>',
    '/NeedAppearances true',
  ),
  'a list without an appearance': field('/FT/Ch/Opt[(ONE)(TWO)]/DA(/F1 18 Tf 0 g)'),
  'annotations that are no list': file({
    entries: '/Annots 20 0 R',
    more: [
      [20, `<</Type/Annot/Subtype/Stamp/Rect[20 60 220 100]${shown}>>`],
      [21, form(PLUS)],
    ],
  }),
  'a choice of layers by all of them': layered('<</Type/OCMD/OCGs[30 0 R 31 0 R]/P/AllOn>>'),
  'a choice of layers by a condition': layered('<</Type/OCMD/VE[/Not 30 0 R]>>'),
  'a choice among choices of layers': layered('<</Type/OCMD/OCGs[<</Type/OCMD/OCGs 30 0 R>>]>>'),
  'a layer without a kind': layered('<</Name(a)>>'),
  'a layer for something else than to be viewed': layered('<</Type/OCG/Name(a)/Intent/Design>>'),
  'a choice of one layer, not hostile': layered('<</Type/OCMD/OCGs 30 0 R>>'),
  'a string with a code that is too high': file({ content: RENT.replace('900', '\\471') }),
  'a string with a digit that is not octal': file({ content: RENT.replace('900', '\\9') }),
  'a string with an end of line': file({ content: RENT.replace(' 900', '\r900') }),
  'a name with half a code': file({
    content: RENT.replace('/F1', '/F#4'),
    resources: '/Font<</F#4 3 0 R/F1 3 0 R>>',
  }),
  'a page that is turned too often': file({ entries: '/Rotate 3600000090' }),
  'a root of pages with a parent': () =>
    plainPdf({
      root: '/Parent 5 0 R',
      more: new Map([[5, '<</Type/Pages/Rotate 90/Kids[2 0 R]/Count 1>>']]),
    }),
};
