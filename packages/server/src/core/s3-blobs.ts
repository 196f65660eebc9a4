import { BLOB_KEY, type BlobStore } from './blobs.ts';
import { EMPTY_SHA256, type S3Options, s3Objects } from './s3-objects.ts';

/**
 * Blobs as objects of an S3-compatible store. An object is there whole or not at all, and the store compares its bytes with
 * the hash that the request is signed with.
 */
export function s3Blobs(options: S3Options): BlobStore & { probe(): Promise<void>; stop(): Promise<void> } {
  const objects = s3Objects(options);
  return {
    write: (key, bytes) => objects.put(nameOf(key), bytes, bytes.length, hashOf(key)),

    async writeStream(key, source) {
      const stream = source.open();
      try {
        await objects.put(nameOf(key), stream, source.bytes, hashOf(key));
      } finally {
        stream.destroy();
      }
    },

    async read(key) {
      const answer = await objects.get(nameOf(key));
      return answer && Buffer.from(await answer.body.arrayBuffer());
    },

    async readStream(key) {
      const answer = await objects.get(nameOf(key));
      return answer && { bytes: Number(answer.headers['content-length']), stream: answer.body };
    },

    remove: (key) => objects.remove(nameOf(key)),

    // An upload that breaks leaves nothing.
    async tidy() {},

    probe: () => objects.put('probe', new Uint8Array(), 0, EMPTY_SHA256),

    stop: () => objects.stop(),
  };
}

/** Fanned out by the hash, as the files of a folder are. */
function nameOf(key: string): string {
  return `${hashOf(key).slice(0, 2)}/${key}`;
}

function hashOf(key: string): string {
  const [, hash] = BLOB_KEY.exec(key) ?? [];
  if (hash === undefined) throw new Error('That is no key of a blob.');
  return hash;
}
