import { deflateSync } from 'node:zlib';
import { file, form, PLUS, RENT } from './drawn-apart.ts';
import { stream } from './samples.ts';

/*
 * Files of which a reader takes another object, entry, number or end than others do: names with odd codes, streams in the place of
 * dictionaries, lengths that lie, and values of another kind.
 */

const FONTS = '/Font<</F1 3 0 R>>';
const FORM = `/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<<${FONTS}>>`;
const MARK =
  '/Type/Annot/Subtype/Underline/F 4/Rect[20 50 220 100]/QuadPoints[20 100 220 100 20 50 220 50]/C[0 0 0]';

type More = readonly (readonly [number, string | Buffer])[];

const bytes = (text: string) => Buffer.from(text, 'latin1');
const page = (entries: string, resources = FONTS) =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 140]/Resources<<${resources}>>${entries}>>`;
const pdf = (entries: string, more: More = [], resources = FONTS) =>
  file({
    more: [
      [10, bytes(page(entries, resources))],
      [11, stream(bytes(RENT))],
      [12, stream(bytes(`${RENT} ${PLUS}`))],
      ...more,
    ],
  });
const packed = (data: Buffer, entries: string) => stream(data, entries, false);
/** A stream where a dictionary is due. */
const asStream = (entries: string) => packed(bytes(' '), entries);
const marked = (entries: string, more: More = []) =>
  pdf('/Contents 11 0 R/Annots[20 0 R]', [
    [20, bytes(`<<${MARK}${entries}>>`)],
    [21, form(PLUS, FORM)],
    ...more,
  ]);
const inline = (entries: string, data: Buffer) =>
  pdf('/Contents 13 0 R', [
    [
      13,
      packed(
        Buffer.concat([
          bytes(`${RENT} q 200 0 0 20 20 60 cm BI ${entries} ID `),
          data,
          bytes(`\nEI Q ${RENT}`),
        ]),
        '',
      ),
    ],
  ]);
const picture = (entries: string, data: Buffer) =>
  pdf(
    '/Contents 13 0 R',
    [
      [13, stream(bytes(`${RENT} q 200 0 0 20 20 60 cm /X Do Q`))],
      [
        14,
        packed(
          data,
          `/Type/XObject/Subtype/Image/Width 40/Height 20/BitsPerComponent 8/ColorSpace/DeviceGray${entries}`,
        ),
      ],
    ],
    `${FONTS}/XObject<</X 14 0 R>>`,
  );
const named = (first: string, second: string, used: string) =>
  pdf(
    '/Contents 13 0 R',
    [
      [13, stream(bytes(`${RENT} /${used} Do`))],
      [14, form(PLUS, FORM)],
      [15, form(RENT, FORM)],
    ],
    `${FONTS}/XObject<</${first} 14 0 R/${second} 15 0 R>>`,
  );
/** White rows by ITU-T T.6, with the mark of their end. */
const whiteRows = Buffer.from(
  `${'1'.repeat(20)}${'000000000001'.repeat(2)}0000`
    .match(/.{8}/g)
    ?.map((each) => Number.parseInt(each, 2)) ?? [],
);
const black = Buffer.alloc(800);

/** Each is refused: `damaged`, or `ambiguous` where content says so. */
export const MISREAD_APART: Readonly<Record<string, () => Buffer>> = {
  'an entry behind the mark of UTF-8': pdf('/Contents 12 0 R/#EF#BB#BFContents 11 0 R'),
  'two names that are one by UTF-8': named('A\xe9', 'A#C3#A9', 'A\xe9'),
  'two names that are alike for 256 letters': named('A'.repeat(300), 'A'.repeat(256), 'A'.repeat(300)),
  'an entry that ends at a zero': marked('/AP#00<</N 21 0 R>>'),
  'an entry with a code of one digit': marked('/A#5z<</N 21 0 R>>'),
  'an entry that ends in what is white to some': pdf('/Contents 11 0 R/Contents\x80 12 0 R'),
  'an appearance that is a stream': marked('/AP 22 0 R', [[22, asStream('/N 21 0 R')]]),
  'an annotation that is a stream': pdf('/Contents 11 0 R/Annots[20 0 R]', [
    [20, asStream('/Type/Annot/Subtype/Stamp/F 4/Rect[20 50 220 100]/AP<</N 21 0 R>>')],
    [21, form(PLUS, FORM)],
  ]),
  'an encoding that is a stream': pdf('/Contents 11 0 R', [
    [3, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding 22 0 R>>'],
    [22, asStream('/Type/Encoding/Differences[57/one]')],
  ]),
  'parameters that are a stream': pdf('/Contents 13 0 R', [
    [
      13,
      packed(
        deflateSync(Buffer.concat([Buffer.of(0), bytes(RENT)])),
        '/Filter/FlateDecode/DecodeParms 22 0 R',
      ),
    ],
    [22, asStream(`/Predictor 12/Columns ${RENT.length}`)],
  ]),
  'a length that is too large': pdf('/Contents 13 0 R', [
    [13, bytes(`<</Length ${RENT.length + 150}>>\nstream\n${RENT}\nendstream`)],
    [14, packed(bytes(`${' '.repeat(20)}${PLUS}${' 1 w'.repeat(60)}`), '')],
  ]),
  'content that says that it is an attached file': pdf('/Contents 13 0 R', [
    [13, packed(bytes(`${RENT}\n${PLUS}`), '/Type/EmbeddedFile')],
  ]),
  'a string that looks like the beginning of data': pdf('/Contents 13 0 R', [
    [13, packed(bytes(`${RENT} /Span<</ActualText(\nendstream \n)>>BDC EMC ${PLUS}`), '/X(>>stream\nxxxx)')],
  ]),
  'an inline image whose bits have a point': inline('/W 40 /H 20 /BPC 8.0 /CS /G', black),
  'an inline image whose black is a number': inline(
    '/W 200 /H 20 /BPC 1 /CS /G /F /CCF /DP <</K -1/Columns 200/BlackIs1 1>>',
    whiteRows,
  ),
  'an inline image whose black stands twice': inline(
    '/W 200 /H 20 /BPC 1 /CS /G /F /CCF /DP <</K -1/Columns 200/BlackIs1 true/BlackIs1 false>>',
    whiteRows,
  ),
  'an inline image that is a mask in a list': inline('/W 40 /H 20 /IM [true]', Buffer.alloc(100)),
  'an inline image whose filter is a text': inline(
    '/W 40 /H 20 /BPC 8 /CS /G /F (AHx)',
    bytes(`${'ff'.repeat(399)}> `),
  ),
  'a picture in letters behind a mark': picture('/Filter/ASCII85Decode', bytes(`<~${'z'.repeat(200)}~>`)),
  'a picture in letters with zeros inside of a group': picture(
    '/Filter/ASCII85Decode',
    bytes(`!${'z'.repeat(200)}!!!!~>`),
  ),
  'content by LZW that grows in an unknown way': pdf('/Contents 13 0 R', [
    [
      13,
      packed(
        Buffer.of(0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01),
        '/Filter/LZWDecode/DecodeParms<</EarlyChange 2>>',
      ),
    ],
  ]),
  'a box beyond all numbers': pdf(
    '/Contents 13 0 R',
    [
      [13, stream(bytes(`${RENT} /X Do`))],
      [
        14,
        form(
          PLUS,
          `/Type/XObject/Subtype/Form/BBox[-4000000000 -4000000000 +4000000000 +4000000000]/Resources<<${FONTS}>>`,
        ),
      ],
    ],
    `${FONTS}/XObject<</X 14 0 R>>`,
  ),
};

/** Near to these, and the same to every reader. */
export const READ_ALIKE: Readonly<Record<string, () => Buffer>> = {
  'two names with a blank': named('A#20B', 'A#20C', 'A#20B'),
  'names of 120 letters': named('A'.repeat(120), 'B'.repeat(120), 'A'.repeat(120)),
  'an appearance': marked('/AP<</N 21 0 R>>'),
  'an encoding behind a reference': pdf('/Contents 11 0 R', [
    [3, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding 22 0 R>>'],
    [22, '<</Type/Encoding/Differences[57/nine]>>'],
  ]),
  'an inline image by CCITT': inline(
    '/W 200 /H 20 /BPC 1 /CS /G /F /CCF /DP <</K -1/Columns 200/BlackIs1 true>>',
    whiteRows,
  ),
  'a picture in letters': picture('/Filter/ASCII85Decode', bytes(`${'z'.repeat(200)}~>`)),
};
