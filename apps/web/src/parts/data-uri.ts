import { useEffect, useState } from 'react';
import { onFiles } from '../platform/file-acts.ts';

/** The address at which the page shows bytes; undefined until it is made. */
export function useDataUri(bytes: Uint8Array | undefined, mimeType = ''): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    setAddress(undefined);
    if (bytes !== undefined)
      onFiles('dataUri', { bytes, mimeType }).then(
        (made) => isCurrent && setAddress(made),
        // The file can still be downloaded.
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [bytes, mimeType]);
  return address;
}
