import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { ConfigError } from './config-error.ts';
import { KeyRing } from './key-ring.ts';

const folder = temporaryFolder({ after });
let folders = 0;
const newFolder = () => folder.file(String(++folders));

const base64 = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const exported = (keys: KeyRing, version: number) =>
  keys.key('key encryption', version).export().toString('hex');

test('the first start makes a secret that only its owner can read, and later starts use it', () => {
  const dataDir = newFolder();
  const made = exported(new KeyRing(undefined, dataDir), 1);
  assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600);
  assert.equal(exported(new KeyRing(undefined, dataDir), 1), made);
});

test('a configured secret leaves the data folder untouched and its keys unchangeable', () => {
  const keys = new KeyRing(`${base64(1)},2:${base64(2)}`, newFolder());
  assert.deepEqual([keys.versions, keys.current, keys.ownsFile], [[1, 2], 1, false]);
  assert.throws(() => keys.add(), /SYMBOLON_SECRET/);
  assert.throws(() => statSync(folder.file(String(folders))), { code: 'ENOENT' });
});

test('each version has its own key, which is the same after a restart', () => {
  const configured = `${base64(1)},2:${base64(2)}`;
  const keys = new KeyRing(configured, newFolder());
  assert.notEqual(exported(keys, 1), exported(keys, 2));
  assert.equal(exported(new KeyRing(configured, newFolder()), 2), exported(keys, 2));
  assert.equal(exported(new KeyRing(base64(1), newFolder()), 1), exported(keys, 1));
});

test('an added key is in the file, encrypts once it is used, and is gone once it is dropped', () => {
  const dataDir = newFolder();
  const keys = new KeyRing(undefined, dataDir);
  assert.equal(keys.add(), 2);
  assert.equal(keys.current, 1);
  keys.use(2);
  assert.equal(keys.current, 2);
  assert.match(readFileSync(join(dataDir, 'secret.key'), 'utf8'), /^\S{44}\n2:\S{44}\n$/);
  assert.equal(exported(new KeyRing(undefined, dataDir), 2), exported(keys, 2));
  keys.drop(2);
  assert.deepEqual(keys.versions, [1]);
  assert.throws(() => exported(keys, 2), /Version 2/);
});

test('the first version can be dropped, also by another process that shares the data folder', () => {
  const dataDir = newFolder();
  const [keys, other] = [new KeyRing(undefined, dataDir), new KeyRing(undefined, dataDir)];
  keys.use(keys.add());
  keys.drop(1);
  assert.match(readFileSync(join(dataDir, 'secret.key'), 'utf8'), /^2:\S{44}\n$/);
  assert.deepEqual([keys.versions, other.versions], [[2], [2]]);
  assert.equal(new KeyRing(undefined, dataDir).current, 2);
  assert.equal(keys.add(), 3);
});

test('a key that another process added to the shared data folder is found', () => {
  const dataDir = newFolder();
  const [one, other] = [new KeyRing(undefined, dataDir), new KeyRing(undefined, dataDir)];
  const version = one.add();
  assert.equal(other.has(version), true);
  assert.equal(exported(other, version), exported(one, version));
});

test('a secret that cannot be used stops the start with an error that names SYMBOLON_SECRET', () => {
  const bad = [
    '',
    'abc',
    `${base64(1)},2`,
    `${base64(1)},1:${base64(2)}`,
    `${base64(1)},2:${base64(2)},2:${base64(3)}`,
  ];
  for (const secret of bad) {
    assert.throws(
      () => new KeyRing(secret, newFolder()),
      (error) => error instanceof ConfigError && error.message.includes('SYMBOLON_SECRET'),
      secret,
    );
  }
});

test('a file that cannot be used is named, not the variable', () => {
  const dataDir = newFolder();
  new KeyRing(undefined, dataDir);
  const path = join(dataDir, 'secret.key');
  writeFileSync(path, 'not a secret\n');
  assert.throws(
    () => new KeyRing(undefined, dataDir),
    (error) => error instanceof ConfigError && error.message.startsWith(`${path} takes the base64 of`),
  );
});
