import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { startS3, type TestS3 } from '@symbolon/testkit/servers/s3-server';
import { type BackupPlace, openPlace } from './places.ts';

for (const kind of ['a folder', 'an S3-compatible store'] as const) {
  describe(`backups in ${kind}`, () => {
    const folder = temporaryFolder({ after });
    const to = () => folder.file('to');
    let s3: TestS3 | undefined;
    let place: BackupPlace;
    before(async () => {
      s3 = kind === 'a folder' ? undefined : await startS3();
      place = await openPlace(s3 === undefined ? { folder: to() } : { s3: s3.options });
    });
    after(async () => {
      await place.stop();
      s3?.stop();
    });
    const put = (name: string, content: Readable) => place.put(name, content, folder.file(`spool-${name}`));

    test('what is put is listed by its beginning, read and removed', async () => {
      assert.deepEqual(await place.list('symbolon-eu-'), []);
      await put('symbolon-eu-2', Readable.from(['two ', 'parts']));
      await put('symbolon-eu-1', Readable.from(['one']));
      await put('symbolon-us-1', Readable.from(['other']));
      assert.deepEqual(await place.list('symbolon-eu-'), ['symbolon-eu-1', 'symbolon-eu-2']);
      assert.equal((await buffer(await place.read('symbolon-eu-2'))).toString(), 'two parts');
      await place.remove('symbolon-eu-2');
      await place.remove('symbolon-eu-2');
      await assert.rejects(place.read('symbolon-eu-2'), /There is no backup symbolon-eu-2/);
      assert.deepEqual(await place.list('symbolon-eu-'), ['symbolon-eu-1']);
    });

    test('what breaks off leaves nothing under its name', async () => {
      const broken = Readable.from(
        (async function* () {
          yield 'half';
          throw new Error('The source ends early.');
        })(),
      );
      await assert.rejects(put('symbolon-half', broken), /ends early/);
      assert.deepEqual(await place.list('symbolon-half'), []);
      if (s3 === undefined) assert.ok(!readdirSync(to()).some((name) => name.includes('half')));
    });
  });
}
