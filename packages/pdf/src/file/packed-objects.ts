import type { PDF, PdfStream } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { equal } from '../verify/bytes.ts';
import { inflateAnywhere } from './inflate-anywhere.ts';
import { packingOf, rowsOf } from './packing.ts';
import { unpredicted } from './predictor.ts';
import { Unclear } from './raw/tokens.ts';

/** What one stream of objects may expand to, in bytes. */
const LARGEST = 64 << 20;
const FLATE = new Set(['FlateDecode', 'Fl']);
const known = new WeakMap<PdfStream, Uint8Array>();

/**
 * What stands in a stream of objects: by its filter and the parameters of that, as readers find it. The library must find the same.
 * @throws {Unclear}; {PdfError} expands_too_far
 */
export function objectsIn(pdf: PDF, stream: PdfStream): Uint8Array {
  const before = known.get(stream);
  if (before !== undefined) return before;
  const packing = packingOf(pdf, stream);
  if (packing.length > 1 || packing.some(({ filter }) => !FLATE.has(filter)))
    throw new Unclear('A stream of objects has an unusual filter');
  const rows = rowsOf(pdf, packing);
  const data = packing.length === 0 ? stream.data : inflated(stream.data);
  const found = rows === undefined ? data : unpredicted(data, rows);
  if (!equal(found, byLibrary(stream))) throw new Unclear('A stream of objects is unpacked in two ways');
  known.set(stream, found);
  return found;
}

function inflated(data: Uint8Array): Uint8Array {
  try {
    return inflateAnywhere(data, LARGEST).bytes;
  } catch (cause) {
    if (cause instanceof RangeError) throw new PdfError('expands_too_far', { cause });
    throw new Unclear('A stream of objects cannot be unpacked', { cause });
  }
}

function byLibrary(stream: PdfStream): Uint8Array {
  try {
    return stream.getDecodedData();
  } catch (cause) {
    throw new Unclear('A stream of objects cannot be unpacked', { cause });
  }
}
