/** Builds the image of `deploy/Dockerfile`, and runs what it says as a container engine would. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { freePort } from '@symbolon/testkit/platform/address';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { isAtLength } from '@symbolon/testkit/thoroughness';
import { without } from '@symbolon/testkit/tools';
import { Image } from './support/image.ts';

const isRoot = process.getuid?.() === 0;
const skip =
  without('buildah', 'unshare', 'setpriv') ||
  (!isRoot && 'only root makes images') ||
  (!isAtLength && 'with --all');

describe('the image', { skip }, () => {
  let image: Image;
  after(() => image?.[Symbol.dispose]());
  const folder = temporaryFolder({ after });
  before(() => {
    image = new Image(folder.path);
  });

  test('has no shell and no npm, one user with a fixed id, and a check of its own', () => {
    for (const path of ['bin/sh', 'usr/bin/sh', 'nodejs/bin/npm', 'nodejs/lib/node_modules'])
      assert.equal(existsSync(join(image.root, path)), false, path);
    assert.equal(image.config.User, '10001:10001');
    assert.equal(statSync(join(image.root, 'data')).uid, 10001);
    assert.equal(
      statSync(join(image.root, 'opt/symbolon/lib/main.js')).uid,
      0,
      'its own files are not its own to change',
    );
    assert.equal(image.config.StopSignal, 'SIGTERM');
    assert.deepEqual(image.config.Healthcheck.Test, ['CMD', ...image.config.Entrypoint, 'health']);
  });

  test('serves on a root that is read-only, is healthy, and ends with 0 on SIGTERM', async () => {
    const [port, management] = [await freePort(), await freePort()];
    const env = {
      SYMBOLON_HOST: '127.0.0.1',
      SYMBOLON_PORT: String(port),
      SYMBOLON_PUBLIC_URL: `http://localhost:${port}`,
      SYMBOLON_MANAGEMENT_ADDRESS: `127.0.0.1:${management}`,
    };
    const { Entrypoint, Cmd, Healthcheck } = image.config;
    const checked = async () => {
      const check = image.run(Healthcheck.Test.slice(1), env);
      const [[code], said] = await Promise.all([once(check, 'exit'), text(check.stdout), text(check.stderr)]);
      return { code, said };
    };
    assert.equal((await checked()).code, 1, 'nothing runs yet');
    const platform = image.run([...Entrypoint, ...Cmd], env);
    const logged = text(platform.stdout);
    const complained = text(platform.stderr);
    const ended = once(platform, 'exit');
    await eventually('it is healthy', async () => {
      assert.equal(platform.exitCode, null, 'it runs');
      return (await checked()).code === 0 || undefined;
    });
    assert.equal((await fetch(`http://127.0.0.1:${port}/api/health`)).status, 200);
    platform.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], `${await logged} ${await complained}`);
    assert.equal(statSync(folder.file('data/symbolon.db')).uid, 10001);
  });

  test('cannot change itself', async () => {
    const program = `try { require('node:fs').writeFileSync('/opt/symbolon/lib/x', ''); } catch ({ code }) { console.log(process.getuid(), code); }`;
    const child = image.run([image.config.Entrypoint[0] ?? '', '-e', program]);
    assert.equal(await text(child.stdout), '10001 EROFS\n');
  });
});
