import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core';
import { nameAt, numberAt } from '../objects.ts';
import { box, resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';

/** Spaces that need no resources. */
const SPACES = new Set(['DeviceGray', 'G', 'DeviceRGB', 'RGB', 'DeviceCMYK', 'CMYK']);
/** Shadings that are nothing without a function. */
const BY_FUNCTION = 3;

/** A picture must tell its size and its colours itself (ISO 32000-2, 8.9.5). @throws {Unclear} */
export function checkPicture(pdf: PDF, picture: PdfDict): void {
  for (const key of ['Width', 'Height']) {
    const size = numberAt(pdf, picture, key);
    if (size === undefined || !Number.isInteger(size) || size < 1) throw new Unclear('A picture has no size');
  }
  const filters = resolve(pdf, picture.get('Filter'));
  const last = filters instanceof PdfArray ? resolve(pdf, filters.toArray().at(-1)) : filters;
  const filter = last instanceof PdfName ? last.value : '';
  const bits = numberAt(pdf, picture, 'BitsPerComponent');
  const mask = resolve(pdf, picture.get('ImageMask'));
  const space = resolve(pdf, picture.get('ColorSpace'));
  if (mask?.type === 'bool' && mask.value) {
    if (bits !== undefined && bits !== 1) throw new Unclear('A mask has more than one bit');
  } else if (filter !== 'JPXDecode') {
    if (space === undefined) throw new Unclear('A picture has no colours');
    const tellsBits = ['DCTDecode', 'DCT', 'CCITTFaxDecode', 'CCF', 'JBIG2Decode'].includes(filter);
    if (!tellsBits && bits === undefined) throw new Unclear('A picture does not tell its bits');
  }
  if (space instanceof PdfName && !SPACES.has(space.value))
    throw new Unclear('A picture has unknown colours');
}

/** @throws {Unclear} for a pattern or a shading that readers fill in themselves */
export function checkPattern(pdf: PDF, pattern: PdfDict): void {
  if (!(pattern instanceof PdfStream)) {
    checkShading(pdf, resolve(pdf, pattern.get('Shading')));
    return;
  }
  const steps = ['XStep', 'YStep'].map((key) => numberAt(pdf, pattern, key) ?? 0);
  if (box(pdf, resolve(pdf, pattern.get('BBox'))) === undefined || steps.some((step) => step === 0))
    throw new Unclear('A pattern has no box or no steps');
}

/** @throws {Unclear} */
export function checkShading(pdf: PDF, shading: unknown): void {
  const type = shading instanceof PdfDict ? (numberAt(pdf, shading, 'ShadingType') ?? 0) : 0;
  if (!(shading instanceof PdfDict) || ![1, 2, 3, 4, 5, 6, 7].includes(type))
    throw new Unclear('A shading has no kind');
  if (type <= BY_FUNCTION && !shading.has('Function')) throw new Unclear('A shading has no function');
}

/** How much of what is below shines through, and the kind of a mask. @throws {Unclear} */
export function checkTransparency(pdf: PDF, state: PdfDict, mask: PdfDict | undefined): void {
  for (const key of ['ca', 'CA']) {
    const value = resolve(pdf, state.get(key));
    if (value !== undefined && !(value instanceof PdfNumber && value.value >= 0 && value.value <= 1))
      throw new Unclear('An opacity is none');
  }
  if (mask && !['Alpha', 'Luminosity'].includes(nameAt(pdf, mask, 'S') ?? ''))
    throw new Unclear('A mask has no kind');
}
