import { type PDF, type PdfDict, PdfNumber } from '@libpdf/core';
import { box, resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';

/** Points by which what is shown of a page may reach out of it: with more, poppler shows what others cut off. */
const MOST_OVER = 1;
/** Of a page, in degrees. */
const MOST_TURNS = 3600;

/** What is shown of a page must be there, and stand upright or turned by a quarter. */
export function checkBoxes(pdf: PDF, lineage: readonly PdfDict[]): void {
  const found = (key: string) => resolve(pdf, lineage.find((dict) => dict.has(key))?.get(key));
  const media = box(pdf, found('MediaBox'));
  if (media === undefined) throw new Unclear('A page has no box');
  const cropped = found('CropBox');
  const crop = cropped === undefined ? media : box(pdf, cropped);
  if (crop === undefined) throw new Unclear('What is shown of a page is no box');
  const over = Math.max(media[0] - crop[0], media[1] - crop[1], crop[2] - media[2], crop[3] - media[3]);
  if (over > MOST_OVER) throw new Unclear('More is shown of a page than it has');
  const unit = found('UserUnit');
  if (lineage[0]?.has('UserUnit') && !(unit instanceof PdfNumber && unit.value > 0))
    throw new Unclear('A page has units of no length');
  const width = Math.min(media[2], crop[2]) - Math.max(media[0], crop[0]);
  const height = Math.min(media[3], crop[3]) - Math.max(media[1], crop[1]);
  if (!(width > 0 && height > 0)) throw new Unclear('Nothing of a page is shown');
  const turn = found('Rotate');
  if (
    turn !== undefined &&
    !(turn instanceof PdfNumber && turn.value % 90 === 0 && Math.abs(turn.value) <= MOST_TURNS)
  )
    throw new Unclear('A page is turned by an angle that readers do not know');
}
