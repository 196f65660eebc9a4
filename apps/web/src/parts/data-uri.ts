import { useCallback } from 'react';
import { onFiles } from '../platform/file-acts.ts';
import { useRead } from './read.ts';

/** The address at which the page shows bytes; undefined until it is made. A file without one can still be downloaded. */
export function useDataUri(bytes: Uint8Array | undefined, mimeType = ''): string | undefined {
  const make = useCallback(
    async (): Promise<string | undefined> =>
      bytes === undefined ? undefined : onFiles('dataUri', { bytes, mimeType }),
    [bytes, mimeType],
  );
  return useRead(make).found;
}
