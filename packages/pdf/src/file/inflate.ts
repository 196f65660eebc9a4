import { inflateSync } from 'node:zlib';
import type { Inflate } from './strict/inflate.ts';

/** By Node's zlib. */
export const inflate: Inflate = (data, most) => {
  const { buffer, engine } = inflateSync(data, { info: true, maxOutputLength: most }) as unknown as {
    buffer: Uint8Array;
    engine: { bytesWritten: number };
  };
  return { bytes: buffer, used: engine.bytesWritten };
};
