import { deflateSync } from 'node:zlib';
import { file, PLUS, RENT } from './drawn-apart.ts';
import { objectsOf, stream, writeStreams } from './samples.ts';

/*
 * Files whose packed data readers unpack in different ways: filters and parameters that some find and others do not.
 */

/** Other text in a place where the strict look at content refuses it. */
const HOSTILE = `\n1 2 3 ${PLUS} %`;

/**
 * Rows of one length. Told by the row above, the second one is text that is drawn; as it stands, it is one comment.
 * @returns the rows packed, and the parameters of their predictor
 */
function hiddenRows(text = HOSTILE): { data: Buffer; parameters: string } {
  for (let blanks = 0; blanks < 400; blanks++) {
    const clean = `${' '.repeat(blanks)}${RENT} `;
    const columns = Math.max(clean.length, text.length) + 5;
    const first = Buffer.from(`${clean.padEnd(columns - 1)}%`, 'latin1');
    const shown = Buffer.from(`${text.padEnd(columns - 1)}/`, 'latin1');
    const second = Buffer.from(shown.map((byte, at) => (byte - (first[at] ?? 0) + 256) & 255));
    const isComment = !second.subarray(0, -1).some((byte) => byte === 10 || byte === 13);
    if (!isComment || second.at(-1) !== 10) continue;
    const last = Buffer.concat([Buffer.of(0), Buffer.from('\nq Q'.padEnd(columns))]);
    const data = Buffer.concat([Buffer.of(0), first, Buffer.of(2), second, last]);
    return { data, parameters: `<</Predictor 12/Columns ${columns}>>` };
  }
  throw new Error('No number of blanks makes a comment of the second row.');
}

/** The other way round: as it stands, the second row is text; told by the row above, it is a comment. */
function shownRows(): { data: Buffer; parameters: string } {
  const columns = Math.max(RENT.length, HOSTILE.length) + 20;
  const first = Buffer.from(`${`${RENT} `.padEnd(columns - 1)}%`, 'latin1');
  const second = Buffer.from(`${HOSTILE.padEnd(columns - 1)}\xe5`, 'latin1');
  const data = Buffer.concat([Buffer.of(0), first, Buffer.of(2), second]);
  return { data, parameters: `<</Predictor 12/Columns ${columns}>>` };
}

const content = (data: Buffer, entries: string, more: readonly (readonly [number, string])[] = []) =>
  file({ more: [[11, stream(data, entries, false)], ...more] });

const inline = (filters: string, data: Buffer, more = '') =>
  content(
    Buffer.concat([
      Buffer.from(`${RENT} q 200 0 0 20 20 60 cm BI /W 200 /H 20 /BPC 8 /CS /G ${filters} ${more}ID `),
      data,
      Buffer.from(`\nEI Q ${RENT}`),
    ]),
    '',
  );

const hidden = hiddenRows();
const shown = shownRows();
const [asHidden, asShown] = [deflateSync(hidden.data), deflateSync(shown.data)];
const asHex = Buffer.from(`${asHidden.toString('hex')}>`);
const dots = deflateSync(Buffer.alloc(4000));
const rows = (count: number, method = 0) =>
  deflateSync(
    Buffer.concat(Array.from({ length: count }, () => Buffer.concat([Buffer.of(method), Buffer.alloc(200)]))),
  );

/** Each is refused. Their code is `ambiguous`, or `damaged` where the structure of the file is packed so. */
export const PACKED_APART: Readonly<Record<string, () => Buffer>> = {
  'text in rows whose parameters stand behind a reference': content(
    asHidden,
    '/Filter/FlateDecode/DecodeParms 30 0 R',
    [[30, hidden.parameters]],
  ),
  'text in rows whose parameters stand behind a reference in a list': content(
    asHidden,
    '/Filter[/FlateDecode]/DecodeParms[30 0 R]',
    [[30, hidden.parameters]],
  ),
  'text in rows below hexadecimal digits': content(
    asHex,
    `/Filter[/ASCIIHexDecode/FlateDecode]/DecodeParms[null ${hidden.parameters}]`,
  ),
  'text in rows of one filter of a list': content(
    asHidden,
    `/Filter[/FlateDecode]/DecodeParms[${hidden.parameters}]`,
  ),
  'text in rows': content(asHidden, `/Filter/FlateDecode/DecodeParms${hidden.parameters}`),
  'a list of filters with parameters of one': content(
    asShown,
    `/Filter[/FlateDecode]/DecodeParms${shown.parameters}`,
  ),
  'one filter with a list of parameters': content(
    asShown,
    `/Filter/FlateDecode/DecodeParms[${shown.parameters}]`,
  ),
  'a list of parameters that is too long': content(
    asShown,
    `/Filter[/FlateDecode]/DecodeParms[null ${shown.parameters}]`,
  ),
  'rows that are packed as text again': content(
    asHex,
    `/Filter[/ASCIIHexDecode/FlateDecode]/DecodeParms[${hidden.parameters} null]`,
  ),
  'rows of single bits': content(
    deflateSync(Buffer.from(RENT)),
    '/Filter/FlateDecode/DecodeParms<</Predictor 2/BitsPerComponent 1/Columns 8>>',
  ),
  'a last row that is cut': content(
    deflateSync(hidden.data.subarray(0, -1)),
    `/Filter/FlateDecode/DecodeParms${hidden.parameters}`,
  ),
  'an inline image that is packed by Flate and as a photo': inline('/F[/Fl/DCT]', dots),
  'an inline image that is packed by Flate and as a fax': inline('/F[/Fl/CCF]', dots),
  'an inline image that is packed by Flate twice': inline('/F[/Fl/Fl]', dots),
  'an inline image that is packed by Flate and in digits': inline('/F[/Fl/AHx]', dots),
  'an inline image that is packed by Flate and in an unknown way': inline('/F[/Fl/Own]', dots),
  'an inline image in half of its rows': inline('/F/Fl', rows(10), '/DP<</Predictor 12/Columns 200>> '),
  'an inline image in rows of another length': inline('/F/Fl', rows(20), '/DP<</Predictor 12/Columns 199>> '),
  'an inline image in rows of more colours': inline(
    '/F/Fl',
    rows(20),
    '/DP<</Predictor 12/Columns 200/Colors 3>> ',
  ),
  'an inline image in rows by a predictor that nobody knows': inline(
    '/F/Fl',
    rows(20),
    '/DP<</Predictor 99/Columns 200>> ',
  ),
  'an inline image in rows that are told in an unknown way': inline(
    '/F/Fl',
    rows(20, 9),
    '/DP<</Predictor 12/Columns 200>> ',
  ),
  'an inline image with a list of parameters for one filter': inline(
    '/F/Fl',
    dots,
    '/DP[<</EarlyChange 0>>] ',
  ),
  'an inline image with parameters of one for a list of filters': inline(
    '/F[/Fl]',
    dots,
    '/DP<</EarlyChange 0>> ',
  ),
};

const plain = hiddenRows(`\n${PLUS} %`);
const asPlain = deflateSync(plain.data);

/** The same forms with nothing in them that anybody draws in another way: taken. */
export const PACKED_ALIKE: Readonly<Record<string, () => Buffer>> = {
  'text in rows whose parameters stand behind a reference': content(
    asPlain,
    '/Filter/FlateDecode/DecodeParms 30 0 R',
    [[30, plain.parameters]],
  ),
  'text in rows of one filter of a list': content(
    asPlain,
    `/Filter[/FlateDecode]/DecodeParms[${plain.parameters}]`,
  ),
  'text in rows': content(asPlain, `/Filter/FlateDecode/DecodeParms${plain.parameters}`),
  'text in rows below hexadecimal digits': content(
    Buffer.from(`${asPlain.toString('hex')}>`),
    `/Filter[/ASCIIHexDecode/FlateDecode]/DecodeParms[null ${plain.parameters}]`,
  ),
  'an inline image that is packed by Flate and as text': inline(
    '/F[/AHx/Fl]',
    Buffer.from(`${dots.toString('hex')}>`),
    '/DP[null null] ',
  ),
  'an inline image in rows': inline('/F/Fl', rows(20), '/DP<</Predictor 12/Columns 200>> '),
  'an inline image with parameters that say nothing': inline('/F/Fl', dots, '/DP<</Predictor 1>> '),
};

/** A file whose objects stand in a stream that is packed in this way. */
const structured = (
  pack: (data: Buffer) => { entries: string; data: Buffer },
  more: [number, Buffer][] = [],
) => writeStreams(new Map([...objectsOf(), ...more]), { pack });

/** Files whose streams of objects are packed so. Each is `damaged`. */
export const STRUCTURED_APART: Readonly<Record<string, () => Buffer>> = {
  'objects packed twice': () =>
    structured((data) => ({
      entries: '/Filter[/FlateDecode/FlateDecode]',
      data: deflateSync(deflateSync(data)),
    })),
  'objects packed in digits': () =>
    structured((data) => ({
      entries: '/Filter/ASCIIHexDecode',
      data: Buffer.from(`${data.toString('hex')}>`),
    })),
  'objects in rows whose parameters stand behind a reference': () =>
    structured(
      (data) => ({
        entries: '/Filter/FlateDecode/DecodeParms 9000 0 R',
        data: deflateSync(inRowsOfOne(data)),
      }),
      [[9000, Buffer.from('<</Predictor 12/Columns 1>>')]],
    ),
  'objects in a list of filters with parameters of one': () =>
    structured((data) => ({
      entries: `/Filter[/FlateDecode]/DecodeParms<</Predictor 12/Columns ${data.length}>>`,
      data: deflateSync(data),
    })),
  'objects far behind their dictionary': () =>
    structured((data) => ({ entries: `/Filter/FlateDecode${' '.repeat(2000)}`, data: deflateSync(data) })),
};

/** Each byte in a row of its own. */
function inRowsOfOne(data: Buffer): Buffer {
  return Buffer.from([...data].flatMap((byte) => [0, byte]));
}

/** The same, as writers do it. */
export const inRows = (): Buffer =>
  structured((data) => ({
    entries: '/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 1>>',
    data: deflateSync(inRowsOfOne(data)),
  }));
