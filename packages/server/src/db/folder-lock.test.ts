import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
});
