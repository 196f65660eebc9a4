import { type PDF, PdfArray, type PdfDict, PdfName, type PdfObject, type PdfStream } from '@libpdf/core';
import { isPlain, numberAt } from './objects.ts';
import { resolve } from './page-tree.ts';
import { FILTERS_OF_ROWS, type Rows, rowLength, rowsBy } from './predictor.ts';
import { Unclear } from './raw/tokens.ts';

/** A filter of a stream, with its parameters. */
export interface Packing {
  readonly filter: string;
  readonly parameters: PdfDict | undefined;
}

/**
 * How a stream is packed, in a form that all readers take in the same way: a name has a dictionary, a list has a list of the same length. In
 * others some find the parameters, and others do not.
 * @throws {Unclear}
 */
export function packingOf(pdf: PDF, stream: PdfStream): Packing[] {
  // Its data are in another file.
  if (stream.has('F')) throw new Unclear('A stream refers to another file');
  // The short name, which inline images have, is read in a stream by some readers alone.
  if (stream.has('DP')) throw new Unclear('A stream has parameters under a name that it may not use');
  const filter = resolve(pdf, stream.get('Filter'));
  if (filter === undefined || filter.type === 'null') return [];
  const parameters = resolve(pdf, stream.get('DecodeParms'));
  const isList = filter instanceof PdfArray;
  const filters = isList ? filter.toArray() : [filter];
  const given = parameters instanceof PdfArray ? parameters.toArray() : [parameters];
  const all = given.map((each) => parametersIn(pdf, each));
  const fits = parameters instanceof PdfArray ? isList && all.length === filters.length : !isList;
  if (!fits && all.some((each) => each !== undefined))
    throw new Unclear('The parameters of a filter do not stand where it looks for them');
  return filters.map((one, index) => {
    const name = resolve(pdf, one);
    if (!(name instanceof PdfName)) throw new Unclear('A filter has no name');
    return { filter: name.value, parameters: fits ? all[index] : undefined };
  });
}

function parametersIn(pdf: PDF, value: PdfObject | undefined): PdfDict | undefined {
  const found = resolve(pdf, value);
  if (found === undefined || found.type === 'null') return undefined;
  if (!isPlain(found)) throw new Unclear('The parameters of a filter are none');
  return found;
}

/**
 * The predictor of its rows; undefined where no row depends on the one above it.
 * @throws {Unclear} where readers do not agree on that
 */
export function rowsOf(pdf: PDF, packing: readonly Packing[]): Rows | undefined {
  const predictors = packing.map(({ filter, parameters }) => {
    const rows = rowsBy((key, usual) =>
      parameters?.has(key) ? (numberAt(pdf, parameters, key) ?? 0) : usual,
    );
    if (rows !== undefined && !FILTERS_OF_ROWS.has(filter))
      throw new Unclear('A filter has parameters of another one');
    return rows;
  });
  if (predictors.slice(0, -1).some((rows) => rows !== undefined))
    throw new Unclear('Rows of packed data are packed again');
  const rows = predictors.at(-1);
  if (rows !== undefined) rowLength(rows);
  return rows;
}
