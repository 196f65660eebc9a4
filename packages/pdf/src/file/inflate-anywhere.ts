import { Inflate as Inflater } from 'pako';
import { joined } from '../joined.ts';
import type { Inflate } from './strict/inflate.ts';

/** The largest window of zlib, in bits. Without it pako accepts gzip too, which no reader of PDF does. */
const WINDOW = 15;

/** In browsers too, which have no call that says how many bytes were read. */
export const inflateAnywhere: Inflate = (data, most) => {
  const inflater = new Inflater({ windowBits: WINDOW });
  const chunks: Uint8Array[] = [];
  let length = 0;
  inflater.onData = (chunk) => {
    const part = chunk as Uint8Array;
    length += part.length;
    if (length > most) throw new RangeError('The data expand too far');
    chunks.push(part);
  };
  inflater.push(data, true);
  const { strm, ended } = inflater as unknown as { strm: { total_in: number }; ended: boolean };
  if (inflater.err !== 0 || !ended) throw new Error(`The data cannot be inflated: ${inflater.msg}`);
  return { bytes: joined(chunks), used: strm.total_in };
};
