import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigError } from '../core/config-error.ts';
import { checkFolder, takeFolder } from './folder-lock.ts';

describe('the data folder of an embedded database', () => {
  let dataDir = '';
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'symbolon-folder-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const writeDatabase = (row: string) => {
    const database = new DatabaseSync(join(dataDir, 'symbolon.db'));
    database.exec('create table region_settings (name text, value text)');
    database.prepare('insert into region_settings values (?, ?)').run(row, '""');
    database.close();
  };

  test('without its secret is refused, and gets no other one', () => {
    writeDatabase('keys.check.1');
    assert.throws(
      () => takeFolder({ dataDir, secret: undefined }),
      (error) =>
        error instanceof ConfigError && /secret\.key is missing.*SYMBOLON_SECRET/.test(error.message),
    );
    assert.ok(!existsSync(join(dataDir, 'secret.key')));
    takeFolder({ dataDir, secret: 'configured' })();
    writeFileSync(join(dataDir, 'secret.key'), 'a secret');
    takeFolder({ dataDir, secret: undefined })();
  });

  test('that was only prepared, or is not there yet, needs none', () => {
    checkFolder({ dataDir: join(dataDir, 'none'), secret: undefined });
    assert.ok(!existsSync(join(dataDir, 'none')));
    takeFolder({ dataDir, secret: undefined })();
    writeDatabase('another setting');
    takeFolder({ dataDir, secret: undefined })();
  });

  test('without its database is refused', () => {
    writeFileSync(join(dataDir, 'secret.key'), 'a secret');
    assert.throws(() => checkFolder({ dataDir, secret: undefined }), ConfigError);
  });

  for (const name of ['symbolon.db.restoring', 'symbolon.db.before-restore-2026-11-30']) {
    test(`with an empty database beside ${name} is refused`, () => {
      takeFolder({ dataDir, secret: 'configured' })();
      writeFileSync(join(dataDir, name), 'of a platform');
      assert.throws(
        () => takeFolder({ dataDir, secret: 'configured' }),
        new RegExp(`has an empty symbolon\\.db, but it has ${name.replaceAll('.', '\\.')}: `),
      );
      writeDatabase('another setting');
      takeFolder({ dataDir, secret: 'configured' })();
    });
  }

  for (const name of ['blobs', 'outbox']) {
    test(`with ${name} of a platform, and a database that is gone or empty, is refused`, () => {
      mkdirSync(join(dataDir, name));
      takeFolder({ dataDir, secret: undefined })();
      writeFileSync(join(dataDir, name, 'one'), 'of somebody');
      assert.throws(
        () => takeFolder({ dataDir, secret: 'configured' }),
        /has an empty symbolon\.db, but it has/,
      );
      rmSync(join(dataDir, 'symbolon.db'));
      assert.throws(() => takeFolder({ dataDir, secret: 'configured' }), /has no symbolon\.db, but it has/);
      writeDatabase('another setting');
      takeFolder({ dataDir, secret: 'configured' })();
    });
  }
});
