import { type PDF, PdfArray, PdfDict, type PdfObject } from '@libpdf/core';
import { dictAt, listAt, nameAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';

/** Which of the layers of a choice must be shown: of the others, mupdf has its own view. */
const POLICIES = new Set(['AnyOn', 'AllOff']);

/**
 * What is drawn in a layer must be shown by every reader or by none: a layer says what it is, and a choice between layers is shown where one of
 * them is or none, since readers take all other choices each in its way (ISO 32000-2, 8.11.2).
 * @throws {Unclear}
 */
export function checkLayer(pdf: PDF, layer: PdfObject | undefined): void {
  if (!(layer instanceof PdfDict)) throw new Unclear('A layer is malformed');
  const type = nameAt(pdf, layer, 'Type');
  if (type === 'OCG') {
    if (layer.has('Intent') && nameAt(pdf, layer, 'Intent') !== 'View')
      throw new Unclear('A layer is for something else than to be viewed');
    return;
  }
  if (type !== 'OCMD') throw new Unclear('A layer is malformed');
  if (layer.has('VE') || !POLICIES.has(nameAt(pdf, layer, 'P') ?? 'AnyOn'))
    throw new Unclear('A choice between layers is not clear');
  const chosen = layer.get('OCGs');
  const found = resolve(pdf, chosen);
  // Some readers find no list behind a reference.
  const all = found instanceof PdfArray && chosen === found ? found.toArray() : [found];
  if (all.length === 0 || !all.every((each) => isLayer(pdf, resolve(pdf, each))))
    throw new Unclear('A choice between layers is not clear');
}

const isLayer = (pdf: PDF, value: PdfObject | undefined) =>
  value instanceof PdfDict && nameAt(pdf, value, 'Type') === 'OCG';

/** Whether some are not shown at first. */
export function hidesLayers(pdf: PDF): boolean {
  const shown = dictAt(pdf, dictAt(pdf, pdf.getCatalog(), 'OCProperties'), 'D');
  return listAt(pdf, shown, 'OFF').length > 0 || (nameAt(pdf, shown, 'BaseState') ?? 'ON') !== 'ON';
}
