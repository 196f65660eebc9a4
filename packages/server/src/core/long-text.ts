import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** A shorter text is written at once. In characters, or bytes. */
export const LONG = 64 * 1024;
/** What is written in one turn of the event loop. */
const SLICE = 64 * 1024;

/** A long text, in pieces that need not be put together: it goes out slice by slice, and other calls have their turns between. */
export class LongText {
  readonly #pieces: readonly (string | Uint8Array)[];

  /** @param pieces texts, or their bytes in UTF-8 */
  constructor(pieces: readonly (string | Uint8Array)[]) {
    this.#pieces = pieces;
  }

  get bytes(): number {
    return this.#pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  }

  stream(): Readable {
    return Readable.from(this.slices(), { objectMode: false });
  }

  async *slices(): AsyncGenerator<Uint8Array> {
    for (const piece of this.#pieces)
      for (let at = 0; at < piece.length; ) {
        const end = endOfSlice(piece, at);
        yield typeof piece === 'string' ? Buffer.from(piece.slice(at, end)) : piece.subarray(at, end);
        at = end;
        await turn();
      }
  }
}

/** Both halves of a surrogate pair stay together. */
function endOfSlice(piece: string | Uint8Array, at: number): number {
  const end = Math.min(at + SLICE, piece.length);
  const last = typeof piece === 'string' ? piece.charCodeAt(end - 1) : 0;
  return last >= 0xd800 && last <= 0xdbff ? Math.min(end + 1, piece.length) : end;
}

/** The pieces as one text, or as they are when they are long together. */
export const joined = (pieces: readonly (string | Uint8Array)[]): string | LongText =>
  pieces.reduce((sum, { length }) => sum + length, 0) < LONG
    ? pieces.map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString())).join('')
    : new LongText(pieces);
