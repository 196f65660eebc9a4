import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** A shorter text is written at once. In characters, or bytes. */
export const LONG = 64 * 1024;
/** What is written in one turn of the event loop. */
const SLICE = 64 * 1024;

/**
 * A long text, in pieces that need not be put together: it goes out slice by slice, and other calls have their turns between. Of a client that
 * takes it slowly, its bytes in UTF-8 are held, and not the strings that it was made of.
 */
export class LongText {
  readonly #pieces: readonly Uint8Array[];
  readonly bytes: number;

  /** @param pieces texts, or their bytes in UTF-8 */
  constructor(pieces: readonly (string | Uint8Array)[]) {
    this.#pieces = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
    this.bytes = this.#pieces.reduce((sum, { length }) => sum + length, 0);
  }

  stream(): Readable {
    return Readable.from(this.slices(), { objectMode: false });
  }

  async *slices(): AsyncGenerator<Uint8Array> {
    for (const piece of this.#pieces)
      for (let at = 0; at < piece.length; at += SLICE) {
        yield piece.subarray(at, at + SLICE);
        await turn();
      }
  }
}

/** The pieces as one text, or as they are when they are long together. */
export const joined = (pieces: readonly (string | Uint8Array)[]): string | LongText =>
  pieces.reduce((sum, { length }) => sum + length, 0) < LONG
    ? pieces.map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString())).join('')
    : new LongText(pieces);
