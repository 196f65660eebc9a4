import {
  type PDF,
  PdfArray,
  type PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  PdfStream,
} from '@libpdf/core';
import { dictAt, isTrue, nameAt, numbersAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import type { ColourSpaces } from './colour-spaces.ts';

const BLENDS = new Set(
  'Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity'.split(
    ' ',
  ),
);
const PLAIN_BLENDS = new Set(['Normal', 'Compatible']);

/** How much of what is below shines through and how, and the kind of a mask. @throws {Unclear} */
export function checkTransparency(pdf: PDF, state: PdfDict): void {
  for (const key of ['ca', 'CA']) {
    const value = resolve(pdf, state.get(key));
    if (value !== undefined && !(value instanceof PdfNumber && value.value >= 0 && value.value <= 1))
      throw new Unclear('An opacity is malformed');
  }
  if (blendsOf(pdf, state).some((mode) => !BLENDS.has(mode))) throw new Unclear('A blend mode is unknown');
  const mask = resolve(pdf, state.get('SMask'));
  if (mask === undefined || nameAt(pdf, state, 'SMask') === 'None') return;
  if (!['Alpha', 'Luminosity'].includes(nameAt(pdf, dictAt(pdf, state, 'SMask'), 'S') ?? ''))
    throw new Unclear('A mask has no kind');
}

function blendsOf(pdf: PDF, state: PdfDict): string[] {
  const blend = resolve(pdf, state.get('BM'));
  return (blend instanceof PdfArray ? blend.toArray() : blend ? [blend] : []).map((each) => {
    const mode = resolve(pdf, each);
    return mode instanceof PdfName ? mode.value : '';
  });
}

/** Whether a page or a form is a group whose parts do not shine through each other: PDFium and poppler let them. */
export function isKnockout(pdf: PDF, holder: PdfDict): boolean {
  return isTrue(resolve(pdf, dictAt(pdf, holder, 'Group')?.get('K')));
}

/** In such a group all must be as it is painted. @throws {Unclear} for a state in which what is below shines through */
export function checkOpaque(pdf: PDF, state: PdfDict): void {
  const opacities = ['ca', 'CA'].map((key) => resolve(pdf, state.get(key)));
  const isOpaque = opacities.every((value) => !(value instanceof PdfNumber) || value.value === 1);
  const mask = resolve(pdf, state.get('SMask'));
  const isMasked = mask !== undefined && nameAt(pdf, state, 'SMask') !== 'None';
  if (!isOpaque || isMasked || blendsOf(pdf, state).some((mode) => !PLAIN_BLENDS.has(mode)))
    throw new Unclear('In a group whose parts do not shine through each other, some do');
}

/** Some readers take a mask that is no group, or does not tell its colours, for none. @returns the group @throws {Unclear} */
export function maskGroup(pdf: PDF, mask: PdfDict, spaces: ColourSpaces): PdfStream {
  const form = resolve(pdf, mask.get('G'));
  if (!(form instanceof PdfStream)) throw new Unclear('A mask is missing');
  const group = dictAt(pdf, form, 'Group');
  if (nameAt(pdf, group, 'S') !== 'Transparency') throw new Unclear('A mask is no group');
  const isByLight = nameAt(pdf, mask, 'S') === 'Luminosity';
  const space = group?.has('CS') || isByLight ? spaces.read(group?.get('CS')) : undefined;
  const isGround =
    !mask.has('BC') || numbersAt(pdf, mask, 'BC')?.length === (space?.components ?? Number.NaN);
  if (space?.isPattern || space?.last !== undefined || (isByLight && !isGround))
    throw new Unclear('A mask has other colours than its group');
  // Some readers take the light of the ground, where the mask is not by light.
  if (!isByLight && mask.has('BC')) throw new Unclear('A mask has a ground that it does not use');
  if (changes(resolve(pdf, mask.get('TR'))))
    throw new Unclear('A mask has a function that some readers pass over');
  return form;
}

/** Whether a transfer function or the like is more than none. */
export function changes(value: PdfObject | undefined): boolean {
  return value !== undefined && !(value instanceof PdfName && ['Identity', 'Default'].includes(value.value));
}
