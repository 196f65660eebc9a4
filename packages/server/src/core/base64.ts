import { setImmediate } from 'node:timers/promises';

/** Characters that are decoded at a time: a fraction of a millisecond. Whole groups of four. */
const PIECE = 256 * 1024;

/**
 * Decodes a file from strict base64 (standard alphabet, padded, on one line), a piece at a time, so that other work
 * on the thread can run in between. Undefined when the text is no such base64.
 */
export async function decodeFile(base64: string): Promise<Buffer | undefined> {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  if (base64.length % 4 !== 0) return undefined;
  const bytes = Buffer.allocUnsafe((base64.length / 4) * 3 - padding);
  let size = 0;
  for (let at = 0; at < base64.length; at += PIECE) {
    if (at > 0) await setImmediate();
    const piece = base64.slice(at, at + PIECE);
    const start = size;
    size += bytes.write(piece, start, 'base64');
    // The decoder skips characters that are not base64, so the bytes are encoded again and compared.
    if (bytes.toString('base64', start, size) !== piece) return undefined;
  }
  return bytes;
}

/** Encodes pieces of a file as the pieces of one base64 text. */
export async function* base64Pieces(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const all = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = all.length - (all.length % 3);
    rest = all.subarray(end);
    if (end > 0) yield Buffer.from(all.toString('base64', 0, end));
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'));
}
