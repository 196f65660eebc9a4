import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { S3Options } from '../../../server/src/core/s3-objects.ts';
import { startReceiver } from './receiver.ts';

const KEYS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a secret of forty characters, no more' };
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** An S3-compatible store in memory that holds clients to the protocol. */
export interface TestS3 {
  readonly options: S3Options;
  readonly objects: Map<string, Buffer>;
  /** Answers every call 503 while it is true. */
  away: boolean;
  stop(): void;
}

export async function startS3(): Promise<TestS3> {
  const objects = new Map<string, Buffer>();
  const list = (query: URLSearchParams, response: ServerResponse) => {
    const keys = [...objects.keys()]
      .map((path) => path.slice('/bucket/'.length))
      .filter((key) => key.startsWith(query.get('prefix') ?? ''));
    const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(`<ListBucketResult>${contents}</ListBucketResult>`);
  };
  const { base, stop } = await startReceiver((request, body, response) => {
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<Error><Code>${code}</Code></Error>`);
    if (store.away) return refuse(503, 'SlowDown');
    const wrong = faultOf(request, body);
    if (wrong !== undefined) return refuse(403, wrong);
    const path = request.url ?? '';
    if (path.startsWith('/bucket?')) return list(new URL(path, base).searchParams, response);
    if (!path.startsWith('/bucket/')) return refuse(404, 'NoSuchBucket');
    const found = objects.get(path);
    if (request.method === 'PUT') {
      // An upload without a length is one that S3 does not take.
      if (request.headers['content-length'] === undefined) return refuse(411, 'MissingContentLength');
      objects.set(path, body);
      return response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(path);
      return response.writeHead(204).end();
    }
    if (found === undefined) return refuse(404, 'NoSuchKey');
    return response.writeHead(200, { 'content-length': found.length }).end(found);
  });
  const store: TestS3 = {
    options: {
      bucketUrl: `${base}/bucket`,
      prefix: 'files/',
      region: 'eu-central-1',
      sessionToken: undefined,
      ...KEYS,
    },
    objects,
    away: false,
    stop: () => void stop(),
  };
  return store;
}

/** What is wrong with a request under Signature Version 4; undefined when nothing is. */
function faultOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string | undefined {
  const [, day = '', region = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const hash = String(headers['x-amz-content-sha256']);
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const [path = '', query = ''] = url.split('?');
  const canonical = [method, path, query, signed.join(''), names, hash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${KEYS.secretAccessKey}`, day));
  const expected = hmac(key, text);
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? undefined
    : 'SignatureDoesNotMatch';
}
