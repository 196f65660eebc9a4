import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { type BlobStore, folderBlobs } from './blobs.ts';
import { createIds, type Ids } from './ids.ts';

let now = Date.UTC(2026, 0, 31);
const clock = { now: () => now };
const ids: Ids = createIds(clock);
const folder = temporaryFolder({ after });
let store: BlobStore;
before(async () => {
  store = folderBlobs(folder.file('blobs'), { clock, ids });
});

const bytes = Buffer.from('some bytes');
const digest = hash('sha256', bytes, 'hex');
const newKey = () => `${digest}.${ids.uuid()}`;

test('a blob that was written can be read until it is removed', async () => {
  const key = newKey();
  assert.equal(await store.read(key), undefined);
  await store.write(key, bytes);
  assert.deepEqual(await store.read(key), bytes);
  await store.write(key, bytes);
  await store.remove(key);
  assert.equal(await store.read(key), undefined);
  await store.remove(key);
});

test('blob files lie two folders deep by their hash, and only their owner can read them', async () => {
  const key = newKey();
  await store.write(key, bytes);
  const path = join(folder.path, 'blobs', digest.slice(0, 2), digest.slice(2, 4), key);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(folder.file('blobs'))).mode & 0o777, 0o700);
  assert.deepEqual(await readdir(join(folder.path, 'blobs', 'unfinished')), []);
});

test('many writers of one blob key leave one whole file', async () => {
  const key = newKey();
  const large = Buffer.alloc(200_000, 7);
  await Promise.all(Array.from({ length: 8 }, () => store.write(key, large)));
  assert.deepEqual(await store.read(key), large);
  assert.deepEqual(await readdir(join(folder.path, 'blobs', 'unfinished')), []);
});

test('no blob key leads out of the folder', async () => {
  for (const key of [
    '',
    '..',
    '../../etc/passwd',
    `${digest}`,
    `${digest}./x`,
    `${digest}.${'x'.repeat(65)}`,
    `../${digest.slice(3)}.x`,
    `${digest}.\0`,
  ]) {
    await assert.rejects(async () => store.read(key), /no key/);
    await assert.rejects(async () => store.write(key, bytes), /no key/);
    await assert.rejects(async () => store.remove(key), /no key/);
  }
});

test('tidying removes the unfinished blobs of dead writers, and none that is being written', async () => {
  const unfinished = join(folder.path, 'blobs', 'unfinished');
  const dead = ids.uuid();
  now += 61 * 60_000;
  const alive = ids.uuid();
  for (const name of [dead, alive, 'lost+found']) await writeFile(join(unfinished, name), 'half');
  await store.tidy();
  assert.deepEqual((await readdir(unfinished)).toSorted(), [alive, 'lost+found'].toSorted());
});

test('a blob folder that does not exist yet can be tidied', async () => {
  await folderBlobs(folder.file('fresh'), { clock, ids }).tidy();
});
