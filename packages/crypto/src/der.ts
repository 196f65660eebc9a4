import { type Bytes, concatBytes } from './bytes.ts';
import { encodeHex } from './hex.ts';

/**
 * The few parts of DER (X.690 section 10) that PKCS#8 needs, strict: definite minimal lengths, minimal
 * non-negative integers, nothing after the end. Every reader throws {@link DerError} for anything else.
 */
export type DerElement = { tag: number; content: Uint8Array };

export class DerError extends Error {}

export const TAG = { integer: 0x02, octets: 0x04, null: 0x05, oid: 0x06, sequence: 0x30 } as const;

/** The one element that fills the bytes. */
export function readDer(bytes: Uint8Array): DerElement {
  const [element, ...rest] = readElements(bytes);
  if (!element || rest.length > 0) throw new DerError('expected exactly one element');
  return element;
}

/** The members of a SEQUENCE. */
export function readSequence(element: DerElement | undefined): DerElement[] {
  return readElements(contentOf(element, TAG.sequence));
}

/** The dotted identifier's content in hex, which is enough to compare. */
export function readOid(element: DerElement | undefined): string {
  return encodeHex(contentOf(element, TAG.oid));
}

export function readOctets(element: DerElement | undefined): Uint8Array {
  return contentOf(element, TAG.octets);
}

/** A non-negative INTEGER below 2^31. */
export function readSmallInteger(element: DerElement | undefined): number {
  const content = contentOf(element, TAG.integer);
  const [first = 0x80, second = 0] = content;
  const padded = first === 0 && content.length > 1;
  if (content.length > 4 || first >= 0x80 || (padded && second < 0x80))
    throw new DerError('unusable integer');
  return content.reduce((value, byte) => value * 256 + byte, 0);
}

/** Parameters that must be NULL or absent. */
export function expectNoParameters(elements: DerElement[]): void {
  const [parameters, ...rest] = elements;
  if (rest.length > 0 || (parameters && contentOf(parameters, TAG.null).length > 0)) {
    throw new DerError('unexpected parameters');
  }
}

export function writeDer(tag: number, ...parts: Uint8Array[]): Bytes {
  const content = concatBytes(...parts);
  return concatBytes(Uint8Array.of(tag, ...lengthOctets(content.length)), content);
}

/** A non-negative INTEGER below 2^31. */
export function writeSmallInteger(value: number): Bytes {
  const octets = [value >> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
  while (octets.length > 1 && octets[0] === 0 && (octets[1] ?? 0) < 0x80) octets.shift();
  return writeDer(TAG.integer, Uint8Array.from(octets));
}

/** Takes what {@link readOid} gives. */
export function writeOid(hex: string): Bytes {
  const octets = hex.match(/../g) ?? [];
  return writeDer(
    TAG.oid,
    Uint8Array.from(octets, (pair) => Number.parseInt(pair, 16)),
  );
}

function readElements(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const tag = bytes[offset] ?? 0;
    if ((tag & 0x1f) === 0x1f) throw new DerError('long tag');
    const { length, start } = readLength(bytes, offset + 1);
    if (start + length > bytes.length) throw new DerError('truncated');
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    offset = start + length;
  }
  return elements;
}

function readLength(bytes: Uint8Array, offset: number): { length: number; start: number } {
  const first = bytes[offset] ?? 0x80;
  if (first < 0x80) return { length: first, start: offset + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 3 || offset + count >= bytes.length) throw new DerError('unusable length');
  const start = offset + 1 + count;
  const length = bytes.subarray(offset + 1, start).reduce((value, byte) => value * 256 + byte, 0);
  if (lengthOctets(length).length !== count + 1) throw new DerError('length not minimal');
  return { length, start };
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  if (length < 0x100) return [0x81, length];
  if (length < 0x10000) return [0x82, length >> 8, length & 255];
  return [0x83, length >> 16, (length >> 8) & 255, length & 255];
}

function contentOf(element: DerElement | undefined, tag: number): Uint8Array {
  if (element?.tag !== tag) throw new DerError('unexpected element');
  return element.content;
}
