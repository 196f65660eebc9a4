import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { startPlatform } from '@symbolon/testkit/platform/platform';
import { dataUri, photographed } from './testing/images.ts';

test('without the files of photos, uploads and reads are refused, until the files are back', async () => {
  await using platform = await startPlatform('sqlite', { SYMBOLON_LOG_LEVEL: 'silent' });
  const blobs = join(platform.dataDir, 'blobs');
  const { token } = await registerCompany(platform);
  const upload = async () =>
    platform.call('POST', '/api/photos', {
      token,
      body: { file: dataUri('image/jpeg', await photographed('jpeg')) },
    });
  const first = await upload();
  assert.equal(first.status, 201, first.text);
  const read = () => platform.call('GET', `/api/photos/${first.body.id}/file`, { token });

  await rename(blobs, `${blobs}-gone`);
  const missing = await read();
  proves('error:photos.unavailable');
  assert.deepEqual([missing.status, missing.body.error_key], [503, 'photos.unavailable']);
  assert.equal(missing.headers.get('retry-after'), '30');

  await writeFile(blobs, 'no folder');
  for (const refused of [await upload(), await read()])
    assert.deepEqual([refused.status, refused.body.error_key], [503, 'photos.unavailable']);
  const health = () => platform.call('GET', '/api/health');
  assert.deepEqual((await health()).body, { status: 'ok', away: ['files'] });
  await rm(blobs);
  await rename(`${blobs}-gone`, blobs);
  await eventually('it is back', async () => ((await health()).body.away === undefined ? true : undefined));
  assert.equal((await read()).status, 200);
  assert.equal((await upload()).status, 201);
});
