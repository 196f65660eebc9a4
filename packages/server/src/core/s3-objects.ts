import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';

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
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The store does not do what it is asked. Like errors of the operating system it has a code. */
class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly code = 'S3_REFUSED';
}

/** The calls of an S3-compatible store that the platform makes, by the names of objects below a prefix. */
export function s3Objects(options: S3Options) {
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    headersTimeout: SILENT_MS,
    bodyTimeout: SILENT_MS,
  });

  const send = async (
    method: 'PUT' | 'GET' | 'DELETE',
    path: string,
    {
      body,
      bytes,
      sha256 = EMPTY_SHA256,
    }: { body?: Uint8Array | Readable; bytes?: number; sha256?: string } = {},
  ): Promise<Dispatcher.ResponseData> => {
    const signer = new AwsV4Signer({
      method,
      url: `${options.bucketUrl}${path}`,
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
  const pathOf = (name: string) => `/${options.prefix}${name}`;

  return {
    /** The store compares the bytes with the hash that the request is signed with. */
    async put(name: string, body: Uint8Array | Readable, bytes: number, sha256: string): Promise<void> {
      await done(await send('PUT', pathOf(name), { body, bytes, sha256 }));
    },

    /** Undefined when there is nothing under the name. */
    async get(name: string): Promise<Dispatcher.ResponseData | undefined> {
      const answer = await send('GET', pathOf(name));
      if (answer.statusCode === 200) return answer;
      const text = await answer.body.text();
      // A bucket that is missing is an outage, not a missing object.
      if (answer.statusCode === 404 && !text.includes('NoSuchBucket')) return undefined;
      throw refusalOf(answer.statusCode, text);
    },

    async remove(name: string): Promise<void> {
      const answer = await send('DELETE', pathOf(name));
      if (answer.statusCode === 404) await answer.body.dump();
      else await done(answer);
    },

    /** The first thousand names with a beginning, in order. */
    async list(beginning: string): Promise<string[]> {
      const query = new URLSearchParams({ 'list-type': '2', prefix: `${options.prefix}${beginning}` });
      const answer = await send('GET', `?${query}`);
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw refusalOf(answer.statusCode, text);
      const keys = [...text.matchAll(/<Key>([^<]{1,1024})<\/Key>/g)].map(([, key = '']) => key);
      return keys.map((key) => key.slice(options.prefix.length)).sort();
    },

    stop: () => dispatcher.close(),
  };
}

/** @throws {S3Error} unless the answer is one of success */
async function done({ statusCode, body }: Dispatcher.ResponseData): Promise<void> {
  const text = await body.text();
  if (statusCode >= 300) throw refusalOf(statusCode, text);
}

function refusalOf(status: number, text: string): S3Error {
  const [, code = ''] = /<Code>([^<]{1,100})<\/Code>/.exec(text) ?? [];
  const [, message = ''] = /<Message>([^<]{1,300})<\/Message>/.exec(text) ?? [];
  return new S3Error(`The object store answered ${status} ${code} ${message}`.trim().slice(0, REASON_MOST));
}
