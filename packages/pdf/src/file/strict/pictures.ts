import { type PDF, PdfArray, type PdfDict, PdfName, type PdfObject, PdfStream } from '@libpdf/core';
import { PICTURE_DOTS_MOST } from '../../dots.ts';
import { PdfError } from '../../errors.ts';
import { nameAt, numberAt, numbersAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { type ColourSpaces, GRAY, type Space } from './colour-spaces.ts';
import type { ContentDecoder } from './decode.ts';
import { checkPacked } from './packed-picture.ts';

/** Of the entries of inline images: some readers take them in other pictures too, before the long ones. */
const SHORT_NAMES = ['BPC', 'CS', 'D', 'H', 'IM', 'W'];
const BITS = new Set([1, 2, 4, 8, 16]);
/** Filters whose data tell the bits themselves. */
const TELL_BITS = new Set(['DCTDecode', 'DCT', 'CCITTFaxDecode', 'CCF', 'JBIG2Decode', 'JPXDecode']);

/** Bytes of JPEG that are walked over in a file, which takes about 50 ms each million. */
const MOST_WALKED = 4_000_000;

interface Shape {
  readonly width: number;
  readonly height: number;
  /** undefined where the data tell it. */
  readonly bits: number | undefined;
  readonly space: Space | undefined;
}

/**
 * A picture must tell its size, its colours and its masks itself, and have the data for them (ISO 32000-2, 8.9.5). What is missing is
 * white to one reader, black to another, and to a third the picture is not there.
 */
export class Pictures {
  readonly #pdf: PDF;
  readonly #spaces: ColourSpaces;
  readonly #decoder: ContentDecoder;
  readonly #seen = new Set<PdfDict>();
  #leftToWalk = MOST_WALKED;

  constructor(pdf: PDF, spaces: ColourSpaces, decoder: ContentDecoder) {
    this.#pdf = pdf;
    this.#spaces = spaces;
    this.#decoder = decoder;
  }

  /** @throws {Unclear}; {PdfError} expands_too_far */
  check(picture: PdfStream): void {
    if (this.#seen.has(picture)) return;
    this.#seen.add(picture);
    if (SHORT_NAMES.some((name) => picture.has(name)))
      throw new Unclear('A picture has a name that only inline images have');
    if (picture.has('Alternates')) throw new Unclear('A picture has another one for printing');
    if ((numberAt(this.#pdf, picture, 'SMaskInData') ?? 0) !== 0)
      throw new Unclear('A picture has its mask in its data');
    const shape = this.#shape(picture);
    if (this.#isMask(picture)) checkNoMask(picture);
    this.#checkDecode(picture, shape);
    this.#checkData(picture, shape);
    this.#checkMask(resolve(this.#pdf, picture.get('Mask')), shape);
    const mask = resolve(this.#pdf, picture.get('SMask'));
    if (mask === undefined || mask instanceof PdfName) return;
    if (!(mask instanceof PdfStream) || nameAt(this.#pdf, mask, 'Subtype') !== 'Image' || this.#isMask(mask))
      throw new Unclear('The mask of a picture is malformed');
    this.check(mask);
    checkNoMask(mask);
    const ground = mask.has('Matte') ? numbersAt(this.#pdf, mask, 'Matte') : undefined;
    if (mask.has('Matte') && (!ground || (shape.space && ground.length !== shape.space.components)))
      throw new Unclear('The ground of a mask has other colours than its picture');
    if (nameAt(this.#pdf, mask, 'ColorSpace') !== 'DeviceGray')
      throw new Unclear('The mask of a picture has colours');
  }

  #isMask(picture: PdfDict): boolean {
    const mask = resolve(this.#pdf, picture.get('ImageMask'));
    if (mask !== undefined && mask.type !== 'bool') throw new Unclear('A picture may be a mask');
    return mask?.type === 'bool' && mask.value;
  }

  #shape(picture: PdfStream): Shape {
    const [width = 0, height = 0] = ['Width', 'Height'].map((key) => numberAt(this.#pdf, picture, key));
    if (![width, height].every((size) => Number.isInteger(size) && size > 0))
      throw new Unclear('A picture has no size');
    if (width * height > PICTURE_DOTS_MOST) throw new PdfError('expands_too_far');
    const bits = numberAt(this.#pdf, picture, 'BitsPerComponent');
    const filter = this.#decoder.filters(picture).at(-1) ?? '';
    const space = resolve(this.#pdf, picture.get('ColorSpace'));
    if (this.#isMask(picture)) {
      if (bits !== undefined && bits !== 1) throw new Unclear('A mask has more than one bit');
      return { width, height, bits: 1, space: GRAY };
    }
    if (bits === undefined ? !TELL_BITS.has(filter) : !BITS.has(bits))
      throw new Unclear('A picture does not tell its bits');
    if (space === undefined) {
      if (filter !== 'JPXDecode') throw new Unclear('A picture has no colours');
      return { width, height, bits, space: undefined };
    }
    const read = this.#spaces.read(space);
    if (read.isPattern || (read.last !== undefined && bits === 16))
      throw new Unclear('A picture has colours of another kind');
    return { width, height, bits, space: read };
  }

  #checkDecode(picture: PdfStream, { bits, space }: Shape): void {
    if (!picture.has('Decode')) return;
    const values = numbersAt(this.#pdf, picture, 'Decode');
    const isOfMask = !this.#isMask(picture) || ['0,1', '1,0'].includes(String(values));
    // One bit is one of two: some readers take what is between them, others turn it at most.
    const isOfBit = bits !== 1 || values?.every((value) => value === 0 || value === 1);
    // Between the entries of a table there is nothing.
    const isOfTable = space?.last === undefined || String(values) === `0,${2 ** (bits ?? 8) - 1}`;
    if (
      values === undefined ||
      !isOfMask ||
      !isOfBit ||
      !isOfTable ||
      (space && values.length !== space.components * 2)
    )
      throw new Unclear('The values of a picture are not clear');
  }

  /** Data that are unpacked to the dots themselves must be enough, and others say the same. */
  #checkData(picture: PdfStream, { width, height, bits, space }: Shape): void {
    if (!this.#decoder.isContent(picture)) {
      const { data, parameters } = this.#decoder.packed(picture);
      const said = { width, height, bits, components: space?.components };
      const filter = this.#decoder.filters(picture).at(-1) ?? '';
      const walks = (bytes: number) => {
        this.#leftToWalk -= bytes;
        return this.#leftToWalk >= 0;
      };
      checkPacked(filter, data, said, { pdf: this.#pdf, parameters, walks });
      return;
    }
    if (bits === undefined || space === undefined) throw new Unclear('A picture does not tell its bits');
    const row = Math.ceil((width * space.components * bits) / 8);
    const isPartOfTable = space.last !== undefined && space.last < 2 ** bits - 1;
    if (isPartOfTable) {
      const data = this.#decoder.decode(picture);
      if (data.length < row * height) throw new Unclear('A picture has too few data');
      if (highest(data.subarray(0, row * height), width, row, bits) > (space.last ?? 0))
        throw new Unclear('A picture has colours that are not in its table');
    } else if (this.#decoder.length(picture) < row * height) throw new Unclear('A picture has too few data');
  }

  #checkMask(mask: PdfObject | undefined, { bits, space }: Shape): void {
    if (mask === undefined || mask instanceof PdfName) return;
    if (mask instanceof PdfStream) {
      if (nameAt(this.#pdf, mask, 'Subtype') !== 'Image' || !this.#isMask(mask))
        throw new Unclear('The mask of a picture is malformed');
      this.check(mask);
      return;
    }
    // Some readers compare the upper half of two bytes.
    if (bits === 16) throw new Unclear('The mask of a picture is not clear');
    const most = 2 ** (bits ?? 8) - 1;
    const isList =
      mask instanceof PdfArray &&
      (space === undefined || mask.length === space.components * 2) &&
      mask
        .toArray()
        .map((item) => resolve(this.#pdf, item))
        .every(
          (one) =>
            one?.type === 'number' && Number.isInteger(one.value) && one.value >= 0 && one.value <= most,
        );
    if (!isList) throw new Unclear('The mask of a picture is malformed');
  }
}

/** What is a mask may have none: some readers take it, others do not. @throws {Unclear} */
function checkNoMask(mask: PdfStream): void {
  if (mask.has('Mask') || mask.has('SMask')) throw new Unclear('A mask has a mask of its own');
}

/** The highest number of a dot in rows that each begin with a byte. */
export function highest(data: Uint8Array, width: number, row: number, bits: number): number {
  let most = 0;
  for (let at = 0; at < data.length; at += row)
    for (let x = 0; x < width; x++) {
      const bit = x * bits;
      const dot = ((data[at + (bit >> 3)] ?? 0) >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
      if (dot > most) most = dot;
    }
  return most;
}
