import { PdfError } from '../errors.ts';

/** A file with an update that ends in an empty signature container: what is left to do is the signature itself. */
export interface Prepared {
  /** What follows the file that the update is appended to. */
  readonly tail: Uint8Array;
  /** The file when it had to be rewritten; null when it is the one handed in. */
  readonly rewritten: Uint8Array | null;
  /** Where the container's hex digits begin, counted from the start of `tail`, and how many bytes they stand for. */
  readonly container: { readonly at: number; readonly room: number };
  /** SHA-256 of everything but the container. */
  readonly digest: Uint8Array;
}

/** What a verifier needs to check the signature offline later (PAdES B-LT): all DER. */
export interface ValidationData {
  readonly certificates: readonly Uint8Array[];
  readonly ocsps: readonly Uint8Array[];
  readonly crls: readonly Uint8Array[];
}

/**
 * The sealed file.
 * @throws {PdfError} container_too_small; `message` says how many bytes are needed
 */
export function completeSignature(base: Uint8Array, prepared: Prepared, signature: Uint8Array): Uint8Array {
  const { tail, container, rewritten } = prepared;
  if (signature.length > container.room) {
    throw new PdfError('container_too_small', {
      message: `The signature takes ${signature.length} bytes, there is room for ${container.room}.`,
    });
  }
  const start = rewritten ?? base;
  const bytes = Buffer.allocUnsafeSlow(start.length + tail.length);
  bytes.set(start);
  bytes.set(tail, start.length);
  bytes.write(Buffer.from(signature).toString('hex'), start.length + container.at, 'latin1');
  return bytes;
}
