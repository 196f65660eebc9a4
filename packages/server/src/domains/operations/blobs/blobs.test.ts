import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { systemTimers } from '../../../core/timers.ts';
import { Blobs } from './blobs.ts';

const HOLD_MS = 15 * 60_000;

const rowOf = (platform: TestPlatform, digest: string) =>
  platform.context.database.reader
    .selectFrom('blobs')
    .selectAll()
    .where('hash', '=', digest)
    .executeTakeFirst();

/** The files there are of a blob. */
async function filesOf(platform: TestPlatform, digest: string): Promise<string[]> {
  const folder = join(platform.dataDir, 'blobs', digest.slice(0, 2), digest.slice(2, 4));
  return (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(digest));
}

onEachEngine('blobs', (platform) => {
  const count = (method: 'refer' | 'release', ...hashes: string[]) =>
    platform().context.database.write((writer) => platform().context.blobs[method](writer, hashes));
  const sweep = () => platform().context.blobs.sweep();
  const expire = () => platform().clock.advance(HOLD_MS);

  test('the same bytes are kept once, under their hash', async () => {
    const { blobs } = platform().context;
    const bytes = randomBytes(100);
    const digest = hash('sha256', bytes, 'hex');
    assert.equal(await blobs.keep(bytes), digest);
    const kept = await Promise.all(Array.from({ length: 5 }, () => blobs.keep(bytes)));
    assert.deepEqual(new Set(kept), new Set([digest]));
    assert.equal((await filesOf(platform(), digest)).length, 1);
    await count('refer', digest);
    assert.deepEqual(await blobs.read(digest), bytes);
  });

  test('a blob stays while a row names it, and goes with the last one', async () => {
    const { blobs } = platform().context;
    const digest = await blobs.keep(randomBytes(100));
    await count('refer', digest);
    await count('refer', digest);
    expire();
    await count('release', digest);
    await sweep();
    assert.equal((await filesOf(platform(), digest)).length, 1);
    await count('release', digest);
    await sweep();
    assert.deepEqual(await filesOf(platform(), digest), []);
    assert.equal(await rowOf(platform(), digest), undefined);
    await assert.rejects(blobs.read(digest), { key: 'photos.unavailable' });
    await assert.rejects(blobs.open(digest), { key: 'photos.unavailable' });
  });

  test('a blob that no row names is removed after 15 minutes', async () => {
    const digest = await platform().context.blobs.keep(randomBytes(100));
    await sweep();
    assert.equal((await filesOf(platform(), digest)).length, 1);
    expire();
    await sweep();
    assert.deepEqual(await filesOf(platform(), digest), []);
    await assert.rejects(count('refer', digest), /not kept/);
  });

  test('a transaction that is rolled back has not named a blob', async () => {
    const { blobs, database } = platform().context;
    const digest = await blobs.keep(randomBytes(100));
    const undone = database.write(async (writer) => {
      await blobs.refer(writer, [digest]);
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    assert.equal((await rowOf(platform(), digest))?.refs, 0);
  });

  test('a blob that is kept again while a slow sweep removes it is there afterwards', async () => {
    const { database, clock, ids, blobs } = platform().context;
    expire();
    await sweep();
    const bytes = randomBytes(100);
    const digest = await blobs.keep(bytes);
    const [oldFile = ''] = await filesOf(platform(), digest);
    expire();
    // A sweep that stops between ending the blob and letting go of its bytes, as a process that died would.
    const removed: string[] = [];
    let reached = () => {};
    let goOn = () => {};
    const waiting = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const resumed = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = new Blobs({
      database,
      clock,
      ids,
      timers: systemTimers,
      log: platform().context.log,
      store: {
        write: async () => {},
        writeStream: async () => {},
        read: async () => undefined,
        readStream: async () => undefined,
        tidy: async () => {},
        async remove(key) {
          removed.push(key);
          reached();
          await resumed;
          await rm(join(platform().dataDir, 'blobs', key.slice(0, 2), key.slice(2, 4), key));
        },
      },
    });
    const sweeping = slow.sweep();
    await waiting;
    assert.equal(await blobs.keep(bytes), digest);
    await count('refer', digest);
    assert.deepEqual(removed, [oldFile]);
    goOn();
    await sweeping;
    assert.deepEqual(await blobs.read(digest), bytes);
    assert.equal((await filesOf(platform(), digest)).length, 1);
    assert.ok(!(await filesOf(platform(), digest)).includes(oldFile));
  });

  test('a blob that is named and swept at the same time stays, or naming it fails', async () => {
    const { blobs } = platform().context;
    for (let round = 0; round < 10; round++) {
      const bytes = randomBytes(64);
      const digest = await blobs.keep(bytes);
      expire();
      const [named] = await Promise.allSettled([count('refer', digest), sweep(), sweep()]);
      if (named.status === 'fulfilled') assert.deepEqual(await blobs.read(digest), bytes);
      else assert.deepEqual(await filesOf(platform(), digest), []);
    }
  });

  test('bytes of a blob that changed in the store are not served', async () => {
    const { blobs } = platform().context;
    const digest = await blobs.keep(randomBytes(100));
    await count('refer', digest);
    const [name = ''] = await filesOf(platform(), digest);
    const path = join(platform().dataDir, 'blobs', digest.slice(0, 2), digest.slice(2, 4), name);
    await writeFile(path, 'something else');
    await assert.rejects(blobs.read(digest), /damaged/);
  });
});
