import { isAscii, isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { limits } from '@symbolon/protocol';
import { PlatformError } from '../core/errors.ts';
import { hasNul, NUL_REFUSED } from '../core/nul.ts';

/** How much structure a body may have: everything but its long strings is parsed in one go. */
export interface JsonBounds {
  /** Members and elements, with the containers that hold them. */
  readonly values: number;
  /** Bytes outside strings of 4 KiB or more. */
  readonly structureBytes: number;
  /** Levels; those of an everyday body when not said. */
  readonly depth?: number;
}

/** Takes in the text of a member, piece by piece. */
export interface TextSink {
  /** @param piece UTF-8 of whole characters; it may be a part of a buffer that is used no more */
  write(piece: Buffer): void;
  /** What stands for the text in the value. */
  end(): unknown;
}

/** Members of the body itself whose text goes to a sink, by name. */
export type LargeMembers = ReadonlyMap<string, () => TextSink>;

const LONG = 4096;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
/** Strings are mostly short: the native search costs more than a few steps. */
const STEPS = 64;

/**
 * Reads JSON strictly, piece by piece, so that no body holds the thread for long: UTF-8, bounded depth and number of
 * values, no `__proto__` member, no NUL character, no lone surrogate. Long strings are decoded as they arrive. The
 * rest is small and is left to JSON.parse, with a marker in the place of each long string.
 */
export class JsonReader {
  readonly #bounds: JsonBounds;
  readonly #large: LargeMembers | undefined;
  readonly #opened = new Set<string>();
  /** The member of the body whose value begins next. */
  #member: string | undefined;
  #isMember = false;
  #longBytes = 0;
  #values = 1;
  #depth = 0;
  /** What JSON.parse gets. */
  readonly #structure: Buffer[] = [];
  #structureBytes = 0;
  /** What is being read, and how far. */
  #block: Buffer = Buffer.alloc(0);
  #at = 0;
  /** The end of a block that begins something. */
  #rest: Buffer = this.#block;
  /** Decoded pieces of a long string that has not ended. */
  #open: TextSink | undefined;
  #half = '';
  readonly #long: unknown[] = [];
  /** It cannot be guessed, so no text of the body passes for one. */
  #marker = '';
  #endedLong = false;
  /** Where the last escape begins that `#endOfString` met. */
  #escape = -1;

  /** @param large with any, other long strings may have as many bytes together as a small body */
  constructor(bounds: JsonBounds, large?: LargeMembers) {
    this.#bounds = bounds;
    this.#large = large;
  }

  /** @param piece at best some 64 KiB at a time @throws {PlatformError} request.malformed, request.too_large */
  write(piece: Buffer): void {
    this.#block = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    this.#at = 0;
    while (this.#open === undefined ? this.#readStructure() : this.#readLong(this.#open)) {}
    this.#rest = this.#block.subarray(this.#at);
  }

  /** The value; undefined for no body at all and for `null`. @throws {PlatformError} request.malformed */
  end(): unknown {
    if (this.#open !== undefined || this.#rest.length > 0) throw notJson();
    if (this.#structureBytes === 0) return undefined;
    const bytes = this.#structure.length === 1 ? this.#structure[0] : Buffer.concat(this.#structure);
    const text = decode(bytes ?? this.#rest);
    if (text.startsWith('\ufeff')) throw marked();
    const value = parse(text);
    const isSuspect = text.includes('\\u') || text.includes('__proto__');
    const settled = isSuspect || this.#long.length > 0 ? this.#settle(value) : value;
    return settled === null ? undefined : settled;
  }

  /** Reads what is not within a long string. Says whether a long string begins. */
  #readStructure(): boolean {
    const block = this.#block;
    const start = this.#at;
    for (let at = start; at < block.length; at++) {
      const code = block[at];
      if (code === QUOTE) {
        const end = this.#endOfString(at + 1);
        const sink = this.#large === undefined ? undefined : this.#sinkOf(this.#large);
        const isLong = sink !== undefined || (end < 0 ? block.length : end) - at > LONG;
        if (isLong || end < 0) {
          this.#keep(block.subarray(start, at));
          if (isLong) this.#open = sink?.() ?? this.#text();
          this.#at = isLong ? at + 1 : at;
          return isLong;
        }
        if (this.#isMember) this.#nameMember(block.subarray(at + 1, end));
        at = end;
      } else if (code === COMMA || code === 0x7b || code === 0x5b) {
        this.#endedLong = false;
        if (code !== COMMA) this.#descend();
        if (++this.#values > this.#bounds.values)
          throw tooLarge(`The body has more than ${this.#bounds.values} values.`);
        this.#isMember = this.#depth === 1 && this.#large !== undefined;
        this.#member = undefined;
      } else if (code === 0x7d || code === 0x5d) {
        this.#endedLong = false;
        this.#depth--;
      } else if (code === COLON) {
        if (this.#endedLong) throw malformed(`The name of a member is longer than ${LONG} bytes.`);
        this.#isMember = false;
      }
    }
    this.#keep(block.subarray(start));
    this.#at = block.length;
    return false;
  }

  /** Reads a long string as far as it is there. Says whether it ended. */
  #readLong(open: TextSink): boolean {
    const start = this.#at;
    const end = this.#endOfString(start);
    const whole = end < 0 ? this.#wholeCharacters(start) : end;
    if (whole > start) open.write(this.#plainText(this.#block.subarray(start, whole)));
    this.#at = end < 0 ? whole : end + 1;
    if (end < 0) return false;
    wellFormed(this.#half);
    this.#half = '';
    this.#marker ||= randomBytes(16).toString('hex');
    this.#keep(Buffer.from(`"${this.#marker}${this.#long.length}"`));
    this.#long.push(open.end());
    this.#open = undefined;
    this.#endedLong = true;
    return true;
  }

  /** Where the value goes that begins, if it is that of a large member. */
  #sinkOf(large: LargeMembers): (() => TextSink) | undefined {
    const name = this.#depth === 1 && !this.#isMember ? this.#member : undefined;
    const sink = name === undefined ? undefined : large.get(name);
    if (name === undefined || sink === undefined) return undefined;
    if (this.#opened.has(name)) throw malformed(`The member ${name} stands twice.`);
    this.#opened.add(name);
    return sink;
  }

  #nameMember(name: Buffer): void {
    // Another spelling of a large member would bring its text into memory.
    if (name.includes(BACKSLASH)) throw malformed('The name of a member has an escape.');
    this.#member = name.toString();
  }

  /** A long string that stays in memory: put together where it is read, since one that is refused for its length is not. */
  #text(): TextSink {
    let text = '';
    return {
      write: (bytes) => {
        const piece = bytes.toString();
        this.#longBytes += piece.length;
        if (this.#large !== undefined && this.#longBytes > limits.jsonBodyBytes)
          throw tooLarge('The body has too much beside its large members.');
        text += piece;
      },
      end: () => text,
    };
  }

  /** What a part of a long string says; what says itself is not copied. */
  #plainText(part: Buffer): Buffer {
    if (this.#half === '' && isPlain(part)) return part;
    return Buffer.from(this.#wellFormedPart(decode(part)));
  }

  /** Decodes a part of a long string; half of a pair of surrogates waits for the other half. */
  #wellFormedPart(json: string): string {
    const text = this.#half + (parse(`"${json}"`) as string);
    const last = text.charCodeAt(text.length - 1);
    const whole = last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length;
    this.#half = text.slice(whole);
    return wellFormed(text.slice(0, whole));
  }

  /** Where the quote is that ends a string, from somewhere in it; -1 when it does not end in the block. */
  #endOfString(start: number): number {
    const block = this.#block;
    this.#escape = -1;
    let at = start;
    const steps = Math.min(block.length, start + STEPS);
    for (; at < steps; at++) {
      const code = block[at];
      if (code === QUOTE) return at;
      if (code === BACKSLASH) this.#escape = at++;
    }
    if (at >= block.length) return -1;
    const quote = block.indexOf(QUOTE, at);
    const slash = block.subarray(at, quote < 0 ? block.length : quote).indexOf(BACKSLASH);
    if (slash < 0) return quote;
    for (at += slash; at < block.length; at++) {
      const code = block[at];
      if (code === QUOTE) return at;
      if (code === BACKSLASH) this.#escape = at++;
    }
    return -1;
  }

  /** The end of the block, within a string: before an escape or a character that may go on in the next block. */
  #wholeCharacters(start: number): number {
    const block = this.#block;
    if (this.#escape >= 0 && this.#escape > block.length - LONGEST_ESCAPE) return this.#escape;
    let last = block.length - 1;
    while (last > start && block.length - last < 4 && isContinuation(block[last])) last--;
    return (block[last] ?? 0) >= 0xc0 ? last : block.length;
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#structure.push(bytes);
    this.#structureBytes += bytes.length;
    if (this.#structureBytes > this.#bounds.structureBytes)
      throw tooLarge('The body has too much beside its long strings.');
  }

  #descend(): void {
    const { depth = limits.jsonBodyDepth } = this.#bounds;
    if (++this.#depth > depth) throw malformed(`The body is nested deeper than ${depth} levels.`);
  }

  /** Looks at every member, and puts the long strings back. Recursion is bounded by the depth. */
  #settle(value: unknown): unknown {
    if (typeof value === 'string') {
      const isMarker = this.#marker !== '' && value.startsWith(this.#marker);
      return isMarker ? this.#long[Number(value.slice(this.#marker.length))] : wellFormed(value);
    }
    if (typeof value !== 'object' || value === null) return value;
    const members = value as Record<string, unknown>;
    for (const [name, member] of Object.entries(members)) {
      // JSON.parse makes it an own member; others may not.
      if (name === '__proto__') throw malformed('A member must not be named __proto__.');
      wellFormed(name);
      const settled = this.#settle(member);
      if (settled !== member) members[name] = settled;
    }
    return value;
  }
}

const LONGEST_ESCAPE = '\\u0000'.length;

/** Fewer bytes are looked at one by one. */
const FEW = 64;

/** Whether bytes of a string are the text that they stand for: ASCII without an escape and without control characters. */
function isPlain(bytes: Buffer): boolean {
  if (!isAscii(bytes) || bytes.includes(BACKSLASH)) return false;
  const hasControl = (few: Buffer) => few.some((code) => code < 0x20);
  if (bytes.length < FEW) return !hasControl(bytes);
  const start = -bytes.byteOffset & 3;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + start, (bytes.length - start) >> 2);
  let borrowed = 0;
  // Of ASCII, only a byte below 0x20 sets its highest bit, and perhaps that of the byte above it.
  for (let at = 0; at < words.length; at++) borrowed |= (words[at] ?? 0) - 0x20202020;
  const ends = [bytes.subarray(0, start), bytes.subarray(start + words.byteLength)];
  return (borrowed & 0x80808080) === 0 && !ends.some(hasControl);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8.');
  return bytes.toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function wellFormed(text: string): string {
  if (hasNul(text)) throw malformed(NUL_REFUSED);
  if (!text.isWellFormed()) throw malformed('Text must be well-formed Unicode.');
  return text;
}

const notJson = () => malformed('The body is not JSON.');
const marked = () => malformed('The body begins with a byte order mark (U+FEFF), which JSON has not.');
const malformed = (text: string) => new PlatformError('request.malformed', { text });
const tooLarge = (text: string) => new PlatformError('request.too_large', { text });
