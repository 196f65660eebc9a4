import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import { BLOB_KEY, type BlobStore } from './blobs.ts';

/** Where objects lie, and who may write them. */
export interface S3Options {
  /** The address of the bucket, without a slash at the end: `https://s3.example.com/bucket`. */
  readonly bucketUrl: string;
  /** Before every key; empty or ending with a slash. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Without a byte for this long, the store is away. */
const SILENT_MS = 30_000;
const CONNECT_MS = 5_000;
const CONNECTIONS = 32;
const REASON_MOST = 300;
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The store does not do what it is asked. Like errors of the operating system it has a code. */
class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly code = 'S3_REFUSED';
}

/**
 * Blobs as objects of an S3-compatible store. An object is there whole or not at all, and the store compares its bytes with
 * the hash that the request is signed with.
 */
export function s3Blobs(options: S3Options): BlobStore & { probe(): Promise<void>; stop(): Promise<void> } {
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    headersTimeout: SILENT_MS,
    bodyTimeout: SILENT_MS,
  });

  const send = async (
    method: 'PUT' | 'GET' | 'DELETE',
    name: string,
    {
      body,
      bytes,
      sha256 = EMPTY_SHA256,
    }: { body?: Uint8Array | Readable; bytes?: number; sha256?: string } = {},
  ): Promise<Dispatcher.ResponseData> => {
    const signer = new AwsV4Signer({
      method,
      url: `${options.bucketUrl}/${options.prefix}${name}`,
      headers: { 'x-amz-content-sha256': sha256 },
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretAccessKey,
      ...(options.sessionToken === undefined ? {} : { sessionToken: options.sessionToken }),
      service: 's3',
      region: options.region,
      allHeaders: true,
    });
    const { url, headers } = await signer.sign();
    return request(url, {
      method,
      dispatcher,
      headers: {
        ...Object.fromEntries(headers),
        ...(bytes === undefined ? {} : { 'content-length': String(bytes) }),
      },
      ...(body === undefined ? {} : { body }),
    });
  };

  const put = async (name: string, body: Uint8Array | Readable, bytes: number, sha256: string) =>
    done(await send('PUT', name, { body, bytes, sha256 }));

  /** @throws {S3Error} unless the answer is one of success */
  const done = async ({ statusCode, body }: Dispatcher.ResponseData): Promise<void> => {
    const text = await body.text();
    if (statusCode >= 300) throw refusalOf(statusCode, text);
  };

  const get = async (key: string): Promise<Dispatcher.ResponseData | undefined> => {
    const answer = await send('GET', nameOf(key));
    if (answer.statusCode === 200) return answer;
    const text = await answer.body.text();
    // A bucket that is missing is an outage, not a missing blob.
    if (answer.statusCode === 404 && !text.includes('NoSuchBucket')) return undefined;
    throw refusalOf(answer.statusCode, text);
  };

  return {
    write: (key, bytes) => put(nameOf(key), bytes, bytes.length, hashOf(key)),

    async writeStream(key, source) {
      const stream = source.open();
      try {
        await put(nameOf(key), stream, source.bytes, hashOf(key));
      } finally {
        stream.destroy();
      }
    },

    async read(key) {
      const answer = await get(key);
      return answer && Buffer.from(await answer.body.arrayBuffer());
    },

    async readStream(key) {
      const answer = await get(key);
      return answer && { bytes: Number(answer.headers['content-length']), stream: answer.body };
    },

    async remove(key) {
      const answer = await send('DELETE', nameOf(key));
      if (answer.statusCode === 404) await answer.body.dump();
      else await done(answer);
    },

    // An upload that breaks leaves nothing.
    async tidy() {},

    async probe() {
      await put('probe', new Uint8Array(), 0, EMPTY_SHA256);
    },

    stop: () => dispatcher.close(),
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

function refusalOf(status: number, text: string): S3Error {
  const [, code = ''] = /<Code>([^<]{1,100})<\/Code>/.exec(text) ?? [];
  const [, message = ''] = /<Message>([^<]{1,300})<\/Message>/.exec(text) ?? [];
  return new S3Error(`The object store answered ${status} ${code} ${message}`.trim().slice(0, REASON_MOST));
}
