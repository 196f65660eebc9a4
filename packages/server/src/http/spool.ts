import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PlatformError } from '../core/errors.ts';
import type { Ids } from '../core/ids.ts';
import type { LargeSource } from '../core/large-text.ts';

/** Where texts wait that are too large for memory. */
export interface SpoolFolder {
  readonly path: string;
  readonly ids: Ids;
}

/** Less than this stays in memory, and as much is written at a time. */
const BLOCK = 128 * 1024;
/** More than this must not wait to be written. */
const BEHIND = 4 * BLOCK;

/**
 * A text on its way to somewhere else: in a file without a name, which goes with the process, or in memory. It ends when it
 * was discarded and the last stream on it has closed.
 */
export class Spool implements LargeSource {
  readonly #folder: SpoolFolder | undefined;
  readonly #hash = createHash('sha256');
  /** What is not in the file. */
  #pieces: Buffer[] = [];
  #held = 0;
  #bytes = 0;
  #file: Promise<FileHandle> | undefined;
  #written: Promise<unknown> = Promise.resolve();
  #behind = 0;
  #digest: string | undefined;
  #streams = 0;
  #discarded = false;

  /** @param folder undefined: all of it stays in memory */
  constructor(folder?: SpoolFolder) {
    this.#folder = folder;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get sha256(): string {
    this.#digest ??= this.#hash.digest('hex');
    return this.#digest;
  }

  /** More comes in than is written. */
  get isBehind(): boolean {
    return this.#behind > BEHIND;
  }

  write(piece: Buffer): void {
    this.#hash.update(piece);
    this.#pieces.push(piece);
    this.#held += piece.length;
    this.#bytes += piece.length;
    if (this.#folder !== undefined && this.#held >= BLOCK) this.#flush(this.#folder);
  }

  /** Resolves when all that came in has been written. @throws what the disk says */
  async written(): Promise<void> {
    if (this.#file !== undefined && this.#folder !== undefined && this.#held > 0) this.#flush(this.#folder);
    await this.#written;
  }

  /** After `written`. */
  open(): Readable {
    if (this.#discarded)
      throw new PlatformError('request.malformed', { text: 'The request ended before its body was used.' });
    if (this.#file === undefined) return Readable.from(this.#pieces, { objectMode: false });
    this.#streams++;
    const stream = Readable.from(this.#readFile(this.#file), { objectMode: false });
    stream.once('close', () => {
      this.#streams--;
      void this.#end();
    });
    return stream;
  }

  /** After `written`, all of it. @param take gets pieces whose buffer is used again for the next */
  async read(take: (piece: Buffer) => void): Promise<void> {
    if (this.#file === undefined) return this.#pieces.forEach(take);
    const handle = await this.#file;
    const buffer = Buffer.allocUnsafe(BLOCK);
    for (let at = 0; at < this.#bytes; ) {
      const { bytesRead } = await handle.read(buffer, 0, BLOCK, at);
      if (bytesRead === 0) throw shortened();
      at += bytesRead;
      take(buffer.subarray(0, bytesRead));
    }
  }

  async discard(): Promise<void> {
    this.#discarded = true;
    await this.#end();
  }

  #flush(folder: SpoolFolder): void {
    const [pieces, bytes] = [this.#pieces, this.#held];
    this.#pieces = [];
    this.#held = 0;
    this.#behind += bytes;
    this.#file ??= openNameless(folder);
    const file = this.#file;
    this.#written = this.#written.then(async () => {
      await (await file).writeFile(pieces);
      this.#behind -= bytes;
    });
    // Those who wait for it get its failure.
    this.#written.catch(() => {});
  }

  async *#readFile(file: Promise<FileHandle>): AsyncGenerator<Buffer> {
    const handle = await file;
    for (let at = 0; at < this.#bytes; ) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(BLOCK), 0, BLOCK, at);
      if (bytesRead === 0) throw shortened();
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async #end(): Promise<void> {
    if (!this.#discarded || this.#streams > 0) return;
    this.#pieces = [];
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    await this.#written.catch(() => {});
    await file.then((handle) => handle.close()).catch(() => {});
  }
}

const shortened = () => new Error('The file of a large text has become shorter.');

/** A file that has no name any more: nothing of it is left after the process. */
async function openNameless({ path, ids }: SpoolFolder): Promise<FileHandle> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const name = join(path, ids.uuid());
  const file = await open(name, 'wx+', 0o600);
  await rm(name, { force: true });
  return file;
}
