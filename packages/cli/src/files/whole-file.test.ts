import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/cli/world';
import { explain } from '../problem.ts';
import { replacePrivate, SHARED, writeNew, writePrivate } from './whole-file.ts';

const SOURCES = join(import.meta.dirname, '..');

describe('files of the command', () => {
  test('a file that is cut off never has its name', async () => {
    using folder = temporaryFolder();
    const file = folder.file('sealed.pdf');
    await assert.rejects(writeNew(file, cutOff()), /the connection ended/);
    assert.deepEqual(readdirSync(folder.path), []);
  });

  test('a file that is there stays, also one that came while the new one was written', async () => {
    using folder = temporaryFolder();
    const file = folder.file('key.pem');
    const late = async function* () {
      yield 'new';
      writeFileSync(file, 'of another');
    };
    for (const write of [() => writeNew(file, late()), () => writeNew(file, 'new')]) {
      const error = await write().then(
        () => undefined,
        (caught: unknown) => caught,
      );
      assert.match(explain(error).text, new RegExp(`^${RegExp.escape(file)}: is there already`));
    }
    assert.throws(() => writePrivate(file, 'new'), { code: 'EEXIST', path: file });
    assert.equal(readFileSync(file, 'utf8'), 'of another');
    assert.deepEqual(readdirSync(folder.path), ['key.pem']);
  });

  test('a folder that is not there is named as it was asked for', async () => {
    using folder = temporaryFolder();
    const file = folder.file('none/flow.zip');
    await assert.rejects(writeNew(file, 'new', SHARED), { code: 'ENOENT', path: file });
  });

  test('only the owner can read what is private', async () => {
    using folder = temporaryFolder();
    const files = ['a', 'b/c', 'd', 'e'].map((name) => folder.file(name));
    const [kept = '', made = '', fresh = '', shared = ''] = files;
    replacePrivate(kept, 'old');
    replacePrivate(kept, 'new');
    writePrivate(made, 'new');
    await writeNew(fresh, 'new');
    await writeNew(shared, 'new', SHARED);
    const modes = files.map((file) => statSync(file).mode & 0o777);
    assert.deepEqual(modes, [0o600, 0o600, 0o600, 0o666 & ~process.umask()]);
    assert.deepEqual(
      files.map((file) => readFileSync(file, 'utf8')),
      files.map(() => 'new'),
    );
  });

  test('no command writes a file in another way', () => {
    const writers = globSync('**/*.ts', { cwd: SOURCES })
      .filter((file) => !file.endsWith('.test.ts') && file !== 'files/whole-file.ts')
      .filter((file) =>
        /\b(writeFile(Sync)?|createWriteStream)\(/.test(readFileSync(join(SOURCES, file), 'utf8')),
      );
    // It writes to a name of its own, checks every byte, and only then gives the name that was asked for.
    assert.deepEqual(writers, ['admin/backup.ts']);
  });
});

async function* cutOff() {
  yield 'half';
  throw new Error('the connection ended');
}
