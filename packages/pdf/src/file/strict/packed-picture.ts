import { type PDF, type PdfDict, PdfNumber } from '@libpdf/core';
import { numberAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { faxRows } from './fax.ts';
import { checkScans } from './jpeg-scans.ts';

/** What a picture says of its data, which tell it too. */
export interface Said {
  readonly width: number;
  readonly height: number;
  readonly bits: number | undefined;
  /** Numbers of a colour; undefined where the data alone tell them. */
  readonly components: number | undefined;
}

const UNKNOWN_LENGTH = 0xff_ff_ff_ff;
const JFIF = [...'JFIF\0'].map((letter) => letter.charCodeAt(0));
const ADOBE = [...'Adobe'].map((letter) => letter.charCodeAt(0));

/**
 * A picture that is packed as one tells its size and its colours a second time, in its data. Some readers believe these, others what
 * stands in the file.
 * @param filter the last one of the picture
 * @param data as that filter takes them
 * @param parameters of that filter
 * @param walks whether there is time to walk over so many bytes
 * @throws {Unclear}
 */
export function checkPacked(
  filter: string,
  data: Uint8Array,
  said: Said,
  {
    pdf,
    parameters,
    walks,
  }: {
    readonly pdf: PDF;
    readonly parameters: PdfDict | undefined;
    readonly walks: (bytes: number) => boolean;
  },
): void {
  switch (filter) {
    case 'DCTDecode':
    case 'DCT':
      checkJpeg(data, said);
      if (walks(data.length)) checkScans(data);
      break;
    case 'CCITTFaxDecode':
    case 'CCF':
      checkFax(pdf, data, said, parameters);
      break;
    case 'JBIG2Decode':
      checkJbig2(data, said);
      break;
    case 'JPXDecode':
      checkJpeg2000(data, said);
  }
}

/** ISO/IEC 10918-1, annex B. */
export function checkJpeg(data: Uint8Array, said: Said): void {
  let at = find(data, [0xff, 0xd8]) + 2;
  let [isJfif, isPlain, hasCodes, components] = [false, false, false, 0];
  if (at < 2) throw new Unclear('A picture by JPEG has no beginning');
  for (; data[at] === 0xff && data[at + 1] !== 0xda; at += 2 + numberIn(data, at + 2, 2)) {
    while (data[at + 1] === 0xff) at++;
    const mark = data[at + 1] ?? 0;
    if (at + 12 > data.length) break;
    hasCodes ||= mark === 0xc4;
    if (mark === 0xe0 && stands(data, JFIF, at + 4)) isJfif = true;
    else if (mark === 0xee && stands(data, ADOBE, at + 4)) isPlain = data[at + 15] === 0;
    else if (mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark)) {
      // Without loss, in steps that build on others, or with arithmetic codes: not all readers draw these.
      if (mark > 0xc2) throw new Unclear('A picture by JPEG is of a rare kind');
      components = data[at + 9] ?? 0;
      const isAsSaid = numberIn(data, at + 5, 2) === said.height && numberIn(data, at + 7, 2) === said.width;
      if (!isAsSaid || data[at + 4] !== 8)
        throw new Unclear('A picture by JPEG has another size than it says');
    }
  }
  if (components !== said.components) throw new Unclear('A picture by JPEG has other colours than it says');
  if (!hasCodes) throw new Unclear('A picture by JPEG does not tell its codes');
  if (said.bits !== undefined && said.bits !== 8)
    throw new Unclear('A picture by JPEG has other bits than it says');
  // One mark says that the colours were changed, and the other that they were not.
  if (isJfif && isPlain && components === 3)
    throw new Unclear('The colours of a picture by JPEG are not clear');
  if (data[at + 1] !== 0xda || find(data, [0xff, 0xd9], at) === -1)
    throw new Unclear('A picture by JPEG has no end');
}

/** ISO 32000-2, 7.4.6. */
function checkFax(pdf: PDF, data: Uint8Array, said: Said, parameters: PdfDict | undefined): void {
  if (data.length === 0) throw new Unclear('A picture by CCITT has no data');
  if ((said.bits ?? 1) !== 1 || said.components !== 1)
    throw new Unclear('A picture by CCITT has other colours than it says');
  if ((numberAt(pdf, parameters, 'Columns') ?? 1728) !== said.width)
    throw new Unclear('A picture by CCITT has another width than it says');
  for (const key of ['BlackIs1', 'EndOfLine', 'EncodedByteAlign', 'EndOfBlock'])
    if (parameters?.has(key) && resolve(pdf, parameters.get(key))?.type !== 'bool')
      throw new Unclear(`/${key} of a picture by CCITT is not clear`);
  for (const key of ['K', 'Rows', 'DamagedRowsBeforeError'])
    if (parameters?.has(key) && !(resolve(pdf, parameters.get(key)) instanceof PdfNumber))
      throw new Unclear(`/${key} of a picture by CCITT is not clear`);
  const isOn = (key: string) => {
    const value = resolve(pdf, parameters?.get(key));
    return value?.type === 'bool' ? value.value : undefined;
  };
  const rows = numberAt(pdf, parameters, 'Rows') ?? 0;
  if (isOn('EndOfBlock') === false && rows > 0 && rows < said.height)
    throw new Unclear('A picture by CCITT has fewer rows than it says');
  faxRows(data, {
    ...{ columns: said.width, rows: said.height, k: numberAt(pdf, parameters, 'K') ?? 0 },
    isAligned: isOn('EncodedByteAlign') === true,
  });
}

/** Segments one behind the other, of which one tells the size of the page (ISO/IEC 14492, 7.2 and 7.4.8). */
function checkJbig2(data: Uint8Array, said: Said): void {
  if ((said.bits ?? 1) !== 1 || said.components !== 1)
    throw new Unclear('A picture by JBIG2 has other colours than it says');
  const [PAGE, END_OF_PAGE, END_OF_FILE] = [48, 49, 51];
  let [pages, at, hasEnded] = [0, 0, false];
  while (at + 11 <= data.length) {
    const number = numberIn(data, at, 4);
    const flags = data[at + 4] ?? 0;
    const few = (data[at + 5] ?? 0) >> 5;
    const isLong = few === 7;
    const references = isLong ? numberIn(data, at + 5, 4) & 0x1fffffff : few;
    const ofReference = number <= 256 ? 1 : number <= 65_536 ? 2 : 4;
    const marks = isLong ? 4 + Math.ceil((references + 1) / 8) : 1;
    const head = 5 + marks + references * ofReference + ((flags & 0x40) === 0 ? 1 : 4);
    if (at + head + 4 > data.length) break;
    const length = numberIn(data, at + head, 4);
    at += head + 4;
    const kind = flags & 0x3f;
    if (length === UNKNOWN_LENGTH || (hasEnded && kind !== END_OF_FILE))
      throw new Unclear('A picture by JBIG2 goes on behind its end');
    hasEnded ||= kind === END_OF_PAGE || kind === END_OF_FILE;
    if (kind === PAGE && at + 8 <= data.length) {
      pages++;
      const height = numberIn(data, at + 4, 4);
      const isAsSaid = height === said.height || height === UNKNOWN_LENGTH;
      if (numberIn(data, at, 4) !== said.width || !isAsSaid)
        throw new Unclear('A picture by JBIG2 has another size than it says');
    }
    at += length;
  }
  if (pages !== 1 || at > data.length) throw new Unclear('A picture by JBIG2 is no page');
}

/** The size stands at the beginning of the packed data, which may be in a box (ISO/IEC 15444-1, A.5.1). */
function checkJpeg2000(data: Uint8Array, said: Said): void {
  const start = find(data, [0xff, 0x4f, 0xff, 0x51]);
  if (start === -1 || start + 42 > data.length) throw new Unclear('A picture by JPEG 2000 has no beginning');
  const [width = 0, height = 0, left = 0, top = 0] = [8, 12, 16, 20].map((at) =>
    numberIn(data, start + at, 4),
  );
  if (width - left !== said.width || height - top !== said.height)
    throw new Unclear('A picture by JPEG 2000 has another size than it says');
  // Without a word on them, four may be inks, or three and how much they cover.
  const components = numberIn(data, start + 40, 2);
  if (said.components === undefined ? components !== 1 && components !== 3 : components !== said.components)
    throw new Unclear('A picture by JPEG 2000 has other colours than it says');
}

/** Most significant byte first; what is behind the end counts as 0. */
function numberIn(data: Uint8Array, at: number, bytes: number): number {
  let number = 0;
  for (let index = at; index < at + bytes; index++) number = number * 256 + (data[index] ?? 0);
  return number;
}

const stands = (data: Uint8Array, bytes: readonly number[], at: number): boolean =>
  bytes.every((byte, index) => data[at + index] === byte);

/** Where some bytes stand in others; -1 for nowhere. */
function find(data: Uint8Array, bytes: readonly number[], from = 0): number {
  const [first = 0] = bytes;
  let at = data.indexOf(first, from);
  while (at !== -1 && !stands(data, bytes, at)) at = data.indexOf(first, at + 1);
  return at;
}
