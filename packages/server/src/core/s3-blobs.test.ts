import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { startS3, type TestS3 } from '@symbolon/testkit/servers/s3-server';
import { type BlobStore, folderBlobs } from './blobs.ts';
import { systemClock } from './clock.ts';
import { readS3 } from './config-blobs.ts';
import { createIds } from './ids.ts';
import { s3Blobs } from './s3-blobs.ts';

const ids = createIds(systemClock);
const run = promisify(execFile);

const folder = temporaryFolder();
let server: TestS3;
let s3: ReturnType<typeof s3Blobs>;
before(async () => {
  server = await startS3();
  s3 = s3Blobs(server.options);
});
after(async () => {
  await s3.stop();
  server.stop();
  folder[Symbol.dispose]();
});

const keyOf = (bytes: Buffer) => `${hash('sha256', bytes, 'hex')}.${ids.uuid()}`;
const sourceOf = (bytes: Buffer, pieces: readonly Buffer[] = [bytes]) => ({
  bytes: bytes.length,
  sha256: hash('sha256', bytes, 'hex'),
  open: () => Readable.from(pieces, { objectMode: false }),
});

const stores: Readonly<Record<string, () => BlobStore>> = {
  'a folder': () => folderBlobs(folder.file('blobs'), { clock: systemClock, ids }),
  'an S3-compatible store': () => s3,
};

for (const [name, store] of Object.entries(stores)) {
  describe(`blobs in ${name}`, () => {
    test('what was written is read, in one piece and as a stream, until it is removed', async () => {
      const bytes = randomBytes(300_000);
      const key = keyOf(bytes);
      assert.equal(await store().read(key), undefined);
      assert.equal(await store().readStream(key), undefined);
      await store().write(key, bytes);
      await store().write(key, bytes);
      assert.ok((await store().read(key))?.equals(bytes));
      const stored = await store().readStream(key);
      assert.equal(stored?.bytes, bytes.length);
      assert.ok(stored && (await buffer(stored.stream)).equals(bytes));
      await store().remove(key);
      await store().remove(key);
      assert.equal(await store().read(key), undefined);
    });

    test('a stream is stored whole', async () => {
      const bytes = randomBytes(1_000_000);
      const key = keyOf(bytes);
      const pieces = [bytes.subarray(0, 10), bytes.subarray(10, 700_000), bytes.subarray(700_000)];
      await store().writeStream(key, sourceOf(bytes, pieces));
      assert.ok((await store().read(key))?.equals(bytes));
    });

    test('a stream that breaks leaves nothing under its key', async () => {
      const bytes = randomBytes(1000);
      const key = keyOf(bytes);
      const broken = async function* () {
        yield bytes.subarray(0, 500);
        throw new Error('broken');
      };
      const source = { ...sourceOf(bytes), open: () => Readable.from(broken(), { objectMode: false }) };
      await assert.rejects(store().writeStream(key, source));
      assert.equal(await store().read(key), undefined);
    });

    test('a name that is no key is refused', async () => {
      await assert.rejects(async () => store().write('../secret', Buffer.from('x')), /no key/);
    });
  });
}

describe('an S3-compatible store', () => {
  test('refuses other bytes than the key names', async () => {
    const key = keyOf(Buffer.from('these'));
    await assert.rejects(s3.write(key, Buffer.from('those')), { code: 'S3_REFUSED' });
    assert.equal(await s3.read(key), undefined);
  });

  test('says why it refuses, and is away while it does not answer', async () => {
    const stranger = s3Blobs({ ...server.options, secretAccessKey: 'another' });
    await assert.rejects(stranger.probe(), /403 SignatureDoesNotMatch/);
    const elsewhere = s3Blobs({
      ...server.options,
      bucketUrl: server.options.bucketUrl.replace(/bucket$/, 'other'),
    });
    await assert.rejects(elsewhere.read(keyOf(Buffer.from('x'))), /404 NoSuchBucket/);
    server.away = true;
    await assert.rejects(s3.probe(), { code: 'S3_REFUSED' });
    server.away = false;
    await s3.probe();
    await Promise.all([stranger.stop(), elsewhere.stop()]);
  });

  test('another client reads what was stored, and what it stores is read', async () => {
    const bytes = randomBytes(70_000);
    const key = keyOf(bytes);
    await s3.write(key, bytes);
    const url = `${server.options.bucketUrl}/files/${key.slice(0, 2)}/${key}`;
    const { accessKeyId, secretAccessKey, region } = server.options;
    const curl = (...args: string[]) =>
      run(
        'curl',
        [
          '-sSf',
          '--aws-sigv4',
          `aws:amz:${region}:s3`,
          '--user',
          `${accessKeyId}:${secretAccessKey}`,
          ...args,
        ],
        { encoding: 'buffer', maxBuffer: 1e6 },
      );
    const digest = hash('sha256', bytes, 'hex');
    const empty = hash('sha256', '', 'hex');
    const read = await curl('-H', `x-amz-content-sha256: ${empty}`, url);
    assert.ok(read.stdout.equals(bytes));
    await s3.remove(key);
    const file = folder.file('upload');
    await writeFile(file, bytes);
    await curl('-H', `x-amz-content-sha256: ${digest}`, '-T', file, url);
    assert.ok((await s3.read(key))?.equals(bytes));
  });

  test('is configured as other clients are', () => {
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    assert.deepEqual(
      readS3('s3://files/region-1/', { ...keys, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000/' }),
      {
        bucketUrl: 'http://127.0.0.1:9000/files',
        prefix: 'region-1/',
        region: 'us-east-1',
        accessKeyId: 'id',
        secretAccessKey: 'secret',
        sessionToken: undefined,
      },
    );
    const amazon = readS3('s3://files', { ...keys, AWS_REGION: 'eu-west-1', AWS_SESSION_TOKEN: 't' });
    assert.deepEqual(
      [amazon?.bucketUrl, amazon?.prefix, amazon?.sessionToken],
      ['https://s3.eu-west-1.amazonaws.com/files', '', 't'],
    );
    assert.equal(readS3(undefined, {}), undefined);
    assert.throws(() => readS3('s3://files', {}), /needs AWS_ACCESS_KEY_ID/);
    assert.throws(() => readS3('https://files', keys), /takes s3:/);
    assert.throws(() => readS3('s3://files', { ...keys, AWS_ENDPOINT_URL: 'ftp://x' }), /address/);
  });
});
