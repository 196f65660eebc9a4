import { Inflate as Inflater } from 'pako';
import { joined } from '../joined.ts';
import type { Inflate } from './strict/inflate.ts';

/** The largest window of zlib, in bits. Without it pako accepts gzip too, which no reader of PDF does. */
const WINDOW = 15;

/** In browsers too, which have no call that says how many bytes were read. */
export const inflateAnywhere: Inflate = (data, most) => {
  const chunks: Uint8Array[] = [];
  const { read, problem } = inflateInto(data, most, (chunk) => chunks.push(chunk));
  if (problem !== undefined) throw new Error(`The data cannot be inflated: ${problem}`);
  return { bytes: joined(chunks), used: read };
};

/**
 * How many bytes are read and made until the data end or are damaged; nothing is kept of them.
 * @throws {RangeError} when more than `most` are made
 */
export function inflatedLength(data: Uint8Array, most: number): { read: number; made: number } {
  return inflateInto(data, most, () => undefined);
}

function inflateInto(data: Uint8Array, most: number, take: (chunk: Uint8Array) => unknown) {
  const inflater = new Inflater({ windowBits: WINDOW });
  let made = 0;
  inflater.onData = (chunk) => {
    const part = chunk as Uint8Array;
    made += part.length;
    if (made > most) throw new RangeError('The data expand too far');
    take(part);
  };
  inflater.push(data, true);
  const { strm, ended } = inflater as unknown as { strm: { total_in: number }; ended: boolean };
  const problem = inflater.err !== 0 || !ended ? inflater.msg || 'they end early' : undefined;
  return { read: strm.total_in, made, problem };
}
