import type { Readable } from 'node:stream';

/** Bytes that can be read more than once, with their hash. */
export interface LargeSource {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** The bytes from the first to the last. */
  open(): Readable;
}

/** The UTF-8 text of a large member of a body. It is gone when its request has been answered. */
export interface LargeText extends LargeSource {
  /** It is an encrypted value. Then it is in the form of `serializeWrapper`, however it was sent. */
  readonly sealed: boolean;
  /** All of it; for texts that are in memory anyway. */
  read(): Promise<Buffer>;
  /** Keeps it as a blob for as long as it takes to name it: see `Blobs`. */
  store(): Promise<BlobRef>;
  /** Lets go of it before its request is answered. */
  discard(): Promise<void>;
}

/** A blob that is kept. */
export interface BlobRef {
  /** SHA-256 of its bytes, lower-case hex. */
  readonly hash: string;
  readonly bytes: number;
}

/** Where large texts are stored. */
export interface BlobKeeper {
  keepStream(source: LargeSource): Promise<BlobRef>;
}
