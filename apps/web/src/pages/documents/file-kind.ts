/* What a file is, by its bytes: the type beside it is what a company said. */

const PICTURES: readonly { readonly type: string; readonly head: readonly number[] }[] = [
  { type: 'image/png', head: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', head: [0xff, 0xd8, 0xff] },
];

/** Readers look for the mark of a PDF in the first kilobyte. */
export function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-');
}

/** The type of a picture that every browser shows; undefined for other files. */
export function pictureType(bytes: Uint8Array): string | undefined {
  return PICTURES.find(({ head }) => head.every((byte, index) => bytes[index] === byte))?.type;
}
