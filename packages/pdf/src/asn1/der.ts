/** Writes DER (X.690 section 10). What we read is read by the ASN.1 library. */

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
} as const;

export function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return concat(Uint8Array.of(tag, ...lengthOctets(length)), ...parts);
}

export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return element(TAG.sequence, ...parts);
}

/** The members in the order that DER demands of a SET OF: by their encodings. */
export function setOf(...parts: readonly Uint8Array[]): Uint8Array {
  return element(TAG.set, ...[...parts].sort(Buffer.compare));
}

/** A constructed element with a context-specific tag: EXPLICIT, or IMPLICIT over a SET or SEQUENCE's content. */
export function context(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  return element(0xa0 | tag, ...parts);
}

export function octets(bytes: Uint8Array): Uint8Array {
  return element(TAG.octets, bytes);
}

export function nothing(): Uint8Array {
  return element(TAG.null);
}

export function truth(): Uint8Array {
  return element(TAG.boolean, Uint8Array.of(0xff));
}

/** A non-negative integer, from its big-endian bytes or a small number. */
export function integer(value: number | Uint8Array): Uint8Array {
  const bytes = typeof value === 'number' ? Uint8Array.of(value) : value;
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const digits = bytes.subarray(start);
  return (digits[0] ?? 0) < 0x80
    ? element(TAG.integer, digits)
    : element(TAG.integer, Uint8Array.of(0), digits);
}

export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(TAG.oid, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    digits.unshift((rest % 128) | 128);
  return digits;
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return [0x80 | digits.length, ...digits];
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.concat(parts);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
