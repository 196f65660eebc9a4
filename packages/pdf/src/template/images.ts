import { type PDF, PdfArray, PdfDict, type PdfObject } from '@libpdf/core';
import { bufferOf } from '../buffer.ts';
import { PdfError } from '../errors.ts';
import type { Page } from '../file/page-tree.ts';
import { compressed } from '../text/embed.ts';
import type { ImagePlan } from './plan.ts';
import { dictOf, resourcesOf } from './streams.ts';

export interface PlacedImage {
  /** From 0. */
  readonly page: number;
  readonly bytes: Uint8Array;
  readonly place: ImagePlan;
  /** Points that it may take along the text. */
  readonly width: number;
}

/** Points: an image grows no larger than this. */
const LARGEST = 220;
/** Pixels of a side: more would be inflated at a great cost. */
const MOST_PIXELS = 12_000;

/** Draws images over the content, each with its upper left corner at its tag. @throws {PdfError} image_unreadable */
export function drawImages(pdf: PDF, pages: readonly Page[], images: readonly PlacedImage[]): void {
  for (const [page, own] of Map.groupBy(images, (image) => image.page)) {
    const target = pages[page];
    if (!target) continue;
    const resources = resourcesOf(pdf, target.lineage)?.clone() ?? new PdfDict();
    const objects = dictOf(pdf, resources.get('XObject'))?.clone() ?? new PdfDict();
    const drawn = own.map((image, index) => {
      const { ref, width, height } = embed(pdf, image.bytes);
      objects.set(`SymImage${index + 1}`, ref);
      return `q ${place(image, width / height).join(' ')} cm /SymImage${index + 1} Do Q`;
    });
    resources.set('XObject', objects);
    target.dict.set('Resources', resources);
    // What the page changes and does not give back must not reach the images.
    const [before, after] = ['q\n', `\nQ\n${drawn.join('\n')}\n`].map((text) =>
      pdf.context.register(compressed(Buffer.from(text, 'latin1'))),
    );
    const contents = target.dict.get('Contents');
    const parts: PdfObject[] = contents instanceof PdfArray ? contents.toArray() : contents ? [contents] : [];
    if (before && after) target.dict.set('Contents', new PdfArray([before, ...parts, after]));
  }
}

function embed(pdf: PDF, bytes: Uint8Array) {
  const size = pixels(bytes);
  if (!size || Math.max(...size) > MOST_PIXELS || Math.min(...size) === 0)
    throw new PdfError('image_unreadable');
  try {
    return pdf.embedImage(bytes);
  } catch (cause) {
    throw new PdfError('image_unreadable', { cause });
  }
}

/** Width and height as a PNG or JPEG says them, before anything is inflated. */
function pixels(bytes: Uint8Array): readonly [number, number] | undefined {
  const file = bufferOf(bytes);
  if (file.length > 24 && file.readUInt32BE(0) === 0x89504e47)
    return [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < file.length && file[at] === 0xff; at += 2 + file.readUInt16BE(at + 2)) {
    const marker = file[at + 1] ?? 0;
    const frame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (frame) return [file.readUInt16BE(at + 7), file.readUInt16BE(at + 5)];
  }
  return undefined;
}

/** As large as the place allows, with the sides as they are to each other. */
function place({ place: { origin, along, up, above, below }, width }: PlacedImage, ratio: number): number[] {
  const height = Math.min(above + below, LARGEST, Math.min(width, LARGEST) / ratio);
  const [across, foot] = [height * ratio, above - height];
  return [
    ...along.map((part) => part * across),
    ...up.map((part) => part * height),
    origin[0] + up[0] * foot,
    origin[1] + up[1] * foot,
  ].map((value) => Math.round(value * 1000) / 1000);
}
