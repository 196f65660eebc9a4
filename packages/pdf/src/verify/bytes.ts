import { joined } from '../joined.ts';

/** Works in browsers too: without the types of Node. */

export type Bytes = Uint8Array<ArrayBuffer>;

export function bytesOf(buffer: ArrayBuffer | Uint8Array): Bytes {
  return buffer instanceof Uint8Array ? Uint8Array.from(buffer) : new Uint8Array(buffer);
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @returns undefined for anything but pairs of hex digits */
export function fromHex(text: string): Bytes | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

export async function digestOf(hash: string, ...parts: readonly Uint8Array[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest(hash, joined(parts)));
}

/** One character a byte, as PDF structure is read. */
export function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
