/** Expands zlib data. @returns with how many bytes were read @throws {RangeError} for more than `most`; {Error} for others than zlib's */
export type Inflate = (
  data: Uint8Array,
  most: number,
) => { readonly bytes: Uint8Array; readonly used: number };
