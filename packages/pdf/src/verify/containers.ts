import { type Bytes, fromHex, latin1 } from './bytes.ts';

/** A signature in a file: which bytes it covers, and what it says. */
export interface Container {
  /** The hex digits lie between these two; all else up to `end` is covered. */
  readonly gap: readonly [number, number];
  readonly end: number;
  /** The CMS structure. */
  readonly signature: Bytes;
  /** When the signer claims to have signed. */
  readonly claimed: Date | undefined;
  /** What the seal says of the document, as it stands in the file. */
  readonly facts: string | undefined;
}

const MARK = Uint8Array.from('/ByteRange', (character) => character.charCodeAt(0));
/** The range and what it leaves out stand in one dictionary, this near to each other. */
const DICTIONARY = 4096;
const MOST_SIGNATURES = 16;
/** Hex digits of the largest signature that is read. */
const LONGEST_SIGNATURE = 1 << 20;
/** Hex digits of the longest facts that are read. */
const LONGEST_FACTS = 1 << 20;

/**
 * Finds signatures without parsing the file. That is enough: a signature counts by the bytes that it covers, and these
 * decide what a reader shows.
 * @returns `marks` says how many places look like a signature, `containers` has those that are one
 */
export function findContainers(file: Uint8Array): { marks: number; containers: Container[] } {
  const containers: Container[] = [];
  let marks = 0;
  // From the end: the seal comes last, whatever the document has before it.
  for (let at = lastIndexOf(file, MARK, file.length); at !== -1; at = lastIndexOf(file, MARK, at)) {
    marks++;
    const container = readContainer(file, at);
    if (container) containers.unshift(container);
    if (containers.length >= MOST_SIGNATURES) break;
  }
  return { marks, containers: containers.sort((a, b) => a.end - b.end) };
}

function readContainer(file: Uint8Array, at: number): Container | undefined {
  const range = /^\/ByteRange\s*\[\s*0\s+(\d{1,12})\s+(\d{1,12})\s+(\d{1,12})\s*\]/.exec(
    latin1(file.subarray(at, at + 128)),
  );
  if (!range) return undefined;
  const [from = 0, to = 0, rest = 0] = range.slice(1).map(Number);
  const end = to + rest;
  const near = (at < from && from - at < DICTIONARY) || (at >= to && at - to < LONGEST_FACTS + DICTIONARY);
  if (
    !near ||
    from + 4 > to ||
    to - from > LONGEST_SIGNATURE ||
    end > file.length ||
    file[from] !== 0x3c ||
    file[to - 1] !== 0x3e
  )
    return undefined;
  const digits = fromHex(latin1(file.subarray(from + 1, to - 1)));
  const signature = digits && withoutPadding(digits);
  if (!signature) return undefined;
  const head = latin1(file.subarray(Math.max(0, from - DICTIONARY), from));
  const object = head.slice(head.lastIndexOf(' obj') + 1);
  return { gap: [from, to], end, signature, claimed: claimedTime(object), facts: factsAfter(file, to) };
}

/** One DER element, and zeros after it: other bytes would be covered by nothing. */
function withoutPadding(bytes: Bytes): Bytes | undefined {
  const first = bytes[1] ?? 0;
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (bytes[0] !== 0x30 || count > 4 || first === 0x80) return undefined;
  const length =
    first < 0x80 ? first : bytes.subarray(2, 2 + count).reduce((value, byte) => value * 256 + byte, 0);
  const end = 2 + count + length;
  if (end > bytes.length || bytes.subarray(end).some((byte) => byte !== 0)) return undefined;
  return bytes.slice(0, end);
}

/** @param object the dictionary's text before the signature: `/M (D:20261122104941+00'00')` */
function claimedTime(object: string): Date | undefined {
  const parts = /\/M\s*\(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-])(\d\d)'?(\d\d)?)?/.exec(object);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second, sign, hours = '00', minutes = '00'] = parts;
  const zone = sign ? `${sign}${hours}:${minutes}` : 'Z';
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function factsAfter(file: Uint8Array, at: number): string | undefined {
  const text = latin1(file.subarray(at, at + LONGEST_FACTS));
  const digits = /^\s*\/SymbolonSeal\s*<([0-9a-f]*)>/i.exec(text)?.[1];
  const bytes = digits === undefined ? undefined : fromHex(digits);
  return bytes && new TextDecoder().decode(bytes);
}

/** @param before where the mark found must begin before */
function lastIndexOf(file: Uint8Array, mark: Uint8Array, before: number): number {
  const [first = 0] = mark;
  for (let at = before; at > 0; ) {
    at = file.lastIndexOf(first, at - 1);
    if (at === -1) return -1;
    if (mark.every((byte, index) => file[at + index] === byte)) return at;
  }
  return -1;
}
