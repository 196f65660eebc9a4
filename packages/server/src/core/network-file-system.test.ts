import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { lockFolder } from '../db/folder-lock.ts';
import { kindOf, mountedAs, networkFileSystem } from './network-file-system.ts';

const MOUNTS = `24 1 8:1 / / rw - ext4 /dev/sda1 rw
36 24 0:44 / /mnt/my\\040data rw - fuse.sshfs host:/data rw
37 24 0:45 / /mnt/my rw - fuse.mergerfs a:b rw`;

test('network file systems are known by their numbers, and in user space by their names', () => {
  assert.equal(kindOf(0x6969), 'nfs');
  assert.equal(kindOf(0xff534d42), 'cifs');
  assert.equal(kindOf(0xef53), undefined);
  const fuse = (folder: string) => kindOf(0x65735546, mountedAs(folder, MOUNTS));
  assert.equal(fuse('/mnt/my data/symbolon'), 'fuse.sshfs');
  assert.equal(fuse('/mnt/my/symbolon'), undefined);
  assert.equal(mountedAs('/mnt/myself', MOUNTS), 'ext4');
});

test('an embedded database on one is refused before anything is opened', (t) => {
  const { path } = temporaryFolder(t);
  assert.equal(networkFileSystem(path), undefined);
  assert.throws(() => lockFolder(path, () => 'nfs'), {
    name: 'ConfigError',
    message: /is on a network file system \(nfs\)/,
  });
  lockFolder(path)();
});
