import { deflateSync } from 'node:zlib';
import { type Objects, objectsOf, stream, writeStreams, writeTable } from './samples.ts';

/*
 * Files that readers of different makes draw in different ways, or that show something else in print, after a while or after the seal.
 */

const FONTS = '/Font<</F1 3 0 R>>';
const RENT = 'BT /F1 18 Tf 20 100 Td (RENT 900) Tj ET';
const PLUS = 'BT /F1 18 Tf 20 60 Td (PLUS 5000) Tj ET';
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
    `<</Type/Page/Parent 2 0 R${box}/Resources<<${FONTS}${resources}>>/Contents 11 0 R${entries}>>`,
  );
  all.set(11, stream(Buffer.from(content as string, 'latin1')));
  for (const [number, body] of more) all.set(number, body);
  return all;
}

const file = (page: Page) => () => writeTable(objects(page));
const drawn = (content: string | Buffer) => file({ content });
const form = (content: string, entries = `${FORM}/Resources<<${FONTS}>>`) =>
  stream(Buffer.from(content), entries);
const annotated = (entries: string, more: Page['more'] = [], catalog = '') =>
  file({
    entries: '/Annots[20 0 R]',
    catalog,
    more: [[20, `<</Type/Annot/Rect[20 60 220 100]${entries}>>`], [21, form(PLUS)], ...more],
  });
const listed = '/AcroForm<</Fields[20 0 R]>>';
const state = (entries: string) =>
  file({ content: `/GS gs ${RENT}`, resources: '/ExtGState<</GS 21 0 R>>', more: [[21, `<<${entries}>>`]] });

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
const shaded = (entries: string) =>
  file({
    content: `${RENT} /S sh`,
    resources: `/Shading<</S<<${entries}/ColorSpace/DeviceGray/Coords[0 0 300 0]>>>>`,
  });
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
const GROUP_FOUR = '/F/CCF/DP<</K -1/Columns 8>>';

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
  'a number that goes on': drawn(`1-200 0 0 1 0 0 cm ${RENT}`),
  'operands that are missing': drawn(`${RENT} 1 0 0 cm ${PLUS}`),
  'operands that are too many': drawn(`7 1 0 0 1 0 400 cm ${RENT}`),
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
  'a linearisation of another first page': () => linearized('/O 999/N 1/E 9/T 9/H[9 9]'),
  'a linearisation of other pages': () => linearized('/O 10/N 2/E 9/T 9/H[9 9]'),
  'a linearisation whose hints are not there': () => linearized('/O 10/N 1/E 9/T 9/H[9 9]'),
  'a linearisation with an end of nothing': () => linearized('/O 10/N 1/E 0/T 9/H[9 9]'),
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

/** The dictionary of a linearisation in the first object, which tells the true length. */
function linearized(entries: string): Buffer {
  const all: Objects = new Map([[9, '<</Linearized 1/L 00000>>'], ...objects({})]);
  const first = writeTable(
    new Map([[9, `<</Linearized 1/L 00000${entries}>>`], ...[...all].filter(([number]) => number !== 9)]),
  );
  return Buffer.from(
    first.toString('latin1').replace('/L 00000', `/L ${String(first.length).padStart(5, '0')}`),
    'latin1',
  );
}
