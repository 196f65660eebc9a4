import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { base64Length } from '@symbolon/crypto';
import type { LargeForm, LargeMember } from '@symbolon/protocol';
import { filesUnavailable } from '../core/blobs.ts';
import { PlatformError } from '../core/errors.ts';
import type { BlobKeeper, LargeText } from '../core/large-text.ts';
import { JsonReader, type LargeMembers, type TextSink } from './json-reader.ts';
import { Spool, type SpoolFolder } from './spool.ts';

export interface LargeBodyDeps {
  readonly folder: SpoolFolder;
  readonly blobs: BlobKeeper;
}

interface BodySchema {
  readonly properties?: Readonly<Record<string, Partial<LargeMember>>>;
}

const known = new WeakMap<object, ReadonlyMap<string, LargeForm> | undefined>();

/** The large members of a body, by name; undefined when it has none. */
export function largeMembersOf(schema: unknown): ReadonlyMap<string, LargeForm> | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if (!known.has(schema)) known.set(schema, findLargeMembers(schema));
  return known.get(schema);
}

function findLargeMembers({ properties = {} }: BodySchema): ReadonlyMap<string, LargeForm> | undefined {
  const found = Object.entries(properties).flatMap(([name, { 'x-large': form }]) =>
    form === undefined ? [] : [[name, form] as const],
  );
  return found.length === 0 ? undefined : new Map(found);
}

/** The large texts of one request, while its body is read and until it has been answered. */
export class LargeBody {
  readonly members: LargeMembers;
  readonly #deps: LargeBodyDeps;
  readonly #texts: Text[] = [];

  constructor(forms: ReadonlyMap<string, LargeForm>, deps: LargeBodyDeps) {
    this.#deps = deps;
    this.members = new Map([...forms].map(([name, form]) => [name, () => this.#open(form)]));
  }

  /** More comes in than the disk takes: wait for `written`. */
  get isBehind(): boolean {
    return this.#texts.some(({ spool }) => spool.isBehind);
  }

  /** @throws {PlatformError} photos.unavailable when the disk takes no more */
  async written(): Promise<void> {
    try {
      await Promise.all(this.#texts.map((text) => text.spool.written()));
    } catch (cause) {
      throw filesUnavailable(cause);
    }
  }

  /** After the whole body: knows the hashes. */
  async finish(): Promise<void> {
    await this.written();
    await Promise.all(this.#texts.map((text) => text.finish()));
  }

  async discard(): Promise<void> {
    await Promise.all(this.#texts.map((text) => text.discard()));
  }

  #open(form: LargeForm): TextSink {
    const spool = new Spool(form === 'memory' ? undefined : this.#deps.folder);
    const text =
      form === 'wrapper' ? new SealedText(spool, this.#deps.blobs) : new Text(spool, this.#deps.blobs);
    this.#texts.push(text);
    return text;
  }
}

/** A large member as handlers get it. */
class Text implements TextSink, LargeText {
  readonly spool: Spool;
  readonly #blobs: BlobKeeper;
  isEmpty = true;

  constructor(spool: Spool, blobs: BlobKeeper) {
    this.spool = spool;
    this.#blobs = blobs;
  }

  get bytes(): number {
    return this.spool.bytes;
  }

  get sha256(): string {
    return this.spool.sha256;
  }

  get sealed(): boolean {
    return false;
  }

  write(piece: Buffer): void {
    this.isEmpty = false;
    this.take(piece);
  }

  protected take(piece: Buffer): void {
    this.spool.write(piece);
  }

  end(): unknown {
    return this;
  }

  async finish(): Promise<void> {}

  open(): Readable {
    return this.spool.open();
  }

  async read(): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.open()) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  }

  store() {
    return this.#blobs.keepStream(this);
  }

  discard(): Promise<void> {
    return this.spool.discard();
  }
}

/** Whether it stands for the text of a large member. */
export const isLargeText = (value: unknown): value is LargeText & { readonly isEmpty: boolean } =>
  value instanceof Text;

const WRAPPED_KEY_BYTES = 256;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const WRAPPER_BOUNDS = { values: 10, structureBytes: 4096 };
const TAIL = '"}';

/** The text of an encrypted value: of its members only the ciphertext is large, and goes to the spool. */
class SealedText extends Text {
  /** Undefined once it is known to be no wrapper: the rest is thrown away, for the route to refuse it. */
  #reader: JsonReader | undefined;
  #head = '';
  #sha256 = '';

  constructor(spool: Spool, blobs: BlobKeeper) {
    super(spool, blobs);
    this.#reader = new JsonReader(WRAPPER_BOUNDS, new Map([['d', () => new Base64Sink(spool)]]));
  }

  override get sealed(): boolean {
    return this.#head !== '';
  }

  override get bytes(): number {
    return this.#head.length + this.spool.bytes + TAIL.length;
  }

  override get sha256(): string {
    return this.#sha256;
  }

  protected override take(piece: Buffer): void {
    this.#attempt((reader) => reader.write(piece));
  }

  override end(): unknown {
    this.#attempt((reader) => {
      const { _enc, k, iv, d, ...more } = (reader.end() ?? {}) as Record<string, unknown>;
      const isSealed =
        _enc === 1 &&
        lengthOf(k) === WRAPPED_KEY_BYTES &&
        lengthOf(iv) === IV_BYTES &&
        typeof d === 'number' &&
        d >= TAG_BYTES &&
        Object.keys(more).length === 0;
      if (isSealed) this.#head = `{"_enc":1,"k":"${k}","iv":"${iv}","d":"`;
    });
    return this;
  }

  override async finish(): Promise<void> {
    if (!this.sealed) return;
    const hash = createHash('sha256').update(this.#head);
    await this.spool.read((piece) => hash.update(piece));
    this.#sha256 = hash.update(TAIL).digest('hex');
  }

  override open(): Readable {
    return Readable.from(this.#parts(), { objectMode: false });
  }

  async *#parts(): AsyncGenerator<Buffer> {
    yield Buffer.from(this.#head);
    yield* this.spool.open();
    yield Buffer.from(TAIL);
  }

  #attempt(read: (reader: JsonReader) => void): void {
    if (this.#reader === undefined) return;
    try {
      read(this.#reader);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      this.#reader = undefined;
    }
  }
}

const PAD = '='.charCodeAt(0);
const NO_DIGIT = 0x40;
/** The digit that a code is. */
const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (const [digit, code] of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries())
  DIGITS[code] = digit;
/** Bits of the last digit that stand for nothing, by the number of signs of padding. */
const TRAILING_BITS = [0, 0b11, 0b1111];

/** Lets only canonical base64 through. What stands for it is the number of its bytes. */
class Base64Sink implements TextSink {
  readonly #spool: Spool;
  #digits = 0;
  #padding = 0;
  #last = 0;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  write(piece: Buffer): void {
    let digits = piece.length;
    while (digits > 0 && piece[digits - 1] === PAD) digits--;
    // Nothing comes after padding but more of it.
    let seen = digits > 0 && this.#padding > 0 ? NO_DIGIT : 0;
    for (let at = 0; at < digits; at++) {
      this.#last = DIGITS[piece[at] ?? 0] ?? NO_DIGIT;
      seen |= this.#last;
    }
    if (seen & NO_DIGIT) throw new PlatformError('request.malformed');
    this.#digits += digits;
    this.#padding += piece.length - digits;
    this.#spool.write(piece);
  }

  end(): number {
    const trailing = TRAILING_BITS[this.#padding];
    if ((this.#digits + this.#padding) % 4 !== 0 || trailing === undefined || this.#last & trailing)
      throw new PlatformError('request.malformed');
    return ((this.#digits + this.#padding) / 4) * 3 - this.#padding;
  }
}

function lengthOf(base64: unknown): number | undefined {
  return typeof base64 === 'string' ? base64Length(base64) : undefined;
}
