import { buildFileEnvelope, buildPagesEnvelope, buildPhotoEnvelope } from '@symbolon/crypto';
import type { ResolvedFieldType } from '@symbolon/field-types';
import { limits } from '@symbolon/protocol/constants';
import { SymbolonError } from '@symbolon/sdk/device';

export type Bytes = Uint8Array<ArrayBuffer>;
/** A file that the person chose, as it will be kept. */
export type ChosenFile = { name: string; mimeType: string; bytes: Bytes; thumb?: Bytes };
/** The places for files that a type has. */
export type Place = 'file' | 'front' | 'back' | 'additional';
export type Chosen = Readonly<Partial<Record<Place, ChosenFile>>>;

/** All files of one field together. */
export const FILES_MOST = limits.fileBytes;
export const FILES_MOST_MIB = FILES_MOST / 2 ** 20;

export function placesOf({ input }: ResolvedFieldType): readonly Place[] {
  return input === 'pages' ? ['front', 'back', 'additional'] : ['file'];
}

/** What a browser offers to choose from. */
export function acceptOf({ input, lane, check }: ResolvedFieldType): string | undefined {
  if (lane === 'photo') return 'image/*';
  if (check === 'pdf') return 'application/pdf';
  return input === 'pages' ? 'image/*,application/pdf' : undefined;
}

/**
 * Reads what was chosen, and checks it before anything is sent. A photo is redrawn: upright, of a size that screens show,
 * and without the place and the camera that the original may name.
 *
 * @throws SymbolonError `page.file_empty`, `page.file_too_large`, `page.file_no_pdf`, `page.photo_unreadable`
 */
export async function readChosen(file: File, { lane, check }: ResolvedFieldType): Promise<ChosenFile> {
  if (file.size === 0) throw refusal('file_empty');
  if (lane === 'photo') return photoOf(file);
  if (file.size > FILES_MOST) throw refusal('file_too_large');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isPdf = new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-';
  if (check === 'pdf' && !isPdf) throw refusal('file_no_pdf');
  const mimeType = check === 'pdf' ? 'application/pdf' : file.type || 'application/octet-stream';
  return { name: file.name, mimeType, bytes };
}

async function photoOf(file: File): Promise<ChosenFile> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => undefined);
  if (image === undefined) throw refusal('photo_unreadable');
  try {
    const bytes = await drawn(image, limits.photoEdge);
    const thumb = await drawn(image, limits.photoThumbEdge);
    return { name: file.name, mimeType: JPEG, bytes, thumb };
  } finally {
    image.close();
  }
}

/** A picture as a JPEG that documents can hold. @throws DOMException when it is not a picture */
export async function drawnAnew(picture: Blob): Promise<Bytes> {
  const image = await createImageBitmap(picture);
  try {
    return await drawn(image, PRINTED_EDGE);
  } finally {
    image.close();
  }
}

/** Pixels: it is printed no larger than a hand. */
const PRINTED_EDGE = 2000;

const JPEG = 'image/jpeg';

/** @param edge the longer one has at most so many pixels */
async function drawn(image: ImageBitmap, edge: number): Promise<Bytes> {
  const scale = Math.min(1, edge / Math.max(image.width, image.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  );
  const context = canvas.getContext('2d');
  if (context === null) throw refusal('photo_unreadable');
  // What is transparent would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type: JPEG, quality: 0.9 });
  return new Uint8Array(await blob.arrayBuffer());
}

/** @throws SymbolonError `page.file_too_large` for all files together */
export function checkSize(chosen: Chosen): void {
  const sum = Object.values(chosen).reduce((bytes, file) => bytes + file.bytes.length, 0);
  if (sum > FILES_MOST) throw refusal('file_too_large');
}

/**
 * The text that is sealed.
 * @param entries what the type has beside its files
 */
export function envelopeOf(
  { input, lane }: ResolvedFieldType,
  chosen: Chosen,
  entries: Readonly<Record<string, string>>,
): string {
  const filled = Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== ''));
  if (input === 'pages') {
    const pages = (['front', 'back', 'additional'] as const).flatMap((label) => {
      const file = chosen[label];
      return file === undefined ? [] : [{ ...file, label, originalName: file.name }];
    });
    return buildPagesEnvelope({ pages, entries: filled });
  }
  const file = chosen.file ?? { name: '', mimeType: 'application/octet-stream', bytes: new Uint8Array() };
  if (lane !== 'photo')
    return buildFileEnvelope({ file: { ...file, originalName: file.name }, entries: filled });
  const { mimeType, thumb } = file;
  return buildPhotoEnvelope({ full: file, ...(thumb && { thumb: { bytes: thumb, mimeType } }) });
}

/** Pictures that every browser shows, and that run nothing. */
const SHOWN: ReadonlySet<string> = new Set([JPEG, 'image/png', 'image/webp', 'image/gif', 'image/avif']);

export function isPicture({ mimeType }: { mimeType: string }): boolean {
  return SHOWN.has(mimeType);
}

function refusal(reason: string): SymbolonError {
  return new SymbolonError({ errorKey: `page.${reason}`, message: 'This file cannot be used.' });
}
