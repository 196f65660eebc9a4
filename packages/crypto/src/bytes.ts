/** Bytes on a plain `ArrayBuffer`: what WebCrypto, `Blob` and `fetch` take. Every function here returns these. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The same bytes in a form that WebCrypto accepts; copies only shared memory. */
export function asBytes(bytes: Uint8Array): Bytes {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Bytes) : bytes.slice();
}

export function textOrBytes(value: string | Uint8Array): Bytes {
  return typeof value === 'string' ? encodeUtf8(value) : asBytes(value);
}

export function encodeUtf8(text: string): Bytes {
  return encoder.encode(text);
}

/** Strict UTF-8; a byte order mark stays part of the text. `undefined` when the bytes are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

export function randomBytes(length: number): Bytes {
  return globalThis.crypto.getRandomValues(new Uint8Array(length));
}

export function concatBytes(...parts: Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Compares in time that depends only on the lengths, which are public in every use. */
export function equalTexts(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < right.length; index++) {
    difference |= left.charCodeAt(index % (left.length || 1)) ^ right.charCodeAt(index);
  }
  return difference === 0;
}

const encoder = new TextEncoder();
// Bundles of what needs neither leave it out.
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
