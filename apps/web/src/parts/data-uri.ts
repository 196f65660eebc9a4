import { dataUriQuery } from '../platform/files.ts';
import { useRead } from '../platform/read.ts';

/** The address at which the page shows bytes; undefined until it is made. A file without one can still be downloaded. */
export const useDataUri = (bytes: Uint8Array | undefined, mimeType = ''): string | undefined =>
  useRead(bytes && dataUriQuery(bytes, mimeType)).found;
